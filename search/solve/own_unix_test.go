//go:build unix

package solve

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/xdg"
)

// A folder or a file that others may write to is not trusted until Solve has removed the permission or
// made the file again. A folder that is a link is never used.
func TestOthersMayWrite(t *testing.T) {
	f := Folder(filepath.Join(t.TempDir(), "solved"))
	p := problem(t, "2x2")
	solve := func() error {
		table, err := f.Solve(t.Context(), p, Options{})
		if err == nil {
			table.Close()
		}
		return err
	}
	set := func(path string, mode os.FileMode) {
		t.Helper()
		must.Do(t, os.Chmod(path, mode))
	}
	if err := solve(); err != nil || !f.Has(p) {
		t.Fatal(err)
	}
	set(string(f), 0o777)
	if _, err := f.Open(p); !errors.Is(err, xdg.ErrNotOwn) || f.Has(p) {
		t.Errorf("a folder for all to write: %v, has %v", err, f.Has(p))
	}
	if err := solve(); err != nil || !f.Has(p) {
		t.Error(err)
	}
	if info, err := os.Stat(string(f)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder has mode %v, %v", info.Mode(), err)
	}
	set(f.Path(p), 0o666)
	var damaged *DamagedError
	if _, err := f.Open(p); !errors.As(err, &damaged) {
		t.Errorf("a table for all to write: %v", err)
	}
	must.Do(t, solve())
	must.Do(t, errors.Join(os.Rename(f.Path(p), f.Path(p)+".x"), os.Symlink(f.Path(p)+".x", f.Path(p))))
	if _, err := f.Open(p); !errors.As(err, &damaged) || f.Has(p) {
		t.Errorf("a table that is a link: %v, has %v", err, f.Has(p))
	}
	must.Do(t, solve())
	must.Do(t, errors.Join(os.Rename(string(f), string(f)+".x"), os.Symlink(string(f)+".x", string(f))))
	if _, err := f.Open(p); !errors.Is(err, xdg.ErrNotOwn) || f.Has(p) {
		t.Errorf("a folder that is a link: %v, has %v", err, f.Has(p))
	}
	if err := solve(); !errors.Is(err, xdg.ErrNotOwn) {
		t.Errorf("a folder that is a link is written to: %v", err)
	}
}

// If the file of an interrupted solve was replaced by a link, Solve does not write through the link.
func TestPartialIsLink(t *testing.T) {
	f := Folder(t.TempDir())
	p := must.Get(problem(t, "2x2").normal())(t)
	other := filepath.Join(t.TempDir(), "other")
	must.Do(t, errors.Join(os.WriteFile(other, []byte("mine"), 0o600), os.Symlink(other, f.path(&p, ".partial"))))
	if _, err := f.Solve(t.Context(), p, Options{}); !errors.Is(err, xdg.ErrNotOwn) {
		t.Error(err)
	}
	if data, err := os.ReadFile(other); err != nil || string(data) != "mine" {
		t.Errorf("the file is %.20q, %v", data, err)
	}
}
