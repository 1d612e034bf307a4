package jetstream

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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
	stream, name, lane := q.c.names.chunks(), nuid.Next(), q.laneFor(c.Identity)
	now := &queued{chunk: c, lane: lane, subject: q.c.names.chunk(q.info.ID, lane, name)}
	q.mu.Lock()
	q.put[c.ID()] = now
	q.mu.Unlock()
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

// Collect implements arena.SchedulerQueue.
func (q *Queue) Collect(ctx context.Context) (d arena.Delivery, ack func(), err error) {
	for {
		if err := q.failed(); err != nil {
			return d, nil, err
		}
		if d, ok := q.sweep(ctx); ok {
			return d, func() {}, nil
		}
		m, err := q.next(ctx)
		if err != nil {
			return d, nil, err
		}
		if m == nil {
			continue // it is time to sweep
		}
		switch d, ok, err := q.read(ctx, m); {
		case err != nil: // the server is away: the message comes again
		case !ok:
			_ = m.Ack()
		default:
			q.mu.Lock()
			q.held[m] = true
			q.mu.Unlock()
			return d, func() {
				q.mu.Lock()
				delete(q.held, m)
				q.mu.Unlock()
				_ = m.Ack() // if it is lost, the delivery comes again
			}, nil
		}
	}
}

// Ready implements arena.SchedulerQueue.
func (q *Queue) Ready() bool { return len(q.incoming) > 0 }

// next waits for a message. It returns none when it is time to sweep.
func (q *Queue) next(ctx context.Context) (js.Msg, error) {
	if ctx.Err() == nil {
		select {
		case m := <-q.incoming:
			return m, nil
		case <-time.After(q.sweepEvery()):
			return nil, nil
		case <-q.background.Done():
			return nil, q.failed()
		case <-ctx.Done():
		}
	}
	// What exists is returned although ctx has ended: at least what has arrived here.
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	for late.Err() == nil {
		// In a cluster the consumer's server may not know yet what that of the stream has acknowledged to a worker.
		if n, err := q.c.count(late, q.c.names.results(), q.c.names.result(q.info.ID)); err == nil && n <= q.unacknowledged() {
			break
		}
		select {
		case m := <-q.incoming:
			return m, nil
		case <-time.After(50 * time.Millisecond):
		}
	}
	select {
	case m := <-q.incoming:
		return m, nil
	default:
		return nil, ctx.Err()
	}
}

// unacknowledged is the number of messages that Collect returned and that were not acknowledged.
func (q *Queue) unacknowledged() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.held)
}

// read turns a message into a delivery; ok is false if it is none.
func (q *Queue) read(ctx context.Context, m js.Msg) (d arena.Delivery, ok bool, err error) {
	if m.Subject() != q.c.names.result(q.info.ID) {
		return q.readLost(ctx, m.Data())
	}
	r, ok := q.decode(m.Data())
	if !ok {
		q.garbage.Add(1)
		return d, false, nil
	}
	d = r.Delivery
	if r.From != q.secret {
		d.Worker = publicID(r.From)
	}
	const maxText = 16 << 10
	d.Failed = d.Failed[:min(len(d.Failed), maxText)]
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.rejected[d.Worker] || d.Worker != "" && (r.Signature != q.info.Signature || r.Signature == "" && r.Version != q.info.Version) {
		if !d.Final() {
			return d, false, nil
		}
		d = arena.Delivery{Chunk: d.Chunk, Worker: d.Worker, Returned: true}
	}
	if d.Final() {
		delete(q.put, d.Chunk.ID())
	}
	return d, true, nil
}

// decode decodes a message; ok is false if it is no delivery of a chunk that the sender took. It decodes at most
// one game more than the chunk has, which the scheduler then rejects: a game takes a hundred times the memory of its
// shortest text.
func (q *Queue) decode(data []byte) (r resultMessage, ok bool) {
	message := struct {
		*resultMessage
		Games json.RawMessage `json:"games"` // hides those of resultMessage
	}{resultMessage: &r}
	if json.Unmarshal(data, &message) != nil || r.Chunk.Games < 1 || !validLease(q.key, q.info.ID, r.Lease, &r.Chunk) {
		return r, false
	}
	games := json.NewDecoder(bytes.NewReader(message.Games))
	if start, err := games.Token(); err != nil || start != json.Delim('[') {
		return r, message.Games == nil || string(message.Games) == "null"
	}
	for games.More() && len(r.Games) <= r.Chunk.Games {
		var g arena.Recorded
		if games.Decode(&g) != nil {
			return r, false
		}
		r.Games = append(r.Games, g)
	}
	return r, true
}

// decodeChunk decodes the message of a chunk; ok is false if no scheduler has sent it.
func (q *Queue) decodeChunk(data []byte) (c arena.Chunk, ok bool) {
	var m chunkMessage
	ok = json.Unmarshal(data, &m) == nil && validLease(q.key, q.info.ID, m.Lease, &m.Chunk)
	return m.Chunk, ok
}

// readLost reads the server's message that a chunk was handed out too often, and removes the chunk.
func (q *Queue) readLost(ctx context.Context, data []byte) (d arena.Delivery, ok bool, err error) {
	var advisory struct {
		Seq        uint64 `json:"stream_seq"`
		Deliveries int    `json:"deliveries"`
	}
	if json.Unmarshal(data, &advisory) != nil {
		return d, false, nil
	}
	err = q.c.retry(context.WithoutCancel(ctx), always, func(ctx context.Context) error {
		s, err := q.c.js.Stream(ctx, q.c.names.chunks())
		if err != nil {
			return err
		}
		m, err := s.GetMsg(ctx, advisory.Seq)
		if err == nil {
			var c arena.Chunk
			if c, ok = q.decodeChunk(m.Data); ok {
				d = lostDelivery(&c, advisory.Deliveries)
			}
			err = s.DeleteMsg(ctx, advisory.Seq)
		}
		if errors.Is(err, js.ErrMsgNotFound) {
			return nil // it was delivered late
		}
		return err
	})
	if ok {
		q.mu.Lock()
		delete(q.put, d.Chunk.ID())
		q.mu.Unlock()
	}
	return d, ok, err
}

func lostDelivery(c *arena.Chunk, times int) arena.Delivery {
	return arena.Delivery{Chunk: *c, Lost: true, Failed: fmt.Sprintf("%s: nothing more was heard of games %d to %d, %d times", c.Player, c.First, c.First+uint64(c.Games)-1, times)}
}

// sweepEvery is how often the queue looks for chunks of which nothing more will be heard.
func (q *Queue) sweepEvery() time.Duration {
	return min(max(q.c.o.Lease, 2*time.Second), 30*time.Second)
}

// sweep looks for a chunk that was put and of which nothing more will be heard: a worker acknowledged it and
// delivered nothing, or the server lost its last messages in a crash. It returns a delivery with which the chunk is
// planned again.
func (q *Queue) sweep(ctx context.Context) (d arena.Delivery, ok bool) {
	stored := q.toSweep()
	if ctx.Err() != nil || stored == nil {
		return d, false
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	subjects, err := q.c.subjects(ctx, q.c.names.chunks(), q.c.names.chunk(q.info.ID, "*", "*"))
	if err != nil {
		return d, false
	}
	ended, err := q.endedLanes(ctx)
	if err != nil {
		return d, false
	}
	// Whoever acknowledged a chunk that is missing now had stored its result before.
	results, err := q.results.Info(ctx)
	if err != nil || results.NumPending > 0 || results.NumAckPending > q.unacknowledged() {
		return d, false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for id, c := range stored {
		_, there := subjects[c.subject]
		if q.put[id] != c || there && !ended[c.lane] {
			continue
		}
		delete(q.put, id)
		q.sweepAt = time.Time{} // there may be more
		if there {              // the server's message about it was lost
			q.putting.Go(func() { _ = q.c.purge(q.background, q.c.names.chunks(), c.subject) })
			return lostDelivery(&c.chunk, q.c.o.MaxAttempts), true
		}
		return arena.Delivery{Chunk: c.chunk, Returned: true}, true
	}
	q.sweepAt = time.Now().Add(q.sweepEvery())
	return d, false
}

// toSweep returns the chunks that the server has stored and for which nothing final was collected, by ID; nil
// if there are none or the time to sweep has not come.
func (q *Queue) toSweep() map[string]*queued {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.put) == 0 || time.Now().Before(q.sweepAt) {
		return nil
	}
	q.sweepAt = time.Now().Add(2 * time.Second) // if results are waiting, which come first
	stored := maps.Clone(q.put)
	maps.DeleteFunc(stored, func(_ string, c *queued) bool { return !c.stored })
	return stored
}

// endedLanes returns the lanes whose chunks are handed out no more: each was handed out too often.
func (q *Queue) endedLanes(ctx context.Context) (map[string]bool, error) {
	ended := map[string]bool{}
	for name, lane := range q.consumers {
		// The server looks for chunks that were handed out too often only when it is asked for chunks: here by a
		// request that no chunk is small enough for.
		_, _ = lane.FetchBytes(1, js.FetchMaxWait(time.Second))
		info, err := lane.Info(ctx)
		if err != nil {
			return nil, err
		}
		ended[name] = info.NumPending == 0 && info.NumAckPending == 0 && info.NumRedelivered == 0
	}
	return ended, nil
}
