package testenv

import (
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// patience is how long goroutines may take to end. goleak waits for less than half a second, which a busy machine may
// exceed.
const patience = time.Minute

// Main runs the tests with a cache folder of their own and exits, with status 1 if goroutines remain after
// tests that passed.
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

// find waits until no goroutines remain, or for a time, and returns an error that lists the rest.
func find(patience time.Duration, options []goleak.Option) (err error) {
	for end := time.Now().Add(patience); ; {
		if err = goleak.Find(options...); err == nil || time.Now().After(end) {
			return err
		}
	}
}
