//go:build unix

package jetstream_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/afterstate2048/afterstate/experiment/jetstream"
	"github.com/afterstate2048/afterstate/internal/xdg"
)

// A worker's folder is the user's alone, and no link.
func TestFilesAreOwn(t *testing.T) {
	t.Parallel()
	c := connect(t, jetstream.Options{URL: hub(t), Namespace: "files"})
	path := filepath.Join(t.TempDir(), "model")
	if err := os.WriteFile(path, []byte("weights"), 0o666); err != nil {
		t.Fatal(err)
	}
	sum, err := c.PutFile(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "files")
	if err := errors.Join(os.Mkdir(folder, 0o700), os.Chmod(folder, 0o777)); err != nil {
		t.Fatal(err)
	}
	copied, err := c.GetFile(t.Context(), sum, folder)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{folder: 0o700, copied: 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, %v, want %v", path, info.Mode(), err, want)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(folder, link); err != nil {
		t.Fatal(err)
	}
	if _, err := c.GetFile(t.Context(), sum, link); !errors.Is(err, xdg.ErrNotOwn) {
		t.Errorf("through a link: %v", err)
	}
}
