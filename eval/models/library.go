//go:build !js

package models

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/afterstate2048/afterstate/eval/champion"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/inputfile"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Library resolves the networks that player specs name. All players that name one file share one
// network, loaded when the first of them needs it, and again after the file has changed. A Library
// is safe for concurrent use; set its fields before.
type Library struct {
	// Run returns the path of a training run's checkpoint, as runs.Folder.Checkpoint does; nil:
	// specs may name no runs.
	Run func(name string) (path string, err error)
	// Files allows specs to name files.
	Files bool
	// Load loads a network from a file in the form for players; nil: OpenInt16.
	Load func(path string) (*ntuple.Network, error)

	mu     sync.Mutex
	shared []*sharedFile // the newest last
}

// maxShared is how many networks a library caches; one may take hundreds of megabytes. Players
// keep theirs as long as they need it.
const maxShared = 2

// sharedFile is the cached network of a version of a file.
type sharedFile struct {
	Shared
	path    string
	written time.Time
	size    int64
}

// Find returns the network of a training run, or of a file if file is set. With an empty name it
// returns the embedded networks: the champion, and through Source.Of those of other sizes. It loads
// nothing. It fails if the network does not exist or may not be named here.
func (l *Library) Find(name string, file bool) (Source, error) {
	if name == "" {
		if s, ok := embeddedFor(bitboard.Size); ok {
			return s, nil
		}
	}
	path, err := l.path(name, file)
	if err != nil {
		return Source{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return Source{}, inputfile.Cause(err)
	}
	s := l.share(path, info)
	return Source{
		Load:   s.Load,
		Loaded: s.Loaded,
		Size:   func() (board.Size, bool) { return sizeOf(path) },
	}, nil
}

// path returns the file of a network.
func (l *Library) path(name string, file bool) (string, error) {
	switch {
	case !l.Files && l.Run == nil && name == "":
		return "", champion.ErrNone
	case !l.Files && l.Run == nil:
		return "", errors.New("networks of runs and files may not be named here")
	case file && !l.Files:
		return "", errors.New("files may not be named here: want the name of a run")
	case file:
		return name, nil
	case l.Run == nil:
		return "", errors.New(`no network is known by name here: want model="FILE", in double quotes`)
	case name == "":
		return "", fmt.Errorf(`%w: want model=RUN, the name of a run of train, or model="FILE"`, champion.ErrNone)
	}
	return l.Run(name)
}

// share returns the cache entry of a file in its present version.
func (l *Library) share(path string, info os.FileInfo) *sharedFile {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, s := range l.shared {
		if s.path != path {
			continue
		}
		if s.written.Equal(info.ModTime()) && s.size == info.Size() {
			return s
		}
		l.shared = slices.Delete(l.shared, i, i+1)
		break
	}
	if len(l.shared) == maxShared {
		l.shared = slices.Delete(l.shared, 0, 1)
	}
	load := OpenInt16
	if l.Load != nil {
		load = l.Load
	}
	open := func() (*ntuple.Network, error) { return load(path) }
	s := &sharedFile{Shared: Shared{Open: open}, path: path, written: info.ModTime(), size: info.Size()}
	l.shared = append(l.shared, s)
	return s
}
