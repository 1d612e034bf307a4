//go:build unix

package cache

import (
	"errors"
	"io/fs"
	"os"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/xdg"
)

// Files that other users can change are not trusted, and only regular files are opened.
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
		must.Do(t, os.Chmod(path, mode))
	}
	set(f.Path(key), 0o622)
	refused("a file for all to write")
	must.Do(t, f.write(key, n))
	set(string(f), 0o777)
	refused("a folder for all to write")
	must.Do(t, f.write(key, n))
	open(t, f).Close()
	must.Do(t, os.Rename(f.Path(key), f.Path(key)+".x"))
	must.Do(t, os.Symlink(f.Path(key)+".x", f.Path(key)))
	refused("a link")
	must.Do(t, os.Remove(f.Path(key)))
	must.Do(t, f.write(key, n))
	must.Do(t, errors.Join(os.Rename(string(f), string(f)+".x"), os.Symlink(string(f)+".x", string(f))))
	refused("a folder that is a link")
	if err := f.write(key, n); !errors.Is(err, xdg.ErrNotOwn) {
		t.Errorf("a folder that is a link was written to: %v", err)
	}
}
