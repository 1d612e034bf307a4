package search

import (
	"sync/atomic"
	"testing"
)

// A panic of a helper or of the caller's part reaches the caller after all have ended.
func TestTogether(t *testing.T) {
	const bad = 3
	for _, guilty := range []int{-1, bad, 100} {
		var done atomic.Int64
		part := func(i int) {
			defer done.Add(1)
			if i == guilty {
				panic("lost its mind")
			}
		}
		var caught any
		func() {
			defer func() { caught = recover() }()
			runParallel([]int{0, 1, 2, bad, 4}, part, func() { part(100) })
		}()
		if done.Load() != 6 || (caught != nil) != (guilty >= 0) {
			t.Errorf("with a panic in part %d: %d parts ended, caught %v", guilty, done.Load(), caught)
		}
	}
}
