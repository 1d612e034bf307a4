package session

import (
	"context"
	"sync/atomic"
	"time"

	"afterstate/wire"
)

// searchLimiter limits the searches of the whole host: some run at once, some wait. Limits for
// each client are in package serve (quota.go).
type searchLimiter struct {
	places  chan struct{}
	waiting atomic.Int64
	inOrder atomic.Int64 // those that wait for as long as it takes; see wait
}

const (
	mostWaiting = 64
	patience    = 5 * time.Second
)

func newSearchLimiter(n int) *searchLimiter { return &searchLimiter{places: make(chan struct{}, n)} }

// wait waits for a place until ctx ends. It is for those who ask for one thing at a time, so
// that their number is bounded already.
func (s *searchLimiter) wait(ctx context.Context) error {
	s.inOrder.Add(1)
	defer s.inOrder.Add(-1)
	select {
	case s.places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// take waits for a place, but not for long. The error is a *wire.Error, or that of ctx.
func (s *searchLimiter) take(ctx context.Context) error {
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

func (s *searchLimiter) leave() { <-s.places }

// gate is the places of watched games that compute: as many as searches have, apart from
// those, so that games that play for hours hold up no search.
type gate chan struct{}

func (g gate) Enter(ctx context.Context) error {
	select {
	case g <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g gate) Leave() { <-g }
