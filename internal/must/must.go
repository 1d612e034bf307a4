// Package must ends a test at a call that fails, and compares results with golden files.
//
//	b := must.Get(board.Parse("2,0/0,4"))(t)
//	must.Do(t, os.Remove(path))
//	must.Equal(t, b.Empty(), 2, "empty cells")
//	must.Golden(t, "testdata/report.txt", got) // UPDATE=1 go test rewrites the file
package must

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// T is a *testing.T, a *testing.B or the T of a property-based test, *rapid.T.
type T interface {
	Helper()
	Fatal(args ...any)
	Errorf(format string, args ...any)
}

// Get returns a function that returns the value of a call, or ends the test with the call's error.
func Get[V any](value V, err error) func(t T) V {
	return func(t T) V {
		t.Helper()
		Do(t, err)
		return value
	}
}

// Do ends a test if a call returned an error.
func Do(t T, err error) {
	if t.Helper(); err != nil {
		t.Fatal(err)
	}
}

// Equal marks the test as failed if got differs from want, and lets it continue. what describes got in the message.
func Equal[V comparable](t T, got, want V, what ...any) {
	if t.Helper(); got != want {
		t.Errorf("%v: %v, want %v", what, got, want)
	}
}

// Contains marks the test as failed if a text lacks a part, and lets it continue. what describes text in the message.
func Contains(t T, text, part string, what ...any) {
	if t.Helper(); !strings.Contains(text, part) {
		t.Errorf("%v: no %q in %s", what, part, text)
	}
}

// Updating reports whether golden files are to be rewritten: it is true with "UPDATE=1 go test".
func Updating() bool { return os.Getenv("UPDATE") != "" }

// Golden compares a result with a golden file. If Updating returns true, it first rewrites the
// file.
func Golden(t testing.TB, path string, got []byte) {
	t.Helper()
	if Updating() {
		Do(t, os.WriteFile(path, got, 0o644))
	}
	if diff := cmp.Diff(string(Get(os.ReadFile(path))(t)), string(got)); diff != "" {
		t.Errorf("%s (-want +got; UPDATE=1 go test rewrites it):\n%s", path, diff)
	}
}
