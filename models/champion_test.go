package models

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"afterstate/bitboard"
	"afterstate/models/cache"
	"afterstate/ntuple"
)

func smallInt16() (*ntuple.Network, error) {
	l, err := ntuple.ParseLayout(bitboard.Size, "0123 01245")
	if err != nil {
		return nil, err
	}
	n, err := ntuple.NewInt16(l, 1)
	if err == nil {
		n.Int16Table(0, 0)[0] = 7
	}
	return n, err
}

// Whatever is wrong with the cache, there is a network; it is decoded only where there is no
// sound file.
func TestThroughCache(t *testing.T) {
	place := t.TempDir()
	folder, key := cache.Folder(filepath.Join(place, "afterstate")), cache.Key{Name: [32]byte{5}, Content: [32]byte{5}}
	decoded := 0
	decode := func() (*ntuple.Network, error) {
		decoded++
		return smallInt16()
	}
	file := folder.Path(key)
	for _, c := range []struct {
		name   string
		before func() error
		want   int // times that it is decoded
	}{
		{"empty", func() error { return nil }, 1},
		{"warm", func() error { return nil }, 0},
		{"deleted", func() error { return os.Remove(file) }, 1},
		{"truncated", func() error { return os.Truncate(file, 5000) }, 1},
		{"warm again", func() error { return nil }, 0},
		{"other weights", func() error {
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			for i := range data[:len(data)-1000] {
				data[i] = 1
			}
			return os.WriteFile(file, data, 0o600)
		}, 1},
		{"a folder in its place", func() error {
			if err := os.Remove(file); err != nil {
				return err
			}
			return os.MkdirAll(filepath.Join(file, "x"), 0o700)
		}, 1},
		{"no folder", func() error {
			if err := os.RemoveAll(string(folder)); err != nil {
				return err
			}
			return os.WriteFile(string(folder), nil, 0o600)
		}, 1},
	} {
		if err := c.before(); err != nil {
			t.Fatal(err)
		}
		decoded = 0
		n, err := throughCache(folder, key, nil, decode, decode)
		if err != nil || decoded != c.want || n.Value(0) != 8*7 {
			t.Fatalf("%s: %v, decoded %d times, want %d", c.name, err, decoded, c.want)
		}
		n.Close()
	}
}

// A network that can be decoded a table at a time is never in memory as a whole, unless its tables or the
// cache fail.
func TestTablesThroughCache(t *testing.T) {
	decoded := 0
	decode := func() (*ntuple.Network, error) {
		decoded++
		return smallInt16()
	}
	n, err := smallInt16()
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	_, scale := n.Int16Weights(0)
	freed := 0
	var failure error
	source := func() (*cache.Tables, func(), error) {
		return &cache.Tables{Layout: n.Layout, Scale: scale, Each: func(visit func(int, int, []int16) error) error {
			return errors.Join(visit(0, 1, n.Int16Table(0, 1)), visit(0, 0, n.Int16Table(0, 0)), failure)
		}}, func() { freed++ }, nil
	}
	folder, key := cache.Folder(filepath.Join(t.TempDir(), "afterstate")), cache.Key{Name: [32]byte{5}, Content: [32]byte{5}}
	for i, c := range []struct {
		failure error
		want    int // times that it is decoded as a whole
	}{{os.ErrInvalid, 1}, {nil, 0}, {os.ErrInvalid, 0}} {
		failure, decoded = c.failure, 0
		n, err := throughCache(folder, key, source, decode, decode)
		if err != nil || decoded != c.want || n.Value(0) != 8*7 {
			t.Fatalf("%d: %v, decoded %d times, want %d", i, err, decoded, c.want)
		}
		n.Close()
	}
	if freed != 2 {
		t.Errorf("freed %d times", freed)
	}
}
