//go:build unix

package cache

import (
	"errors"
	"io/fs"
	"os"
	"testing"

	"github.com/afterstate2048/afterstate/internal/xdg"
)

// What others may change is not believed, and what is no file is not opened.
func TestPermissions(t *testing.T) {
	f, n := folder(t)
	refused := func(name string) {
		t.Helper()
		if n, err := f.open(key); err == nil {
			t.Errorf("%s: opened", name)
			n.Close()
		}
	}
	set := func(path string, mode fs.FileMode) {
		t.Helper()
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	set(f.Path(key), 0o622)
	refused("a file for all to write")
	if err := f.write(key, of(n)); err != nil {
		t.Fatal(err)
	}
	set(string(f), 0o777)
	refused("a folder for all to write")
	if err := f.write(key, of(n)); err != nil {
		t.Fatal(err)
	}
	open(t, f).Close()
	if err := os.Rename(f.Path(key), f.Path(key)+".x"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(f.Path(key)+".x", f.Path(key)); err != nil {
		t.Fatal(err)
	}
	refused("a link")
	if err := os.Remove(f.Path(key)); err != nil {
		t.Fatal(err)
	}
	if err := f.write(key, of(n)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Rename(string(f), string(f)+".x"), os.Symlink(string(f)+".x", string(f))); err != nil {
		t.Fatal(err)
	}
	refused("a folder that is a link")
	if err := f.write(key, of(n)); !errors.Is(err, xdg.ErrNotOwn) {
		t.Errorf("a folder that is a link was written to: %v", err)
	}
}
