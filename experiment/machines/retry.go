package machines

import (
	"context"
	"errors"
	"fmt"
	"time"

	js "github.com/nats-io/nats.go/jetstream"
)

const (
	// retryEvery is the pause between two attempts to reach a server.
	retryEvery = 500 * time.Millisecond
	// requestTimeout limits one attempt.
	requestTimeout = 5 * time.Second
	// lastWord limits how long a scheduler or worker that is stopping takes to remove its entry. If it
	// cannot, the entry expires.
	lastWord = time.Second
	// refusedFor is how long the server may refuse to store data before Options.OnNotice is called.
	refusedFor = 2 * time.Second
)

// retry calls do until it succeeds, ctx ends or the connection has ended for good. It recreates missing
// streams, since the server may have lost its disk. It calls Options.OnNotice if the server refuses to store
// data.
func (c *Client) retry(ctx context.Context, do func(ctx context.Context) error) error {
	began, reported := time.Now(), false
	for {
		short, cancel := context.WithTimeout(ctx, requestTimeout)
		err := do(short)
		cancel()
		switch {
		case err == nil && reported:
			c.o.OnNotice(c.o.URL + " stores data again")
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
			c.o.OnNotice(fmt.Sprintf("%s stores no more data (%s); trying again", c.o.URL, api.Description))
		}
		if !wait(ctx, retryEvery) {
			return ctx.Err()
		}
		short, cancel = context.WithTimeout(ctx, requestTimeout)
		_ = c.Prepare(short) // on failure, the next attempt fails too
		cancel()
	}
}

// wait waits for the duration d. It returns false if ctx ends earlier.
func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}
