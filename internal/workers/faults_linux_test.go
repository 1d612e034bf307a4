package workers

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/internal/must"
)

// A mapped file is truncated while workers read it: the error names the file, whichever worker it was.
func TestCutOffFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mapped")
	must.Do(t, os.WriteFile(path, make([]byte, 1<<16), 0o600))
	file := must.Get(os.Open(path))(t)
	defer file.Close()
	data, free, err := memory.MapFile(file, 1<<16)
	must.Do(t, err)
	defer free()
	sum := func() (all byte) {
		for _, x := range data {
			all += x
		}
		return all
	}
	if sum() != 0 {
		t.Fatal("the file is not mapped")
	}
	must.Do(t, os.Truncate(path, 0))
	for guilty := range 3 {
		err := Try(t.Context(), 3, func(_ context.Context, worker int) error {
			if worker == guilty {
				t.Errorf("%d is read", sum())
			}
			return nil
		})
		must.Contains(t, fmt.Sprint(err), path+" was truncated while it was in use", "worker", guilty)
	}
	// Other panics stay panics.
	if p := caught(func() { _ = Try(t.Context(), 2, func(context.Context, int) error { panic("lost its mind") }) }); p == nil {
		t.Error("a panic did not reach the caller")
	}
}
