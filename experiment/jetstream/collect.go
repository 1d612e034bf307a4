package jetstream

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
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
			continue
		}
		d, ok, err := q.read(ctx, m)
		if err != nil {
			continue // the server is away: the message comes again
		}
		if !ok {
			_ = m.Ack()
			continue
		}
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

// Ready implements arena.SchedulerQueue.
func (q *Queue) Ready() bool { return len(q.incoming) > 0 }

// next waits for a message. It returns none when it is time to sweep.
func (q *Queue) next(ctx context.Context) (js.Msg, error) {
	if ctx.Err() == nil {
		sweep := time.NewTimer(q.sweepEvery())
		defer sweep.Stop()
		select {
		case m := <-q.incoming:
			return m, nil
		case <-sweep.C:
			return nil, nil
		case <-q.background.Done():
			return nil, q.failed()
		case <-ctx.Done():
		}
	}
	// What exists is returned although ctx has ended.
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	for late.Err() == nil {
		// In a cluster the consumer's server may not know yet what that of the stream has acknowledged to a worker.
		if n, err := q.c.count(late, q.c.names.results(), q.c.names.result(q.info.ID)); err == nil && n <= q.unacknowledged() {
			break
		}
		const soon = 50 * time.Millisecond
		select {
		case m := <-q.incoming:
			return m, nil
		case <-time.After(soon):
		}
	}
	return nil, ctx.Err()
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

// sweepEvery is how often the queue looks for chunks that nothing will be heard of.
func (q *Queue) sweepEvery() time.Duration {
	return min(max(q.c.o.Lease, 2*time.Second), 30*time.Second)
}

// sweepAgain is when the queue looks again after results were waiting, which comes first.
const sweepAgain = 2 * time.Second

// sweep returns a chunk that was put and has vanished without a result: a worker acknowledged it and
// delivered nothing, or the server lost its last messages in a crash. It is planned again.
func (q *Queue) sweep(ctx context.Context) (d arena.Delivery, ok bool) {
	q.mu.Lock()
	due := time.Since(q.swept) > q.sweepEvery() && time.Since(q.tried) > sweepAgain && len(q.put) > 0 && ctx.Err() == nil
	tracked := map[string]*queued{}
	if due {
		q.tried = time.Now()
		for id, c := range q.put {
			if c.stored {
				tracked[id] = c
			}
		}
	}
	q.mu.Unlock()
	if !due {
		return d, false
	}
	short, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	subjects, err := q.c.subjects(short, q.c.names.chunks(), q.c.names.chunk(q.info.ID, "*", "*"))
	if err != nil {
		return d, false
	}
	stuck := map[string]bool{} // lanes
	for name, lane := range q.consumers {
		// The server looks for chunks that were handed out too often only when it is asked for chunks: here by a
		// request that no chunk is small enough for.
		_, _ = lane.FetchBytes(1, js.FetchMaxWait(time.Second))
		info, err := lane.Info(short)
		if err != nil {
			return d, false
		}
		stuck[name] = info.NumPending == 0 && info.NumAckPending == 0 && info.NumRedelivered == 0
	}
	// Whoever acknowledged a chunk that is missing now had stored its result before.
	results, err := q.results.Info(short)
	if err != nil || results.NumPending > 0 || results.NumAckPending > q.unacknowledged() {
		return d, false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for id, c := range tracked {
		_, there := subjects[c.subject]
		if q.put[id] != c || there && !stuck[c.lane] {
			continue
		}
		q.tried = time.Time{} // there may be more
		delete(q.put, id)
		if there { // the server's message about it was lost
			q.putting.Go(func() { _ = q.c.purge(q.background, q.c.names.chunks(), c.subject) })
			return lostDelivery(&c.chunk, q.c.o.MaxAttempts), true
		}
		return arena.Delivery{Chunk: c.chunk, Returned: true}, true
	}
	q.swept = time.Now()
	return d, false
}
