//go:build !js

package models

import (
	"cmp"
	"crypto/sha256"
	"os"
	"runtime/debug"
	"sync/atomic"

	"github.com/afterstate2048/afterstate/eval/champion"
	"github.com/afterstate2048/afterstate/eval/models/cache"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/eval/ntuple/quant"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
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
	Shared
	champion.Network
}

// networks are those of all sizes, without their turns.
var networks = func() map[board.Size]*embedded {
	all := map[board.Size]*embedded{}
	for _, size := range append(champion.Sizes(), bitboard.Size) {
		e := &embedded{Network: champion.Of(size)}
		e.Open = e.open
		all[size] = e
	}
	return all
}()

// endingsNetwork is decoded in each process that meets an ending, since that takes less time than a cache of its tables
// would need disk.
var endingsNetwork = &Shared{Open: func() (*ntuple.Network, error) {
	file, err := champion.Endings.File()
	if err != nil {
		return nil, err
	}
	return quant.DequantizeSparse(file)
}}

// embeddedFor returns the embedded network that plays boards of a size.
func embeddedFor(size board.Size) (Source, bool) {
	e := cmp.Or(networks[size], networks[size.Turned()])
	if e == nil || !e.Embedded() {
		return Source{}, false
	}
	s := Source{Load: e.Load, Loaded: e.Loaded, Size: e.size, Of: embeddedFor}
	if size == bitboard.Size && champion.Endings.Embedded() {
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

// open opens the network, from the cache if it is there. It returns a *memory.Error if there is too little
// memory to decode it.
func (e *embedded) open() (*ntuple.Network, error) {
	info, err := e.Info()
	if err != nil {
		return nil, err
	}
	q := quantizedFile(func() ([]byte, error) {
		if err := memory.Check(decodedBytes(info)); err != nil {
			return nil, err
		}
		return e.File()
	})
	folder, ok := CacheFolder()
	if !ok {
		return q.decode()
	}
	hash := sha256.Sum256(info.Header)
	return folder.Load(cache.Key{Name: hash, Content: hash}, q.tables, q.decode)
}

// quantizedFile reads a quantized file.
type quantizedFile func() ([]byte, error)

// tables opens the file.
func (q quantizedFile) tables() (t *quant.Int16Tables, free func(), err error) {
	data, err := q()
	if err != nil {
		return nil, nil, err
	}
	debug.FreeOSMemory() // reading it took as much memory again
	t, err = quant.OpenInt16(data)
	return t, debug.FreeOSMemory, err
}

// decode decodes the whole network.
func (q quantizedFile) decode() (*ntuple.Network, error) {
	data, err := q()
	if err != nil {
		return nil, err
	}
	n, err := quant.DequantizeInt16(data)
	debug.FreeOSMemory() // decoding takes as much memory again as the network
	return n, err
}
