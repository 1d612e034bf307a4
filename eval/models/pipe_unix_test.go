//go:build unix

package models

import (
	"fmt"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

// A pipe in place of a model is refused; waiting for its writer would never end.
func TestPipeIsNoModel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoint.model")
	must.Do(t, syscall.Mkfifo(path, 0o600))
	_, err := Open(path)
	_, short := OpenInt16(path)
	for _, err := range []error{err, short} {
		must.Contains(t, fmt.Sprint(err), "is a pipe: must be a file", "opened")
	}
}
