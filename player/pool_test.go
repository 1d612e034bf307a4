package player

import (
	"context"
	"runtime"
	"testing"

	"github.com/afterstate2048/afterstate/search"
)

// closing is a player that records whether it is closed.
type closing struct{ closed chan struct{} }

func (c closing) Start(_, _ uint64) {}

func (c closing) Decide(context.Context, search.Query) (Decision, error) { return Decision{}, nil }

func (c closing) Close() error {
	close(c.closed)
	return nil
}

// TestPoolWaits closes a pool while a worker holds one of its players: that one is closed once
// the worker is done.
func TestPoolWaits(t *testing.T) {
	var pool Pool
	idle, busy := closing{make(chan struct{})}, closing{make(chan struct{})}
	pool.Add(idle)
	held := pool.Add(busy)
	held.Lock()
	done := make(chan struct{})
	go func() {
		pool.Close()
		close(done)
	}()
	<-idle.closed
	for range 1000 {
		runtime.Gosched() // Close would reach the busy player now if it did not wait
	}
	select {
	case <-busy.closed:
		t.Error("a player is closed while its worker uses it")
	default:
	}
	held.Unlock()
	<-done
	<-busy.closed
}
