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
	"github.com/afterstate2048/afterstate/internal/must"
)

// find loads a network by its name.
func find(t *testing.T, l *Library, name string, file bool) *ntuple.Network {
	t.Helper()
	source := must.Get(l.Find(name, file))(t)
	return must.Get(source.Load())(t)
}

// A network is loaded once for all specs that name it, as a run or as a file, and again after its file
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
	must.Do(t, os.Chtimes(path, later, later))
	if n := find(t, l, path, true); n == first || n.Value(0) == first.Value(0) {
		t.Error("a network that was written anew is not loaded anew")
	}
}

// At most two networks are cached.
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
		must.Equal(t, find(t, l, paths[i], true), networks[i], "network", i, "again")
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
	source := must.Get(l.Find(path, true))(t)
	if _, err := source.Load(); !errors.Is(err, full) || source.Loaded() {
		t.Errorf("%v, want %v", err, full)
	}
	n, err := source.Load()
	if err != nil || find(t, l, path, true) != n || loads != 2 || !source.Loaded() {
		t.Errorf("%v after %d loads", err, loads)
	}
}

// Names that are not allowed or do not exist are refused before anything is loaded.
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
		{&Library{}, missing, true, "training runs and model files are not allowed here"},
		{&Library{}, "run", false, "training runs and model files are not allowed here"},
		{&Library{Run: run}, missing, true, "model files are not allowed here: use the name of a training run"},
		{&Library{Files: true}, "run", false, `no training runs are available here: use model="FILE", in double quotes`},
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
