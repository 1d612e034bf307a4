// Package leaktest fails tests that leave goroutines behind. Package goleak waits for less than half a second
// until goroutines end, which a busy machine may exceed.
//
//	func TestMain(m *testing.M) { leaktest.Main(m) }
package leaktest

import (
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/afterstate2048/afterstate/internal/testcache"
)

// patience is how long goroutines may take to end.
const patience = time.Minute

// Main runs the tests with a cache folder of their own and exits, with status 1 if goroutines remain after
// tests that passed.
func Main(m *testing.M, options ...goleak.Option) {
	status := testcache.Run(m.Run)
	if status == 0 {
		if err := find(patience, options); err != nil {
			fmt.Fprintln(os.Stderr, err)
			status = 1
		}
	}
	os.Exit(status)
}

// None fails a test if goroutines remain.
func None(t testing.TB, options ...goleak.Option) {
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
