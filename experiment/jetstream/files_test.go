package jetstream_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/experiment/jetstream"
)

// A file arrives unchanged, whatever its size, and is downloaded once. Other contents under its name are
// refused, and a damaged copy is replaced.
func TestFiles(t *testing.T) {
	t.Parallel()
	o := jetstream.Options{URL: hub(t), Namespace: "files"}
	c := connect(t, o)
	folder := t.TempDir()
	for _, size := range []int{0, 1, 128 << 10, 9<<20 + 5} {
		data := bytes.Repeat([]byte{byte(size), 1, 2, 3, 5, 8, 13}, size/7+1)[:size]
		path := filepath.Join(t.TempDir(), "model")
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		hash := sha256.Sum256(data)
		want := hex.EncodeToString(hash[:])
		for range 2 { // the second time it is there
			if sum, err := c.PutFile(t.Context(), path); err != nil || sum != want {
				t.Fatalf("put %s, %v, want %s", sum, err, want)
			}
		}
		copied, err := c.GetFile(t.Context(), want, folder)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(copied); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes came as %d, %v", size, len(got), err)
		}
		if err := os.WriteFile(copied, []byte("damaged"), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err = c.GetFile(t.Context(), want, folder); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(copied); !bytes.Equal(got, data) {
			t.Errorf("a damaged copy of %d bytes was not replaced", size)
		}
	}
}

func TestFilesRefuses(t *testing.T) {
	t.Parallel()
	o := jetstream.Options{URL: hub(t), Namespace: "files"}
	c := connect(t, o)
	path := filepath.Join(t.TempDir(), "model")
	if err := os.WriteFile(path, []byte("honest"), 0o666); err != nil {
		t.Fatal(err)
	}
	sum, err := c.PutFile(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := replaceObject(t, o, sum, "false"); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	other := sha256.Sum256([]byte("false"))
	want := "file " + sum + ": the server has contents with SHA-256 " + hex.EncodeToString(other[:]) + " under this name"
	if _, err := c.GetFile(t.Context(), sum, folder); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if left, _ := os.ReadDir(folder); len(left) > 0 {
		t.Errorf("%d files were left", len(left))
	}
	missing := strings.Repeat("0", 64)
	if _, err := c.GetFile(t.Context(), missing, folder); err == nil || !strings.Contains(err.Error(), "does not have it") {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := c.GetFile(t.Context(), "../etc/passwd", folder); err == nil {
		t.Error("a path was accepted for a hash")
	}
}

// replaceObject stores contents under a name.
func replaceObject(t *testing.T, o jetstream.Options, name, contents string) error {
	s, err := raw(t, o.URL).ObjectStore(t.Context(), o.Namespace+"-files")
	if err != nil {
		return err
	}
	_, err = s.PutString(t.Context(), name, contents)
	return err
}
