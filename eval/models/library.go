//go:build !js

package models

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/afterstate2048/afterstate/eval/champion"
	"github.com/afterstate2048/afterstate/eval/models/cache"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/eval/ntuple/quant"
	"github.com/afterstate2048/afterstate/internal/inputfile"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/internal/xdg"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Library finds the networks that player specs name. All players that name the same file share one network. It is
// loaded when a player first needs it, and again after the file has changed. A Library is safe for concurrent use
// after its fields have been set.
type Library struct {
	// Run returns the path of a training run's checkpoint, as runs.Folder.Checkpoint does. If it is
	// nil, specs cannot name runs.
	Run func(name string) (path string, err error)
	// Files allows specs to name files.
	Files bool
	// Load loads a network from a file, in the form for players. Nil means OpenInt16.
	Load func(path string) (*ntuple.Network, error)

	mu     sync.Mutex
	shared []*sharedFile // cache entries, the newest last
}

// maxShared is the number of networks that a library caches; one may take hundreds of megabytes. A
// network that leaves the cache stays in memory while players use it.
const maxShared = 2

// sharedFile is the cached network of one version of a file.
type sharedFile struct {
	Shared
	path    string
	written time.Time
	size    int64
}

// Find returns the network of a training run, or of a file if file is set. If the name is empty, it
// returns the embedded champion, whose Source.Of returns the embedded networks for other sizes.
// Find loads nothing. It fails if the network does not exist or if Run and Files do not allow it.
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
		Size: func() (board.Size, bool) {
			f, err := openFile(path)
			if err != nil {
				return board.Size{}, false
			}
			defer f.Close()
			return f.layout.Size, true
		},
	}, nil
}

// path returns the path of a network's file.
func (l *Library) path(name string, file bool) (string, error) {
	switch {
	case !l.Files && l.Run == nil && name == "":
		return "", champion.ErrNone
	case !l.Files && l.Run == nil:
		return "", errors.New("training runs and model files are not allowed here")
	case file && !l.Files:
		return "", errors.New("model files are not allowed here: use the name of a training run")
	case file:
		return name, nil
	case l.Run == nil:
		return "", errors.New(`no training runs are available here: use model="FILE", in double quotes`)
	case name == "":
		return "", fmt.Errorf(`%w: use model=RUN, the name of a training run, or model="FILE"`, champion.ErrNone)
	}
	return l.Run(name)
}

// share returns the cache entry for the current version of a file.
func (l *Library) share(path string, info os.FileInfo) *sharedFile {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.IndexFunc(l.shared, func(s *sharedFile) bool { return s.path == path }); i >= 0 {
		if s := l.shared[i]; s.written.Equal(info.ModTime()) && s.size == info.Size() {
			return s
		}
		l.shared = slices.Delete(l.shared, i, i+1)
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

// NoCache is the name of an environment variable. If the variable is not empty, the program does not use the cache of
// unpacked networks.
const NoCache = "AFTERSTATE_NO_CACHE"

var cacheDisabled atomic.Bool

// DisableCache has the same effect as the environment variable NoCache.
func DisableCache() { cacheDisabled.Store(true) }

// CacheFolder returns the folder of unpacked networks. ok is false if networks are not cached.
func CacheFolder() (folder cache.Folder, ok bool) {
	if cacheDisabled.Load() || os.Getenv(NoCache) != "" {
		return "", false
	}
	folder, err := cache.Default()
	return folder, err == nil
}

// embedded is a network that comes with the program, shared by all players of the process.
type embedded struct {
	Shared
	champion.Network
}

// networks contains the embedded networks by the board size that they were trained for; endingsNetwork is the
// ending network. setNetworks sets both on first use: an initialized variable would make the linker keep the
// networks in programs that do not use them.
var (
	findNetworks   sync.Once
	networks       map[board.Size]*embedded
	endingsNetwork *Shared // nil if the build has no ending network
)

func setNetworks() {
	networks = map[board.Size]*embedded{}
	for _, size := range append(champion.Sizes(), bitboard.Size) {
		e := &embedded{Network: champion.Of(size)}
		e.Open = e.open
		networks[size] = e
	}
	if champion.Endings().Embedded() {
		endingsNetwork = &Shared{Open: openEndings}
	}
}

// openEndings decodes the ending network. It does not use the cache: decoding takes little time, and the tables would
// take much disk space.
func openEndings() (*ntuple.Network, error) {
	file, err := champion.Endings().File()
	if err != nil {
		return nil, err
	}
	return quant.DequantizeSparse(file)
}

// embeddedFor returns the embedded network that plays boards of a size.
func embeddedFor(size board.Size) (Source, bool) {
	findNetworks.Do(setNetworks)
	e := cmp.Or(networks[size], networks[size.Turned()])
	if e == nil || !e.Embedded() {
		return Source{}, false
	}
	s := Source{Load: e.Load, Loaded: e.Loaded, Size: e.size, Of: embeddedFor}
	if size == bitboard.Size && endingsNetwork != nil {
		s.Endings = &Source{
			Load: endingsNetwork.Load, Loaded: endingsNetwork.Loaded,
			Size: func() (board.Size, bool) { return bitboard.Size, true },
		}
	}
	return s, true
}

func (e *embedded) size() (board.Size, bool) {
	info, err := e.Info()
	if err != nil {
		return board.Size{}, false
	}
	return info.Size, true
}

// open opens the network, from the cache if possible. It returns a *memory.Error if there is too little
// memory to decode it.
func (e *embedded) open() (*ntuple.Network, error) {
	info, err := e.Info()
	if err != nil {
		return nil, err
	}
	decode := func() (*ntuple.Network, error) {
		if err := memory.Check(decodedBytes(info)); err != nil {
			return nil, err
		}
		return decode(e.File)
	}
	folder, ok := CacheFolder()
	if !ok {
		return decode()
	}
	hash := sha256.Sum256(info.Header)
	return folder.Load(cache.Key{Name: hash, Content: hash}, decode)
}

// Locate returns the path of the model that a user names: the file with this path, or else the
// checkpoint of the training run with this name, whose path the function run returns. It returns
// the names of embedded networks, and names that are not valid for runs, unchanged, so that Open
// handles them.
func Locate(name string, run func(name string) (path string, err error)) (path string, err error) {
	if name == Champion || name == championEndings || isFile(name) || !xdg.ValidName(name) {
		return name, nil
	}
	if path, err = run(name); err != nil {
		return "", fmt.Errorf("%s is not a file, and %w", name, err)
	}
	return path, nil
}

// isFile reports whether the path exists and is not a folder.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}
