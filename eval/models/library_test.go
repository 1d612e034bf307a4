package models

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/eval/champion"
	"github.com/afterstate2048/afterstate/eval/ntuple"
)

// find loads a network by its name.
func find(t *testing.T, l *Library, name string, file bool) *ntuple.Network {
	t.Helper()
	source, err := l.Find(name, file)
	if err != nil {
		t.Fatal(err)
	}
	n, err := source.Load()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// A network is loaded once for all who name it, as a run or as a file, and again when its file
// was rewritten.
func TestLibraryShares(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoint.model")
	raw(t, path, tiny(t, 5))
	l := &Library{Files: true, Run: func(string) (string, error) { return path, nil }}
	first := find(t, l, path, true)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if source, err := l.Find("run", false); err != nil {
				t.Error(err)
			} else if n, err := source.Load(); err != nil || n != first {
				t.Errorf("it was loaded twice; %v", err)
			}
		})
	}
	wait.Wait()
	raw(t, path, tiny(t, 9))
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
	if n := find(t, l, path, true); n == first || n.Value(0) == first.Value(0) {
		t.Error("a network that was written anew is not loaded anew")
	}
}

// No more than two networks are kept.
func TestLibraryForgets(t *testing.T) {
	folder := t.TempDir()
	l := &Library{Files: true}
	paths := make([]string, 3)
	networks := make([]*ntuple.Network, len(paths))
	for i := range paths {
		paths[i] = filepath.Join(folder, string(rune('a'+i)))
		raw(t, paths[i], tiny(t, float32(i)))
		networks[i] = find(t, l, paths[i], true)
	}
	for _, i := range []int{2, 1} {
		if find(t, l, paths[i], true) != networks[i] {
			t.Errorf("network %d was loaded twice", i)
		}
	}
	if find(t, l, paths[0], true) == networks[0] {
		t.Error("three networks were kept")
	}
}

// A failure to load is returned, and the next call tries again.
func TestLibraryRetries(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model")
	raw(t, path, tiny(t, 5))
	full := errors.New("no memory")
	loads := 0
	l := &Library{Files: true, Load: func(path string) (*ntuple.Network, error) {
		if loads++; loads == 1 {
			return nil, full
		}
		return OpenInt16(path)
	}}
	source, err := l.Find(path, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := source.Load(); !errors.Is(err, full) {
		t.Errorf("%v, want %v", err, full)
	}
	n, err := source.Load()
	if err != nil || find(t, l, path, true) != n || loads != 2 {
		t.Errorf("%v after %d loads", err, loads)
	}
}

// What may not be named, or is not there, is refused before anything is loaded.
func TestLibraryRefuses(t *testing.T) {
	folder := t.TempDir()
	missing := filepath.Join(folder, "missing")
	run := func(name string) (string, error) {
		if name != "run" {
			return "", errors.New("no run is called " + name)
		}
		return missing, nil
	}
	for _, c := range []struct {
		library *Library
		name    string
		file    bool
		want    string // "": that there is no such file
	}{
		{&Library{}, missing, true, "networks of runs and files may not be named here"},
		{&Library{}, "run", false, "networks of runs and files may not be named here"},
		{&Library{Run: run}, missing, true, "files may not be named here: must be the name of a run"},
		{&Library{Files: true}, "run", false, `no network is known by name here: use model="FILE", in double quotes`},
		{&Library{Files: true, Run: run}, "other", false, "no run is called other"},
		{&Library{Files: true, Run: run}, "run", false, ""},
		{&Library{Files: true}, missing, true, ""},
	} {
		_, err := c.library.Find(c.name, c.file)
		switch {
		case err == nil || strings.Contains(err.Error(), folder):
			t.Errorf("%s: %v", c.name, err)
		case c.want == "" && !errors.Is(err, fs.ErrNotExist) || c.want != "" && err.Error() != c.want:
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	source, err := (&Library{Run: run}).Find("", false)
	if champion.Main().Embedded() {
		if err != nil || source.Load == nil {
			t.Error(err)
		}
	} else if !errors.Is(err, champion.ErrNone) || !strings.Contains(err.Error(), "use model=RUN") {
		t.Error(err)
	}
}

// A network that could not be loaded is loaded again; one that was loaded is not.
func TestLoadingIsTriedAgain(t *testing.T) {
	calls := 0
	l := &Shared{Open: func() (*ntuple.Network, error) {
		if calls++; calls < 3 {
			return nil, errors.New("not yet")
		}
		return &ntuple.Network{}, nil
	}}
	for i := range 5 {
		if n, err := l.Load(); (n != nil) != (i >= 2) || (err == nil) != (i >= 2) {
			t.Errorf("call %d: %v, %v", i, n, err)
		}
		if l.Loaded() != (i >= 2) {
			t.Errorf("call %d: ready %v", i, l.Loaded())
		}
	}
	if calls != 3 {
		t.Errorf("%d calls", calls)
	}
}
