//go:build unix

package ntuple

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe in place of a model is refused; opening it would wait for a writer.
func TestPipeIsNoModel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe.model")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path); err == nil || !strings.Contains(err.Error(), "is a pipe: must be a file") {
		t.Errorf("Load of a pipe: %v", err)
	}
}
