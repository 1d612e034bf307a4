package jetstream

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"github.com/afterstate2048/afterstate/experiment/arena"
)

// Deliver implements arena.WorkerQueue. It tries again until the server has stored the delivery or
// ctx ends. Games of a chunk that was not taken here are an error.
func (w *Worker) Deliver(ctx context.Context, d arena.Delivery) error {
	w.mu.Lock()
	l, rejected := w.held[d.Chunk.ID()], w.rejected
	w.mu.Unlock()
	switch {
	case rejected != nil:
		return rejected
	case l == nil:
		return fmt.Errorf("%s, games %d to %d: this chunk was not taken here", d.Chunk.Player, d.Chunk.First, d.Chunk.First+uint64(d.Chunk.Games)-1)
	case len(d.Games) == 0 && !d.Final():
		return w.alive(l)
	}
	if d.Unable && !w.local {
		w.refuse(&l.lane, d.Failed)
		d.Returned, d.Failed = true, ""
	}
	if err := w.publish(ctx, l, &d); err != nil {
		return err
	}
	w.count(l, &d)
	if d.Final() {
		w.acknowledge(ctx, l)
	}
	return nil
}

// refuse takes no more chunks of a lane for a while. In the common lane that concerns all its players: those that a
// worker may lack something for are not in it.
func (w *Worker) refuse(lane *openLane, reason string) {
	key := lane.key()
	w.mu.Lock()
	known := w.refused[key].Reason == reason
	w.refused[key] = failure{lane.refusal(reason), time.Now().Add(unableFor)}
	w.open = slices.DeleteFunc(slices.Clone(w.open), func(o openLane) bool { return o.key() == key })
	w.mu.Unlock()
	if !known {
		w.o.OnRefused(lane.refusal(reason))
	}
	w.announce() // the scheduler counts the workers that are left
}

// alive extends the lease.
func (w *Worker) alive(l *lease) error { return w.c.conn.Publish(l.reply, []byte("+WPI")) }

// publish stores a delivery in the stream of results, in several messages if it is too large for one.
func (w *Worker) publish(ctx context.Context, l *lease, d *arena.Delivery) error {
	data, err := json.Marshal(resultMessage{Delivery: *d, Lease: l.text, From: w.secret, Signature: w.o.Info.Signature, Version: w.o.Info.Version})
	if err != nil {
		return err
	}
	const headers = 1024 // at most
	if size, limit := len(data)+headers, int(w.c.conn.MaxPayload()); size > limit {
		if len(d.Games) > 1 {
			first, rest := arena.Delivery{Chunk: d.Chunk, Games: d.Games[:len(d.Games)/2]}, *d
			rest.Games = d.Games[len(d.Games)/2:]
			if err := w.publish(ctx, l, &first); err != nil {
				return err
			}
			return w.publish(ctx, l, &rest)
		}
		if len(d.Games) == 0 {
			return fmt.Errorf("a delivery has %d bytes, and the server accepts %d", size, limit)
		}
		failed := arena.Delivery{Chunk: d.Chunk, Failed: fmt.Sprintf("%s, game %d of seed %d: its record has %d bytes, and the server accepts %d: raise its max_payload",
			d.Chunk.Player, d.Games[0].Index, d.Games[0].Seed, size, limit)}
		return w.publish(ctx, l, &failed)
	}
	m := &nats.Msg{Subject: w.c.names.result(l.lane.experiment.ID), Data: data, Header: nats.Header{}}
	m.Header.Set(js.MsgIDHeader, nuid.Next()) // the same in every attempt
	return w.c.persist(ctx, w.c.names.results(), func(ctx context.Context) error {
		_, err := w.c.js.PublishMsg(ctx, m, js.WithExpectStream(w.c.names.results()))
		if err != nil {
			_ = w.alive(l) // while results wait, the chunk stays here
		}
		return err
	})
}

// count adds a delivery to what the worker announces.
func (w *Worker) count(l *lease, d *arena.Delivery) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.games += int64(len(d.Games))
	if !d.Final() || l.ended {
		return
	}
	l.ended = true
	w.spent[l.lane.key()] += time.Since(l.taken)
	// Its lease is kept for a while: this may be a worker that lost it and delivers late.
	if len(w.held) > maxHeld {
		maps.DeleteFunc(w.held, func(_ string, l *lease) bool { return l.ended })
	}
}

// acknowledge removes a chunk from the queue. If that fails the chunk is played twice.
func (w *Worker) acknowledge(ctx context.Context, l *lease) {
	const patience = 2 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, _ = w.c.conn.RequestWithContext(ctx, l.reply, []byte("+ACK"))
}
