package machines_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	js "github.com/nats-io/nats.go/jetstream"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/xdg"
)

// Files are found by their SHA-256, and contents with another SHA-256 are refused.
func TestFiles(t *testing.T) {
	h := newHub(t)
	c := h.connect()
	path := filepath.Join(t.TempDir(), "network")
	content := strings.Repeat("weights", 100_000)
	must.Do(t, os.WriteFile(path, []byte(content), 0o600))
	sum := must.Get(c.PutFile(t.Context(), path))(t)
	if again, err := c.PutFile(t.Context(), path); err != nil || again != sum {
		t.Errorf("again: %s, %v", again, err)
	}
	folder := filepath.Join(t.TempDir(), "files")
	got, err := c.GetFile(t.Context(), sum, folder)
	if data, _ := os.ReadFile(got); err != nil || string(data) != content {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	must.Do(t, os.WriteFile(got, []byte("damaged"), 0o600))
	got, err = c.GetFile(t.Context(), sum, folder) // it is downloaded again
	if data, _ := os.ReadFile(got); err != nil || string(data) != content {
		t.Errorf("after damage %d bytes, %v", len(data), err)
	}
	store, err := h.raw().ObjectStore(t.Context(), "afterstate-files")
	if err == nil {
		_, err = store.PutBytes(t.Context(), sum, []byte("another network"))
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.GetFile(t.Context(), sum, t.TempDir()); err == nil || !strings.Contains(err.Error(), "the server has contents with SHA-256") {
		t.Errorf("exchanged: %v", err)
	}
	must.Do(t, c.RemoveFile(t.Context(), sum))
	if _, err := c.GetFile(t.Context(), sum, t.TempDir()); !errors.Is(err, js.ErrObjectNotFound) {
		t.Errorf("removed: %v", err)
	}
	if _, err := c.GetFile(t.Context(), "../x", folder); err == nil || !strings.Contains(err.Error(), "must be a SHA-256") {
		t.Error(err)
	}
}

// A worker's folder must belong to the user alone, and must not be a link.
func TestFilesAreOwn(t *testing.T) {
	c := newHub(t).connect()
	path := filepath.Join(t.TempDir(), "network")
	must.Do(t, os.WriteFile(path, []byte("weights"), 0o666))
	sum := must.Get(c.PutFile(t.Context(), path))(t)
	folder := filepath.Join(t.TempDir(), "files")
	must.Do(t, errors.Join(os.Mkdir(folder, 0o700), os.Chmod(folder, 0o777)))
	copied := must.Get(c.GetFile(t.Context(), sum, folder))(t)
	for path, want := range map[string]os.FileMode{folder: 0o700, copied: 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, %v, want %v", path, info.Mode(), err, want)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	must.Do(t, os.Symlink(folder, link))
	if _, err := c.GetFile(t.Context(), sum, link); !errors.Is(err, xdg.ErrNotOwn) {
		t.Errorf("through a link: %v", err)
	}
}
