package jetstream

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"
)

// Chunks of games that a worker has failed at are planned again by arena.Scheduler (experiment/arena/failures.go).

// retryEvery is how often a lost or missing server is tried again.
const retryEvery = 500 * time.Millisecond

// retry calls do until it succeeds or again is false for its error, until ctx ends or the connection has ended for good.
// do ends within seconds.
func (c *Client) retry(ctx context.Context, again func(error) bool, do func(ctx context.Context) error) error {
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, retryEvery) {
		err := do(ctx)
		if err == nil || !again(err) || ctx.Err() != nil {
			return err
		}
		if closed := c.closedError(); closed != nil {
			return closed
		}
		if !wait(ctx, pause) {
			return err
		}
	}
}

// permitted is retry, except that what the server does not permit is an ErrDenied at once.
func (c *Client) permitted(ctx context.Context, again func(error) bool, do func(ctx context.Context) error) error {
	asked, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.denied, cancel)()
	err := c.retry(asked, again, do)
	if err != nil && ctx.Err() == nil && asked.Err() != nil {
		return ErrDenied
	}
	return err
}

// patiently is permitted for half a minute while the server does not answer: a cluster may be choosing its leaders.
func (c *Client) patiently(ctx context.Context, do func(ctx context.Context) error) error {
	const patience, unavailable = 30 * time.Second, 503
	end := time.Now().Add(patience)
	return c.permitted(ctx, func(err error) bool {
		var api *js.APIError
		transient := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, js.ErrNoStreamResponse) ||
			errors.As(err, &api) && api.Code == unavailable
		return transient && time.Now().Before(end)
	}, do)
}

// always is for retry, where every error may pass.
func always(error) bool { return true }

// wait reports false if ctx ends before d has passed.
func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}
