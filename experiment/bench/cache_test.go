package bench

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A signature is computed once; a damaged entry, or one of another build, is computed again.
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
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, bad := range []string{"", "0", string(good[:20]), strings.Replace(string(good), "0123", "0124", 1), string(good) + "x", "\x00\xff"} {
		if err := os.WriteFile(path, []byte(bad), 0o644); err != nil {
			t.Fatal(err)
		}
		ask(path, 2+i)
		ask(path, 2+i)
	}
	other := filepath.Join(filepath.Dir(path), "signature-2")
	if err := os.Rename(path, other); err != nil {
		t.Fatal(err)
	}
	ask(other, computed+1)
	// If nothing can be stored it is computed every time.
	before := computed
	ask(filepath.Join(other, "no", "folder"), before+1)
	ask(filepath.Join(other, "no", "folder"), before+2)
	failed := errors.New("stopped")
	if _, err := cached(t.Context(), path, func(context.Context) (string, error) { return "", failed }); !errors.Is(err, failed) {
		t.Error(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a signature that was not computed is kept")
	}
}

// The running build is identified by its contents.
func TestExecutableHash(t *testing.T) {
	a, err := executableHash()
	if b, _ := executableHash(); err != nil || a != b || len(a) != 32 {
		t.Errorf("%q, %q, %v", a, b, err)
	}
}
