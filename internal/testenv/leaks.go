package testenv

import (
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// patience is how long goroutines may take to end. goleak waits for less than half a second, which
// is too short on a busy machine.
const patience = time.Minute

// Main runs the tests with a temporary cache folder (see [Run]) and exits. The status is 1 if
// goroutines remain after the tests have passed.
func Main(m *testing.M, options ...goleak.Option) {
	status := Run(m.Run)
	if status == 0 {
		if err := find(patience, options); err != nil {
			fmt.Fprintln(os.Stderr, err)
			status = 1
		}
	}
	os.Exit(status)
}

// NoLeaks fails a test if goroutines remain.
func NoLeaks(t testing.TB, options ...goleak.Option) {
	t.Helper()
	if err := find(patience, options); err != nil {
		t.Error(err)
	}
}

// find waits until no goroutines remain, at most for the time patience, and returns an error that
// lists the remaining ones.
func find(patience time.Duration, options []goleak.Option) (err error) {
	for end := time.Now().Add(patience); ; {
		if err = goleak.Find(options...); err == nil || time.Now().After(end) {
			return err
		}
	}
}
