package machines

import (
	"context"
	"errors"
	"fmt"
	"time"

	js "github.com/nats-io/nats.go/jetstream"
)

const (
	// retryEvery is how often a lost or missing server is tried again.
	retryEvery = 500 * time.Millisecond
	// requestTimeout limits one try.
	requestTimeout = 5 * time.Second
	// lastWord limits what a scheduler or worker says when it ends. What it does not say expires.
	lastWord = time.Second
	// refusedFor is how long the server may store nothing before that is reported.
	refusedFor = 2 * time.Second
)

// retry calls do until it succeeds, ctx ends or the connection has ended for good. Streams that are missing are created
// again: the server may have lost its disk. Options.OnNotice learns what the server refuses.
func (c *Client) retry(ctx context.Context, do func(ctx context.Context) error) error {
	began, reported := time.Now(), false
	for {
		short, cancel := context.WithTimeout(ctx, requestTimeout)
		err := do(short)
		cancel()
		switch {
		case err == nil && reported:
			c.o.OnNotice(c.o.URL + " stores games again")
			return nil
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case c.closedError() != nil:
			return c.closedError()
		}
		var api *js.APIError
		if errors.As(err, &api) && !reported && time.Since(began) > refusedFor {
			reported = true
			c.o.OnNotice(fmt.Sprintf("%s stores no more games (%s); trying again", c.o.URL, api.Description))
		}
		if !wait(ctx, retryEvery) {
			return ctx.Err()
		}
		short, cancel = context.WithTimeout(ctx, requestTimeout)
		_ = c.Prepare(short) // or the next try fails too
		cancel()
	}
}

// wait reports false if ctx ends before d has passed.
func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}
