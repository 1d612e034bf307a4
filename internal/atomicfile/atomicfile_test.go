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
)

func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, strings.Repeat("ü", 127))
	for _, text := range []string{"one", "two"} {
		if err := Write(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Fatalf("%q, %v", got, err)
		}
	}
	f, err := Create(path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("three"); err != nil {
		t.Fatal(err)
	}
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
	f, err := Create(path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(path, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
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
	alive, err := Create(filepath.Join(dir, "alive"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	others := []string{
		".x.0123abcd", ".x.0123abc.afterstate", ".x.0123ABCD.afterstate", "x.0123abcd.afterstate",
		".0123abcd.afterstate", ".x.0123abcd.afterstate2", ".afterstate", ".x.part", "x",
	}
	for _, name := range append(others, ".x.0123abcd.afterstate", ".other file.ffffffff.afterstate") {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("text"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, ".folder.0123abcd.afterstate"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("x", filepath.Join(dir, ".link.0123abcd.afterstate")); err != nil {
		t.Fatal(err)
	}
	if err := Write(filepath.Join(dir, "made"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	want := append(others, ".folder.0123abcd.afterstate", ".link.0123abcd.afterstate", "made", filepath.Base(alive.Name()))
	slices.Sort(want)
	if got := names(t, dir); !slices.Equal(got, want) {
		t.Errorf("there are\n%v, want\n%v", got, want)
	}
	if err := alive.Commit(); err != nil {
		t.Error(err)
	}
}
