package jetstream

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	js "github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"github.com/afterstate2048/afterstate/experiment/arena"
)

// queued is a chunk that was put; stored is set when the server has it.
type queued struct {
	chunk   arena.Chunk
	lane    string
	subject string
	stored  bool
}

// confirmTimeout is how long the server may take to confirm a message that was sent by PublishAsync.
const confirmTimeout = 5 * time.Second

// Put implements arena.SchedulerQueue. Chunks are sent in this order, several before the server has
// confirmed the first one, so that the way to the server does not limit their number. It blocks while the
// server is away or full. After Close it returns ErrClosed.
func (q *Queue) Put(ctx context.Context, c arena.Chunk) error {
	data, err := json.Marshal(chunkMessage{c, newLease(q.key, q.info.ID, &c)})
	if err != nil {
		return err
	}
	if len(data)+1024 > smallSize {
		return fmt.Errorf("%s: a player's spec has at most %d bytes here", c.Player, smallSize-2048)
	}
	if err := cmp.Or(q.failed(), ctx.Err()); err != nil || q.isPut(c.ID()) {
		return err
	}
	select {
	case q.puts <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	case <-q.background.Done():
		return q.failed()
	}
	name, lane := nuid.Next(), q.laneFor(c.Identity)
	now := &queued{chunk: c, lane: lane, subject: q.c.names.chunk(q.info.ID, lane, name)}
	q.mu.Lock()
	q.put[c.ID()] = now
	q.mu.Unlock()
	stream := q.c.names.chunks()
	send := func() (js.PubAckFuture, error) {
		return q.c.js.PublishAsync(now.subject, data, js.WithMsgID(name), js.WithExpectStream(stream))
	}
	sent, err := send()
	q.putting.Go(func() {
		defer func() { <-q.puts }()
		failed := q.c.persist(q.background, stream, func(ctx context.Context) error {
			if sent == nil {
				sent, err = send()
			}
			if err != nil {
				return err
			}
			future := sent
			sent = nil
			select {
			case <-future.Ok():
				return nil
			case err := <-future.Err():
				return err
			case <-ctx.Done():
				return ctx.Err()
			}
		})
		q.mu.Lock()
		defer q.mu.Unlock()
		now.stored = failed == nil
	})
	return nil
}

func (q *Queue) isPut(id string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.put[id] != nil
}

// settled waits until the server has all chunks that were put, or ctx ends.
func (q *Queue) settled(ctx context.Context) {
	for len(q.puts) > 0 && wait(ctx, 10*time.Millisecond) {
	}
}
