//go:build !js

package models

import (
	"os"
	"sync"
	"sync/atomic"

	"afterstate/board"
	"afterstate/champion"
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

// shared champion; nil: not loaded yet.
var (
	championMu     sync.Mutex // held while it is loaded
	championShared atomic.Pointer[ntuple.Network]
)

// loadChampion returns the shared champion, or a *memory.Error if there is too little memory to
// decode it. It comes from the cache, if it is there. Whatever is wrong with the cache, the champion
// is decoded.
func loadChampion() (*ntuple.Network, error) {
	championMu.Lock()
	defer championMu.Unlock()
	if n := championShared.Load(); n != nil {
		return n, nil
	}
	n, err := openChampion()
	if err == nil {
		championShared.Store(n)
	}
	return n, err
}

func championLoaded() bool { return championShared.Load() != nil }

func championSize() (board.Size, bool) {
	info, err := champion.Info()
	if err != nil {
		return board.Size{}, false
	}
	return info.Size, true
}

func openChampion() (*ntuple.Network, error) {
	info, err := champion.Info()
	if err != nil {
		return nil, err
	}
	decode := func() (*ntuple.Network, error) { return decodeChampion(info) }
	folder, ok := CacheFolder()
	if !ok {
		return decode()
	}
	tables := func() (*cache.Tables, func(), error) {
		if err := memory.Check(decodedBytes(info)); err != nil {
			return nil, nil, err
		}
		t, free, err := champion.Tables()
		if err != nil {
			return nil, nil, err
		}
		return tablesOf(t), free, nil
	}
	return throughCache(folder, cache.Key{Name: info.Hash, Content: info.Hash}, tables, decode, decode)
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

func decodeChampion(info *quant.Summary) (*ntuple.Network, error) {
	if err := memory.Check(decodedBytes(info)); err != nil {
		return nil, err
	}
	return champion.Decode()
}
