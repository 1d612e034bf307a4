package models

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/eval/ntuple/quant"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// large returns a network that is large enough for the cache. One of its weights is points, the others are 0.
func large(t *testing.T, points float32) *ntuple.Network {
	t.Helper()
	l := must.Get(ntuple.ParseLayout(bitboard.Size, "01234 01245 01256 12345 12456"))(t)
	n := must.Get(ntuple.New(l))(t)
	t.Cleanup(n.Close)
	n.Table(0, 0)[0] = points
	return n
}

// largeFile writes a network's file, raw and then with the checksum of another section. The cache
// is empty.
func largeFile(t *testing.T, points float32) (path string, want float32) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", filepath.Join(t.TempDir(), "cache"))
	t.Setenv(NoCache, "")
	path = filepath.Join(t.TempDir(), "large.model")
	n := large(t, points)
	must.Do(t, ntuple.Save(path, n, info, ntuple.ExtraSection{Name: "more", Pieces: [][]uint64{make([]uint64, 1000)}}))
	return path, n.Value(0)
}

// cached returns the size of the cache.
func cached(t *testing.T) int64 {
	t.Helper()
	folder, ok := CacheFolder()
	if !ok {
		t.Fatal("no cache")
	}
	return folder.Info().Bytes
}

// value opens a file in the form for players and returns the value of the empty board.
func value(t *testing.T, path string) float32 {
	t.Helper()
	n := must.Get(OpenInt16(path))(t)
	defer n.Close()
	return n.Value(0)
}

// spoil changes a byte of a file, far from its header, and keeps its modification time.
func spoil(t *testing.T, path string, at int64) {
	t.Helper()
	stat := must.Get(os.Stat(path))(t)
	f := must.Get(os.OpenFile(path, os.O_WRONLY, 0))(t)
	if _, err := f.WriteAt([]byte{0x55}, at); err != nil {
		t.Fatal(err)
	}
	must.Do(t, errors.Join(f.Close(), os.Chtimes(path, stat.ModTime(), stat.ModTime())))
}

// The weights of a file are read once: while its header, size and modification time stay the same, they
// come from the cache, so spoiled weights go unnoticed. A file that was rewritten is read and
// checked again, and replaces the previous version in the cache.
func TestInt16Cached(t *testing.T) {
	path, want := largeFile(t, 5)
	if got := value(t, path); got != want {
		t.Fatalf("%v, want %v", got, want)
	}
	one := cached(t)
	if one < minCached {
		t.Fatalf("%d bytes in the cache", one)
	}
	spoil(t, path, 1<<20)
	must.Equal(t, value(t, path), want, "from the cache")
	later := time.Now().Add(time.Hour)
	must.Do(t, os.Chtimes(path, later, later))
	if _, err := OpenInt16(path); !errors.Is(err, ntuple.ErrModel) || !strings.HasPrefix(err.Error(), path+": ") || !strings.Contains(err.Error(), "the checksum of section weights 0 is wrong") {
		t.Errorf("a damaged file: %v", err)
	}
	n := large(t, 9)
	raw(t, path, n)
	if got := value(t, path); got != n.Value(0) || cached(t) != one {
		t.Errorf("written anew: %v, want %v; %d bytes in the cache, before %d", got, n.Value(0), cached(t), one)
	}
}

// All sections of a file are checked when it is first opened, as Open does.
func TestInt16ChecksAll(t *testing.T) {
	path, _ := largeFile(t, 5)
	stat := must.Get(os.Stat(path))(t)
	spoil(t, path, stat.Size()-5000)
	_, all := Open(path)
	_, err := OpenInt16(path)
	if err == nil || all == nil || err.Error() != all.Error() || cached(t) != 0 {
		t.Errorf("%v, want %v; %d bytes in the cache", err, all, cached(t))
	}
}

// If a file is truncated, replaced or removed while its network is in use, the network does not
// change, cached or not.
func TestInt16FileGoes(t *testing.T) {
	for _, noCache := range []string{"", "1"} {
		path, want := largeFile(t, 5)
		t.Setenv(NoCache, noCache)
		n := must.Get(OpenInt16(path))(t)
		defer n.Close()
		for name, change := range map[string]func() error{
			"truncated": func() error { return os.Truncate(path, 5000) },
			"replaced":  func() error { raw(t, path, large(t, 9)); return nil },
			"removed":   func() error { return os.Remove(path) },
		} {
			if err := change(); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			for i := range bitboard.Board(1000) {
				n.Value(i * 0x1234567)
			}
			must.Equal(t, n.Value(0), want, name)
		}
	}
}

// A quantized file is cached too, and decodes to the weights of the complete model.
func TestInt16Quantized(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv(NoCache, "")
	path := filepath.Join(t.TempDir(), "small")
	n := large(t, 5)
	file, _, err := quant.Quantize(n, info, quant.Options{Bits: 12})
	must.Do(t, err)
	write(t, path, file)
	for range 2 {
		must.Equal(t, value(t, path), n.Value(0), "value")
		spoil(t, path, int64(len(file)-1)) // so that the second one is from the cache
	}
	if cached(t) < minCached {
		t.Error("it is not in the cache")
	}
}

// Small networks are not cached: reading them is as fast.
func TestInt16SmallIsNotCached(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv(NoCache, "")
	path := filepath.Join(t.TempDir(), "tiny")
	raw(t, path, tiny(t, 5))
	value(t, path)
	must.Equal(t, cached(t), 0, "networks in the cache")
}
