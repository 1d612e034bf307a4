// Package workers runs work on several goroutines, including the caller's, and waits for all of
// them. If one of them panics, the package panics in the caller's goroutine, with a [PanicError]
// that contains the stack of the goroutine that panicked. No other package passes panics between
// goroutines.
package workers

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/afterstate2048/afterstate/internal/memory"
)

// PanicError is the value of the panic in the caller's goroutine after another goroutine has
// panicked.
type PanicError struct {
	Value any
	Stack []byte
}

// Error returns the value and the stack, as the runtime prints them.
func (p *PanicError) Error() string { return fmt.Sprintf("%v\n\n%s", p.Value, p.Stack) }

// Unwrap returns the value if it is an error.
func (p *PanicError) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Run calls work(0) in the caller's goroutine and work(1) to work(n-1) in other goroutines. It
// returns when all have ended.
func Run(n int, work func(worker int)) { run(n, work, func() {}) }

// run does what Run does, and calls failed when a worker panics.
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
		defer func() { // wait also after a panic of work(0): the other workers use the caller's data
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

// Try does what Run does, for work that can fail. The first error or panic cancels the context of
// all workers. Try returns the first error, or the cause of ctx if ctx ended first. A read from a
// truncated mapped file is an error too; see [memory.CatchFaults].
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

// Signal wakes the receiver of a channel with a buffer of one value. It does nothing if the buffer already holds a
// signal.
func Signal(to chan<- struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}

// Each calls do for the items 0 to n-1, in order, on at most the given number of workers, until ctx
// ends or a call fails. It returns the same errors as Try.
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
