// Package soak scales the amount of work of tests: little in the quick suite, more with FULL=1 or
// SOAK=1.
package soak

import (
	"os"
	"testing"
)

// Count returns the number of repetitions of a randomized test: quick, or long if SOAK=1 is set.
func Count(quick, long int) int {
	if on("SOAK") {
		return long
	}
	return quick
}

// Wanted reports whether the full suite runs: FULL=1, as in make check, or SOAK=1.
func Wanted() bool { return on("FULL") || on("SOAK") }

// Pick returns quick in the quick suite and full in the full one: numbers of repetitions, boards or sizes of a sweep.
func Pick[T any](quick, full T) T {
	if Wanted() {
		return full
	}
	return quick
}

// Full skips a test that is too slow for the quick suite. The reason names the quick test that
// covers it.
func Full(t testing.TB, reason string) {
	t.Helper()
	if !Wanted() {
		t.Skipf("only in make check (FULL=1): %s", reason)
	}
}

func on(name string) bool { return os.Getenv(name) == "1" }
