//go:build unix

package bench

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// A signature that others may have written is computed again, and nothing is written through a link.
func TestSignatureIsOwn(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "afterstate")
	path := filepath.Join(folder, "signature-1")
	computed := 0
	ask := func(path string, want int) {
		t.Helper()
		_, err := cached(t.Context(), path, func(context.Context) (string, error) {
			computed++
			return "0123456789abcdef", nil
		})
		if err != nil || computed != want {
			t.Errorf("%v, computed %d times, want %d", err, computed, want)
		}
	}
	ask(path, 1)
	for i, open := range []string{folder, path} {
		if err := os.Chmod(open, 0o777); err != nil {
			t.Fatal(err)
		}
		ask(path, 2+i)
		ask(path, 2+i)
	}
	for path, want := range map[string]os.FileMode{folder: 0o700, path: 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, %v, want %v", path, info.Mode(), err, want)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(folder, link); err != nil {
		t.Fatal(err)
	}
	ask(filepath.Join(link, "signature-1"), 4)
	ask(filepath.Join(link, "signature-2"), 5)
	if _, err := os.Stat(filepath.Join(folder, "signature-2")); err == nil {
		t.Error("it is written through a link")
	}
}
