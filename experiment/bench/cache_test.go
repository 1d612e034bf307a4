package bench

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

// A signature is computed once; an incomplete entry is computed again.
func TestCachedSignature(t *testing.T) {
	path := filepath.Join(t.TempDir(), "afterstate", "signature-1")
	computed := 0
	compute := func(context.Context) (string, error) {
		computed++
		return "0123456789abcdef", nil
	}
	ask := func(path string, want int) {
		t.Helper()
		if s, err := cached(t.Context(), path, compute); err != nil || s != "0123456789abcdef" || computed != want {
			t.Errorf("%q, %v, computed %d times, want %d", s, err, computed, want)
		}
	}
	ask(path, 1)
	ask(path, 1)
	for i, bad := range []string{"", "0"} {
		must.Do(t, os.WriteFile(path, []byte(bad), 0o644))
		ask(path, 2+i)
		ask(path, 2+i)
	}
	// If nothing can be stored it is computed every time.
	before := computed
	ask(filepath.Join(path, "no", "folder"), before+1)
	ask(filepath.Join(path, "no", "folder"), before+2)
	failed := errors.New("stopped")
	if _, err := cached(t.Context(), path+"2", func(context.Context) (string, error) { return "", failed }); !errors.Is(err, failed) {
		t.Error(err)
	}
}

// The assembly kernel and the reference in Go learn equally, and plain and coherent training
// differ.
func TestTrainingKernel(t *testing.T) {
	ctx := context.Background()
	var checks []uint32
	for _, coherent := range []bool{false, true} {
		quick := must.Get(fixedTraining(ctx, coherent, true))(t)
		plain, err := fixedTraining(ctx, coherent, false)
		if err != nil || plain != quick {
			t.Errorf("coherent %v: checksum %08x without machine code, %v; want %08x", coherent, plain, err, quick)
		}
		checks = append(checks, quick)
	}
	if checks[0] == checks[1] {
		t.Errorf("both kinds of training end with the checksum %08x", checks[0])
	}
}
