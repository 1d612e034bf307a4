package inputfile

import (
	"errors"
	"fmt"
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
	_, err := Open(folder)
	must.Equal(t, fmt.Sprint(err), folder+" is a folder: must be a file")
	_, err = Open(os.DevNull)
	must.Equal(t, fmt.Sprint(err), os.DevNull+" is a device: must be a file")
	missing := filepath.Join(folder, "missing")
	_, err = Open(missing)
	if !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), missing+" cannot be read: ") || strings.Count(err.Error(), missing) != 1 {
		t.Error(err)
	}
}
