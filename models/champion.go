//go:build !js

package models

import (
	"crypto/sha256"
	"os"
	"sync"
	"sync/atomic"

	"afterstate/bitboard"
	"afterstate/board"
	"afterstate/champion"
	"afterstate/champion/middle"
	"afterstate/internal/memory"
	"afterstate/models/cache"
	"afterstate/ntuple"
	"afterstate/ntuple/quant"
)

// NoCache is the environment variable that, set to anything, makes the program decode its network
// instead of keeping it unpacked in the cache.
const NoCache = "AFTERSTATE_NO_CACHE"

var cacheDisabled atomic.Bool

// DisableCache has the effect of the environment variable NoCache.
func DisableCache() { cacheDisabled.Store(true) }

// CacheFolder returns where networks are kept unpacked; ok is false if they are not.
func CacheFolder() (folder cache.Folder, ok bool) {
	if cacheDisabled.Load() || os.Getenv(NoCache) != "" {
		return "", false
	}
	folder, err := cache.Default()
	return folder, err == nil
}

// embedded is a network that comes with the program, shared by all players of the process.
type embedded struct {
	info   func() (*quant.Summary, error)
	tables func() (t *quant.Int16Tables, free func(), err error)
	decode func() (*ntuple.Network, error)

	mu      sync.Mutex                     // held while it is loaded
	network atomic.Pointer[ntuple.Network] // nil: not loaded yet
}

var (
	championNetwork = &embedded{info: champion.Info, tables: champion.Tables, decode: champion.Decode}
	// middleNetworks are those of other sizes.
	middleNetworks = func() map[board.Size]*embedded {
		all := map[board.Size]*embedded{}
		for _, size := range middle.Sizes() {
			all[size] = &embedded{
				info: func() (*quant.Summary, error) { return middle.Info(size) },
				tables: func() (*quant.Int16Tables, func(), error) {
					t, err := middle.Tables(size)
					return t, func() {}, err
				},
				decode: func() (*ntuple.Network, error) { return middle.Decode(size) },
			}
		}
		return all
	}()
)

// source is the embedded network of a size, and those of other sizes.
func (e *embedded) source() Source {
	return Source{Load: e.load, Loaded: e.loaded, Size: e.size, Of: embeddedFor}
}

// embeddedFor returns the embedded network that plays boards of a size.
func embeddedFor(size board.Size) (Source, bool) {
	if size == bitboard.Size {
		s := championNetwork.source()
		s.Endings = embeddedEndings()
		return s, champion.Embedded()
	}
	if s, ok := middle.Of(size); ok {
		return middleNetworks[s].source(), true
	}
	return Source{}, false
}

// load returns the shared network, or a *memory.Error if there is too little memory to
// decode it. It comes from the cache, if it is there. Whatever is wrong with the cache, the network
// is decoded.
func (e *embedded) load() (*ntuple.Network, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if n := e.network.Load(); n != nil {
		return n, nil
	}
	n, err := e.open()
	if err == nil {
		e.network.Store(n)
	}
	return n, err
}

func (e *embedded) loaded() bool { return e.network.Load() != nil }

func (e *embedded) size() (board.Size, bool) {
	info, err := e.info()
	if err != nil {
		return board.Size{}, false
	}
	return info.Size, true
}

func (e *embedded) open() (*ntuple.Network, error) {
	info, err := e.info()
	if err != nil {
		return nil, err
	}
	decode := func() (*ntuple.Network, error) {
		if err := memory.Check(decodedBytes(info)); err != nil {
			return nil, err
		}
		return e.decode()
	}
	folder, ok := CacheFolder()
	if !ok {
		return decode()
	}
	tables := func() (*cache.Tables, func(), error) {
		if err := memory.Check(decodedBytes(info)); err != nil {
			return nil, nil, err
		}
		t, free, err := e.tables()
		if err != nil {
			return nil, nil, err
		}
		return tablesOf(t), free, nil
	}
	hash := sha256.Sum256(info.Header)
	return throughCache(folder, cache.Key{Name: hash, Content: hash}, tables, decode, decode)
}

// tablesOf are those of a quantized file.
func tablesOf(t *quant.Int16Tables) *cache.Tables {
	return &cache.Tables{Layout: t.Layout, Scale: t.Scale, Bias: t.Bias, Downgrade: t.Downgrade, Each: t.Each}
}

// tableSource opens a quantized file; free frees its memory.
type tableSource func() (t *cache.Tables, free func(), err error)

// throughCache opens a network in the cache, or decodes it and puts it there: a table at a time, or with
// tables nil all at once. again decodes it later, if the cached file turns out to be damaged.
func throughCache(folder cache.Folder, key cache.Key, tables tableSource, decode, again func() (*ntuple.Network, error)) (*ntuple.Network, error) {
	if n, err := folder.Open(key, again); err == nil {
		return n, nil
	}
	if tables != nil && writeTables(folder, key, tables) == nil {
		if n, err := folder.Open(key, again); err == nil {
			return n, nil
		}
	}
	n, err := decode()
	if err != nil || tables != nil {
		return n, err
	}
	if folder.Write(key, n) != nil {
		return n, nil
	}
	mapped, err := folder.Open(key, again) // of which other processes have the pages too
	if err != nil {
		return n, nil
	}
	n.Close()
	return mapped, nil
}

func writeTables(folder cache.Folder, key cache.Key, tables tableSource) error {
	t, free, err := tables()
	if err != nil {
		return err
	}
	defer free()
	return folder.WriteTables(key, t)
}
