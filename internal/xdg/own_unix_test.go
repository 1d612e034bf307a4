//go:build unix

package xdg

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

// Files and folders of another user are refused, whatever their mode.
func TestOtherOwner(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "file")
	must.Do(t, errors.Join(os.Chmod(folder, 0o700), os.WriteFile(path, nil, 0o600)))
	must.Do(t, CheckOwn(folder))
	f := must.Get(OpenOwn(path, os.O_RDWR))(t)
	f.Close()
	if os.Geteuid() != 0 { // only root can create folders of other users; check an existing one
		if err := CheckOwn("/"); !errors.Is(err, ErrNotOwn) {
			t.Error(err)
		}
		return
	}
	must.Do(t, errors.Join(os.Chown(path, 1, 1), os.Chown(folder, 1, 1)))
	if _, err := OpenOwn(path, os.O_RDONLY); !errors.Is(err, ErrNotOwn) {
		t.Errorf("a file: %v", err)
	}
	for _, err := range []error{CheckOwn(folder), MakeOwn(folder)} {
		if !errors.Is(err, ErrNotOwn) {
			t.Errorf("a folder: %v", err)
		}
	}
}

// A file in place of a folder, and something other than a file in place of a file.
func TestOtherKinds(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "file")
	f := must.Get(OpenOwn(path, os.O_RDWR|os.O_CREATE))(t)
	f.Close()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if err := CheckOwn(path); !errors.Is(err, ErrNotOwn) {
		t.Error(err)
	}
	if MakeOwn(path) == nil {
		t.Error("a file is made a folder")
	}
	for _, flags := range []int{os.O_RDONLY, os.O_RDWR | os.O_CREATE} {
		if _, err := OpenOwn(folder, flags); !errors.Is(err, ErrNotOwn) {
			t.Error(err)
		}
		link := filepath.Join(folder, "link")
		_ = os.Symlink(filepath.Join(folder, "nowhere"), link)
		if _, err := OpenOwn(link, flags); !errors.Is(err, ErrNotOwn) {
			t.Error(err)
		}
	}
}
