package serve

import (
	"context"
	"sync/atomic"
	"time"

	"afterstate/wire"
)

// slots are the places for searches: a few at once, and some that wait.
type slots struct {
	places  chan struct{}
	waiting atomic.Int64
}

const (
	mostWaiting = 64
	patience    = 5 * time.Second
)

func newSlots(n int) *slots { return &slots{places: make(chan struct{}, n)} }

// take waits for a place. The error is a *wire.Error, or that of ctx.
func (s *slots) take(ctx context.Context) error {
	select {
	case s.places <- struct{}{}:
		return nil
	default:
	}
	if s.waiting.Add(1) > mostWaiting {
		s.waiting.Add(-1)
		return wire.Errorf(wire.CodeBusy, "%d searches are waiting already: want you to ask again later", mostWaiting)
	}
	defer s.waiting.Add(-1)
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case s.places <- struct{}{}:
		return nil
	case <-late.C:
		return wire.Errorf(wire.CodeBusy, "no search ended within %v: want you to ask again later", patience)
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *slots) leave() { <-s.places }
