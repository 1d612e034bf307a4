//go:build darwin || linux

package cache

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
)

// Load returns the network whatever is wrong with the cache. It decodes the network if there is no valid file.
func TestLoad(t *testing.T) {
	f := Folder(filepath.Join(t.TempDir(), "cache"))
	want := some(t)
	var failure error
	decoded := 0
	decode := func() (*ntuple.Network, error) {
		if decoded++; failure != nil {
			return nil, failure
		}
		return some(t), nil
	}
	file := f.Path(key)
	for _, c := range []struct {
		name   string
		before func() error
		decode int // times that it is decoded
	}{
		{"empty", func() error { return nil }, 1},
		{"warm", func() error { return nil }, 0},
		{"deleted", func() error { return os.Remove(file) }, 1},
		{"truncated", func() error { return errors.Join(os.Chmod(file, 0o600), os.Truncate(file, 5000)) }, 1},
		{"warm again", func() error { return nil }, 0},
		{"a folder in its place", func() error {
			return errors.Join(os.Remove(file), os.MkdirAll(filepath.Join(file, "x"), 0o700))
		}, 1},
		{"no folder", func() error { return errors.Join(os.RemoveAll(string(f)), os.WriteFile(string(f), nil, 0o600)) }, 1},
	} {
		must.Do(t, c.before())
		decoded = 0
		n, err := f.Load(key, decode)
		if err != nil || decoded != c.decode || !same(n, want) {
			t.Fatalf("%s: %v, decoded %d times, want %d", c.name, err, decoded, c.decode)
		}
		n.Close()
	}
	failure = os.ErrInvalid
	if _, err := f.Load(key, decode); !errors.Is(err, failure) {
		t.Errorf("%v, want %v", err, failure)
	}
}
