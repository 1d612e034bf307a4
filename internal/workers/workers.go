// Package workers runs work on several goroutines, the caller's own among them, and waits for all. It is the one place
// where a panic passes from goroutine to goroutine: it is raised again in the caller's, as a [PanicError] with the
// stack of the goroutine where it happened.
package workers

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/afterstate2048/afterstate/internal/memory"
)

// PanicError is what a panic of another goroutine is raised as in the caller's.
type PanicError struct {
	Value any
	Stack []byte
}

// Error is the value and the stack, as the runtime prints them.
func (p *PanicError) Error() string { return fmt.Sprintf("%v\n\n%s", p.Value, p.Stack) }

// Unwrap returns the value if it is an error.
func (p *PanicError) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Run calls work once for each number below n, that of 0 in the caller's goroutine, and returns when all have
// ended.
func Run(n int, work func(worker int)) { run(n, work, func() {}) }

// run is Run; failed is called when a worker panics.
func run(n int, work func(worker int), failed func()) {
	var others sync.WaitGroup
	var first atomic.Pointer[PanicError]
	for worker := 1; worker < n; worker++ {
		others.Go(func() {
			memory.PanicOnFaults()
			defer func() {
				if p := recover(); p != nil {
					first.CompareAndSwap(nil, &PanicError{p, debug.Stack()})
					failed()
				}
			}()
			work(worker)
		})
	}
	func() {
		finished := false
		defer func() { // also when its own work panics, since the others use the caller's data
			if !finished {
				failed()
			}
			others.Wait()
		}()
		if n > 0 {
			work(0)
		}
		finished = true
	}()
	if p := first.Load(); p != nil {
		panic(p)
	}
}

// Try is Run for work that may fail: the first error, or a panic, ends the context of all. It returns that error, or
// that of ctx.
func Try(ctx context.Context, n int, work func(ctx context.Context, worker int) error) (err error) {
	defer memory.CatchFaults(&err)()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	run(n, func(worker int) {
		if err := work(ctx, worker); err != nil {
			stop(err)
		}
	}, func() { stop(context.Canceled) })
	return context.Cause(ctx)
}

// Each calls do for the items below n, in their order, on at most as many workers, until ctx ends or one fails. It
// returns as Try does.
func Each(ctx context.Context, workers, n int, do func(ctx context.Context, worker, item int) error) error {
	var next atomic.Int64
	return Try(ctx, min(workers, n), func(ctx context.Context, worker int) error {
		for item := int(next.Add(1)) - 1; item < n && ctx.Err() == nil; item = int(next.Add(1)) - 1 {
			if err := do(ctx, worker, item); err != nil {
				return err
			}
		}
		return nil
	})
}
