// Package soak decides which tests run in each of the three test suites, and how much they do.
//
//   - make test is the quick suite. It covers what an ordinary change can break. Its tests stay in
//     their process: they start no broker, start no child program if they can call its functions, and do not copy the
//     repository. A sweep tries a few sizes or players.
//   - make check sets FULL=1 and is the full suite. It also runs the tests that call [Full], and the larger parts that
//     tests select with [Pick].
//   - make soak also sets SOAK=1, for the long counts of randomized tests ([Count]).
//
// For each test that calls [Full], the quick suite needs a cheaper test of the same code. The
// reason given to Full names that test.
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

// Pick returns quick in the quick suite and full in the full suite: numbers of repetitions, or the
// boards or sizes of a sweep.
func Pick[T any](quick, full T) T {
	if Wanted() {
		return full
	}
	return quick
}

// Full skips a test that does not belong to the quick suite. The reason says why, and names the quick test that covers
// the same code.
func Full(t testing.TB, reason string) {
	t.Helper()
	if !Wanted() {
		t.Skipf("only in make check (FULL=1): %s", reason)
	}
}

func on(name string) bool { return os.Getenv(name) == "1" }
