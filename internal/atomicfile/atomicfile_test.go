package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))(t)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, strings.Repeat("ü", 127))
	for _, text := range []string{"one", "two"} {
		must.Do(t, Write(path, []byte(text), 0o600))
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Fatalf("%q, %v", got, err)
		}
	}
	f := must.Get(Create(path, 0o600))(t)
	must.Get(f.WriteString("three"))(t)
	if !IsTemporary(filepath.Base(f.Name())) {
		t.Errorf("%s is not known as temporary", f.Name())
	}
	f.Discard()
	f.Discard()
	if got, _ := os.ReadFile(path); string(got) != "two" || len(names(t, dir)) != 1 {
		t.Errorf("%q, %v", got, names(t, dir))
	}
	if _, err := Create(filepath.Join(dir, "no", "file"), 0o600); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// A commit that fails leaves nothing behind.
func TestCommitFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "folder")
	f := must.Get(Create(path, 0o600))(t)
	must.Do(t, os.MkdirAll(filepath.Join(path, "full"), 0o700))
	if err := f.Commit(); err == nil {
		t.Error("a folder was replaced")
	}
	if got := names(t, dir); !slices.Equal(got, []string{"folder"}) {
		t.Error(got)
	}
}

// Create removes only files that no process holds and that Create can have made.
func TestLeftovers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files are not locked on Windows, so nothing is removed: see the package's documentation")
	}
	dir := t.TempDir()
	alive := must.Get(Create(filepath.Join(dir, "alive"), 0o600))(t)
	others := []string{
		".x.0123abcd", ".x.0123abc.afterstate", ".x.0123ABCD.afterstate", "x.0123abcd.afterstate",
		".0123abcd.afterstate", ".x.0123abcd.afterstate2", ".afterstate", ".x.part", "x",
	}
	for _, name := range append(others, ".x.0123abcd.afterstate", ".other file.ffffffff.afterstate") {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte("text"), 0o600))
	}
	must.Do(t, os.Mkdir(filepath.Join(dir, ".folder.0123abcd.afterstate"), 0o700))
	must.Do(t, os.Symlink("x", filepath.Join(dir, ".link.0123abcd.afterstate")))
	must.Do(t, Write(filepath.Join(dir, "made"), nil, 0o600))
	want := append(others, ".folder.0123abcd.afterstate", ".link.0123abcd.afterstate", "made", filepath.Base(alive.Name()))
	slices.Sort(want)
	if got := names(t, dir); !slices.Equal(got, want) {
		t.Errorf("there are\n%v, want\n%v", got, want)
	}
	must.Do(t, alive.Commit())
}
