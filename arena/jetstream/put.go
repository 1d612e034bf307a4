package jetstream

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"afterstate/arena"
)

// Put implements arena.SchedulerQueue. Chunks are sent in this order, several before the server has
// confirmed the first one, so that the way to the server does not limit their number. It blocks while the
// server is away or full. After Close it returns ErrClosed.
func (q *Queue) Put(ctx context.Context, c arena.Chunk) error {
	id := c.ID()
	data, err := json.Marshal(chunkMessage{c, newLease(q.key, q.info.ID, &c)})
	if err != nil {
		return err
	}
	if len(data)+1024 > smallSize {
		return fmt.Errorf("%s: a player's spec has at most %d bytes here", c.Player, smallSize-2048)
	}
	select {
	case q.puts <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	case <-q.c.closed:
		return q.c.closedError()
	case <-q.closed:
		return ErrClosed
	}
	if err := cmp.Or(q.failed(), q.isClosed(), ctx.Err()); err != nil { // select takes any case that is ready
		<-q.puts
		return err
	}
	q.mu.Lock()
	over := q.over[id]
	delete(q.over, id)
	now := &queued{chunk: c, lane: q.laneFor(c.Identity)}
	q.put[id] = now
	q.mu.Unlock()
	m := &nats.Msg{Subject: q.c.names.chunk(q.info.ID, now.lane, id), Data: data, Header: nats.Header{}}
	m.Header.Set(js.MsgIDHeader, nuid.Next()) // the same in every attempt, also after a worker has removed it
	var sent js.PubAckFuture                  // nil: not sent
	if !over {
		sent, _ = q.c.js.PublishMsgAsync(m, js.WithExpectStream(q.c.names.chunks()))
	}
	q.putting.Go(func() {
		defer func() { <-q.puts }()
		if sent != nil && confirmed(q.background, sent) || q.publish(q.background, m, over) == nil {
			q.mu.Lock()
			now.stored = true
			q.mu.Unlock()
		}
	})
	return nil
}

// isClosed returns ErrClosed after Close.
func (q *Queue) isClosed() error {
	select {
	case <-q.closed:
		return ErrClosed
	default:
		return nil
	}
}

// confirmTimeout is how long the server may take to confirm a message that was sent by PublishMsgAsync.
const confirmTimeout = 5 * time.Second

// confirmed reports whether the server has stored a chunk that was sent.
func confirmed(ctx context.Context, sent js.PubAckFuture) bool {
	select {
	case <-sent.Ok():
		return true
	case err := <-sent.Err():
		return isQueued(err)
	case <-ctx.Done():
		return false
	}
}

// publish tries until the server has stored a chunk. With over it first removes the former chunk with this
// subject, which a worker delivered but may not have removed yet.
func (q *Queue) publish(ctx context.Context, m *nats.Msg, over bool) error {
	return q.c.persist(ctx, q.c.names.chunks(), func(ctx context.Context) error {
		if over {
			s, err := q.c.js.Stream(ctx, q.c.names.chunks())
			if err == nil {
				err = s.Purge(ctx, js.WithPurgeSubject(m.Subject))
			}
			if err != nil {
				return err
			}
			over = false
		}
		_, err := q.c.js.PublishMsg(ctx, m, js.WithExpectStream(q.c.names.chunks()))
		if isQueued(err) {
			return nil
		}
		return err
	})
}

// isQueued reports whether a chunk was not stored because an equal one is there.
func isQueued(err error) bool {
	return err != nil && strings.Contains(err.Error(), "maximum messages per subject exceeded")
}

// settled waits until the server has all chunks that were put, or ctx ends.
func (q *Queue) settled(ctx context.Context) {
	done := make(chan struct{})
	go func() {
		q.putting.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}
