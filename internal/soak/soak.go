// Package soak says how much work tests do: little, so that the quick suite answers
// soon, or as much as SOAK and FULL ask for.
package soak

import (
	"os"
	"testing"
)

// Count is how often a test repeats what it does by chance: quick times, or long
// times where SOAK=1 is set.
func Count(quick, long int) int {
	if on("SOAK") {
		return long
	}
	return quick
}

// Wanted reports whether the full suite runs: FULL=1, as in make check, or SOAK=1.
func Wanted() bool { return on("FULL") || on("SOAK") }

// Full skips a test that is too slow for the quick suite. The reason names what the
// quick suite tests in its place.
func Full(t testing.TB, reason string) {
	t.Helper()
	if !Wanted() {
		t.Skipf("only in make check (FULL=1): %s", reason)
	}
}

func on(name string) bool { return os.Getenv(name) == "1" }
