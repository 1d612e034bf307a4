package testenv

import (
	"runtime"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/internal/soak"
)

// Hang is how long a test waits for an event before it fails: far longer than the event takes on a
// slow and busy machine. It is longer in the full suite, whose tests wait for complete experiments
// played by several processes.
var Hang = soak.Pick(time.Minute, 4*time.Minute)

// WaitFor waits until ready returns true. After Hang the test fails with the stacks of all goroutines.
func WaitFor(t testing.TB, ready func() bool) {
	t.Helper()
	for deadline := time.Now().Add(Hang); !ready(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("timed out; the goroutines are\n%s", Stacks())
		}
	}
}

// Stacks returns the stacks of all goroutines.
func Stacks() string {
	text := make([]byte, 1<<20)
	return string(text[:runtime.Stack(text, true)])
}
