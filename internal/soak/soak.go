// Package soak decides which tests run, and how much they do, in the three suites.
//
//   - make test is the quick suite: what an ordinary change can break. Its tests run in their own process: without a
//     broker, without child programs where the function can be called, without copies of the repository. A sweep tries a
//     few sizes or players.
//   - make check sets FULL=1 and has everything else: [Full] moves a test there, [Pick] a part of one.
//   - make soak sets SOAK=1 too: the long counts of randomized tests ([Count]).
//
// A test that moves leaves something cheaper in the quick suite, which its reason names.
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

// Full skips a test that does not belong to the quick suite. The reason says why, and names the quick test that covers
// the same code.
func Full(t testing.TB, reason string) {
	t.Helper()
	if !Wanted() {
		t.Skipf("only in make check (FULL=1): %s", reason)
	}
}

func on(name string) bool { return os.Getenv(name) == "1" }
