package models

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"afterstate/champion"
	"afterstate/internal/inputfile"
	"afterstate/ntuple"
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
	// Decoding, if not nil, is called before the champion is decoded, which takes seconds.
	Decoding func()

	mu     sync.Mutex
	shared []*shared // the newest last
}

// mostShared is how many networks a library caches; one may take hundreds of megabytes. Players
// keep theirs as long as they need it.
const mostShared = 2

// shared is a cached network.
type shared struct {
	path    string
	written time.Time
	size    int64

	mu      sync.Mutex
	network *ntuple.Network // nil: not loaded yet
}

// Find returns a loader for the network of a training run, of a file if file is set, or of the
// champion if name is empty. An error means that it does not exist or may not be named here. The
// loader may be called any number of times; failures are not cached.
func (l *Library) Find(name string, file bool) (load func() (*ntuple.Network, error), err error) {
	if name == "" && champion.Embedded() {
		return func() (*ntuple.Network, error) { return loadChampion(l.Decoding) }, nil
	}
	path := name
	switch {
	case !l.Files && l.Run == nil && name == "":
		return nil, champion.ErrNone
	case !l.Files && l.Run == nil:
		return nil, errors.New("networks of runs and files may not be named here")
	case file && !l.Files:
		return nil, errors.New("files may not be named here: want the name of a run")
	case file:
	case l.Run == nil:
		return nil, errors.New(`no network is known by name here: want model="FILE", in double quotes`)
	case name == "":
		return nil, fmt.Errorf(`%w: want model=RUN, the name of a run of train, or model="FILE"`, champion.ErrNone)
	default:
		if path, err = l.Run(name); err != nil {
			return nil, err
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, inputfile.Cause(err)
	}
	s := l.share(path, info)
	return func() (*ntuple.Network, error) { return s.load(l.Load) }, nil
}

// share returns the cache entry of a file in its present version.
func (l *Library) share(path string, info os.FileInfo) *shared {
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
	if len(l.shared) == mostShared {
		l.shared = slices.Delete(l.shared, 0, 1)
	}
	s := &shared{path: path, written: info.ModTime(), size: info.Size()}
	l.shared = append(l.shared, s)
	return s
}

func (s *shared) load(load func(string) (*ntuple.Network, error)) (*ntuple.Network, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.network != nil {
		return s.network, nil
	}
	if load == nil {
		load = OpenInt16
	}
	var err error
	s.network, err = load(s.path)
	return s.network, err
}
