package cache

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/eval/ntuple/quant"
	"github.com/afterstate2048/afterstate/internal/must"
)

// Whatever is wrong with the cache, there is a network. It is decoded where there is no sound file: a table
// at a time, or as a whole if that or the cache fails.
func TestLoad(t *testing.T) {
	f := Folder(filepath.Join(t.TempDir(), "cache"))
	want := some(t)
	var failure error
	opened, freed, decoded := 0, 0, 0
	tables := func() (*quant.Int16Tables, func(), error) {
		opened++
		all := quant.TablesOf(want)
		each := all.Each
		all.Each = func(visit func(int, int, [][]int16) error) error { return errors.Join(each(visit), failure) }
		return all, func() { freed++ }, nil
	}
	decode := func() (*ntuple.Network, error) {
		decoded++
		return some(t), nil
	}
	file := f.Path(key)
	for _, c := range []struct {
		name           string
		before         func() error
		tables, wholes int // times that it is decoded
	}{
		{"no table", func() error { failure = os.ErrInvalid; return nil }, 1, 1},
		{"empty", func() error { failure = nil; return nil }, 1, 0},
		{"warm", func() error { return nil }, 0, 0},
		{"deleted", func() error { return os.Remove(file) }, 1, 0},
		{"truncated", func() error { return errors.Join(os.Chmod(file, 0o600), os.Truncate(file, 5000)) }, 1, 0},
		{"warm again", func() error { return nil }, 0, 0},
		{"other weights", func() error {
			data, err := os.ReadFile(file)
			for i := range data[:len(data)-1000] {
				data[i] = 1
			}
			return errors.Join(err, os.Remove(file), os.WriteFile(file, data, 0o600))
		}, 1, 0},
		{"a folder in its place", func() error {
			return errors.Join(os.Remove(file), os.MkdirAll(filepath.Join(file, "x"), 0o700))
		}, 1, 1},
		{"no folder", func() error { return errors.Join(os.RemoveAll(string(f)), os.WriteFile(string(f), nil, 0o600)) }, 0, 1},
	} {
		must.Do(t, c.before())
		opened, freed, decoded = 0, 0, 0
		n, err := f.Load(key, tables, decode)
		if err != nil || opened != c.tables || freed != c.tables || decoded != c.wholes || !same(n, want) {
			t.Fatalf("%s: %v, tables %d times, freed %d, whole %d times, want %d and %d", c.name, err, opened, freed, decoded, c.tables, c.wholes)
		}
		n.Close()
	}
}
