package jetstream

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"

	"github.com/afterstate2048/afterstate/internal/numfmt"
)

const (
	guardEvery = 2 * time.Second
	// crowd is the number of results from which on the stream is crowded, whatever their size.
	crowd = 1 << 17
	// refusedFor is how long the server may store nothing before that is reported: the leader of a cluster's
	// stream may change.
	refusedFor = 2 * time.Second
)

// guard purges the stream of results while it fills, and reports a full stream. It returns when the connection is closed.
func (c *Client) guard() {
	n := notice{c: c}
	for more := true; more; more = wait(c.life, guardEvery) {
		ctx, cancel := context.WithTimeout(c.life, confirmTimeout)
		full, err := c.makeRoom(ctx)
		cancel()
		if err == nil {
			n.update(full)
		}
	}
}

// makeRoom removes results that no scheduler waits for from a crowded stream: workers may deliver for experiments
// that do not exist, and for those that are stopped, whose schedulers plan the games again. It returns why the
// stream is full if it still is.
//
// Whatever is older than the first result that a scheduler waits for goes at once: there may be millions of
// subjects.
func (c *Client) makeRoom(ctx context.Context) (full, err error) {
	n := c.names
	s, err := c.js.Stream(ctx, n.results())
	if err != nil {
		return nil, err
	}
	state, room := s.CachedInfo().State, uint64(s.CachedInfo().Config.MaxBytes)
	if state.Bytes <= room/4 && state.Msgs <= crowd {
		return nil, nil
	}
	owners, err := c.subjects(ctx, n.state(), n.owner("*")) // those of later results may be missing
	if err != nil {
		return nil, err
	}
	lost, err := c.subjects(ctx, n.results(), n.lost("*"))
	if err != nil {
		return nil, err
	}
	first := state.LastSeq + 1
	for owner := range owners {
		id := lastToken(owner)
		subjects := []string{n.result(id)}
		for subject := range lost {
			if strings.HasPrefix(lastToken(subject), id+"-") {
				subjects = append(subjects, subject)
			}
		}
		for _, subject := range subjects {
			switch m, err := s.GetMsg(ctx, 1, js.WithGetMsgSubject(subject)); {
			case err == nil:
				first = min(first, m.Sequence)
			case !errors.Is(err, js.ErrMsgNotFound):
				return nil, err
			}
		}
	}
	if first > state.FirstSeq {
		if err := s.Purge(ctx, js.WithPurgeSequence(first)); err != nil {
			return nil, err
		}
	}
	info, err := s.Info(ctx)
	if err == nil && info.State.Bytes > room-room/16 {
		full = fmt.Errorf("stream %s is full: %s MB of results wait for the schedulers of %s", n.results(),
			numfmt.Int(int64(info.State.Bytes/1e6)), numfmt.Count(len(owners), "experiment", "experiments"))
	}
	return full, err
}

// persist is retry for a message that the server is to store. It reports when the server refuses that. Only its
// answers count: the loss of the connection is reported by Options.OnState.
func (c *Client) persist(ctx context.Context, stream string, do func(ctx context.Context) error) error {
	n := notice{c: c}
	defer n.update(nil)
	return c.retry(ctx, func(err error) bool {
		var api *js.APIError
		if errors.As(err, &api) {
			err = errors.New(api.Description)
		} else if !errors.Is(err, js.ErrNoStreamResponse) {
			return !errors.Is(err, nats.ErrMaxPayload) // the server was restarted with less
		}
		n.update(fmt.Errorf("stream %s: %w", stream, err))
		return true
	}, do)
}

// notice is something that the server does not store.
type notice struct {
	c     *Client
	since time.Time // zero: it is stored
	given bool      // to Client.report
}

// update notes that it is stored (nil), or why not. That is reported after refusedFor.
func (n *notice) update(err error) {
	switch {
	case err == nil:
		if n.given {
			n.c.report(nil)
		}
		*n = notice{c: n.c}
	case n.since.IsZero():
		n.since = time.Now()
	case !n.given && time.Since(n.since) >= refusedFor:
		n.given = true
		n.c.report(err)
	}
}

// report counts what the server refuses to store: err is why, or nil when it stores one of them. The first and the
// last one are passed on.
func (c *Client) report(err error) {
	c.reporting.Lock()
	defer c.reporting.Unlock()
	before, text := c.refusals, fmt.Sprintf("%s stores no more games (%v); trying again", c.o.URL, err)
	if c.refusals++; err == nil {
		c.refusals, text = before-1, c.o.URL+" stores games again"
	}
	if min(before, c.refusals) == 0 {
		c.o.OnNotice(text)
	}
}
