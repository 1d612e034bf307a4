package inputfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

// Only regular files are opened, and errors name the path once.
func TestOpen(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	must.Do(t, os.WriteFile(file, []byte("x"), 0o600))
	must.Do(t, must.Get(Open(file))(t).Close())
	if _, err := Open(folder); err == nil || err.Error() != folder+" is a folder: must be a file" {
		t.Error(err)
	}
	if _, err := Open(os.DevNull); err == nil || err.Error() != os.DevNull+" is a device: must be a file" {
		t.Error(err)
	}
	missing := filepath.Join(folder, "missing")
	_, err := Open(missing)
	if !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), missing+" cannot be read: ") || strings.Count(err.Error(), missing) != 1 {
		t.Error(err)
	}
}
