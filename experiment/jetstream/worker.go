package jetstream

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/protocol"
)

// WorkerInfo is what a worker announces, and what Workers returns.
type WorkerInfo struct {
	protocol.Worker
	Rejected string `json:"rejected,omitempty"`
	// Refused are the players that it does not play, and why, by lane; of many, some may be missing.
	Refused   map[string]arena.Refusal `json:"refused,omitempty"`
	LastHeard time.Time                `json:"-"` // by the server's clock
}

// WorkerOptions say what a worker is and what it is called about.
type WorkerOptions struct {
	Info protocol.Worker // Name, Cores, Version, Signature and AllowExec; WorkerConn sets the rest
	// OnRefused is called once for players of an experiment that this worker cannot play, with the reason:
	// another signature (both are named), or programs that it does not allow or does not have.
	OnRefused func(arena.Refusal)
}

// ErrRejected is the error of Take and Deliver after a scheduler found a delivery of this worker
// false.
var ErrRejected = errors.New("rejected")

// WorkerConn is a worker's connection to a server. It takes chunks of all experiments that it can play. It implements arena.WorkerQueue, for any
// number of arena.Workers, and announces itself until Close.
type WorkerConn struct {
	c      *Client
	o      WorkerOptions
	secret string // sent with deliveries; its hash is the ID
	local  bool   // of a scheduler's process: it plays one experiment
	end    context.CancelFunc
	ended  sync.WaitGroup

	turn atomic.Uint32

	mu       sync.Mutex
	open     []openLane
	refused  map[string]failure // lanes
	rejected error
	spent    map[string]time.Duration // on lanes
	held     map[string]*lease        // by the chunk's ID; the newest one
	work     record                   // what it announces about its work
	games    int64                    // delivered
	before   []count                  // of games, at the announcements of the last minute
}

var _ arena.WorkerQueue = (*WorkerConn)(nil)

// lease is a chunk that was taken.
type lease struct {
	chunk arena.Chunk
	lane  openLane
	text  string
	reply string // subject of acknowledgements
	taken time.Time
	heard time.Time // when the server was told last that the chunk is played
	lost  bool      // nobody was told for a lease, so that it was handed out again
	ended bool
}

// failure is why a lane is not played.
type failure struct {
	arena.Refusal
	until time.Time // when it is tried again, since a file may have been missing; zero: not
}

// count is the number of games that were delivered at a time.
type count struct {
	at    time.Time
	games int64
}

const (
	announceEvery = 5 * time.Second
	refreshEvery  = 2 * time.Second
	idleRefresh   = time.Second // for a worker without lanes
	minPatience   = 200 * time.Millisecond
	rateOver      = time.Minute
	maxHeld       = 1024 // leases
	unableFor     = time.Minute
)

// Join starts a worker. Call Close when its arena.Workers have ended.
func (c *Client) Join(ctx context.Context, o WorkerOptions) (*WorkerConn, error) {
	if o.Info.Cores < 1 {
		return nil, fmt.Errorf("%d cores: must be at least 1", o.Info.Cores)
	}
	if o.OnRefused == nil {
		o.OnRefused = func(arena.Refusal) {}
	}
	w := c.newWorkerConn(o)
	if err := c.permitted(ctx, always, w.refresh); err != nil {
		return nil, err
	}
	ctx, w.end = context.WithCancel(context.WithoutCancel(ctx))
	w.announce()
	w.ended.Go(func() {
		for wait(ctx, announceEvery) {
			w.announce()
		}
	})
	w.ended.Go(func() {
		every := idleRefresh
		for wait(ctx, every) {
			short, cancel := context.WithTimeout(ctx, refreshEvery)
			_ = w.refresh(short) // what was read last is good enough
			cancel()
			if every = refreshEvery; len(w.byTime()) == 0 {
				every = idleRefresh
			}
		}
	})
	return w, nil
}

func (c *Client) newWorkerConn(o WorkerOptions) *WorkerConn {
	w := &WorkerConn{
		c: c, o: o, secret: rand.Text(), end: func() {}, before: []count{{at: time.Now()}},
		refused: map[string]failure{}, spent: map[string]time.Duration{}, held: map[string]*lease{},
	}
	w.o.Info.ID, w.o.Info.Host = publicID(w.secret), hostname()
	w.work = newRecord(time.Now())
	return w
}

// Heartbeat is the interval for arena.Worker.Heartbeat.
func (w *WorkerConn) Heartbeat() time.Duration { return w.c.o.Lease / 3 }

// Take implements arena.WorkerQueue. It returns an error only if ctx ended, the client was closed or
// refused, or the worker was rejected.
func (w *WorkerConn) Take(ctx context.Context) (c arena.Chunk, err error) {
	for {
		if err := cmp.Or(ctx.Err(), w.c.closedError(), w.rejection()); err != nil {
			return c, err
		}
		open := w.byTime()
		if len(open) == 0 {
			wait(ctx, minPatience)
			continue
		}
		if len(open) > 1 {
			for _, lane := range open {
				if l := w.pull(ctx, lane, 0); l != nil {
					return l.chunk, nil
				}
			}
		}
		// Idle cores wait at different lanes, at all of them within refreshEvery.
		patience := max(refreshEvery/time.Duration(len(open)), minPatience)
		if l := w.pull(ctx, open[uint(w.turn.Add(1))%uint(len(open))], patience); l != nil {
			return l.chunk, nil
		}
	}
}

// rejection is why the worker was rejected, nil if it was not.
func (w *WorkerConn) rejection() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.rejected
}

// byTime returns the lanes that can be played: those of the experiment with the least time first, and of these the one
// with the least time. A chunk that has just begun counts for a second, so that workers that start together spread.
func (w *WorkerConn) byTime() []openLane {
	w.mu.Lock()
	defer w.mu.Unlock()
	lanes, experiments := maps.Clone(w.spent), map[string]time.Duration{}
	for _, l := range w.held {
		if !l.ended {
			lanes[l.lane.key()] += max(time.Since(l.taken), time.Second)
		}
	}
	for _, l := range w.open {
		experiments[l.experiment.ID] += lanes[l.key()]
	}
	open := slices.Clone(w.open)
	slices.SortStableFunc(open, func(a, b openLane) int {
		return cmp.Or(cmp.Compare(experiments[a.experiment.ID], experiments[b.experiment.ID]), cmp.Compare(lanes[a.key()], lanes[b.key()]))
	})
	return open
}

// Info returns what the worker announces.
func (w *WorkerConn) Info() WorkerInfo {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	info := WorkerInfo{Worker: w.o.Info, Refused: map[string]arena.Refusal{}}
	info.Games, info.Playing, info.Failures = w.games, w.playing(now), w.work.all()
	info.State, info.SinceS = w.work.state(now)
	first := w.before[0]
	info.GamesPerS = float64(w.games-first.games) / max(now.Sub(first.at), time.Second).Seconds()
	for key, r := range w.refused {
		if len(info.Refused) < maxLanes && (r.until.IsZero() || now.Before(r.until)) {
			info.Refused[key] = arena.Refusal{Experiment: r.Experiment, Players: r.Players[:min(len(r.Players), 3)], Reason: r.Reason[:min(len(r.Reason), maxReason)]}
		}
	}
	if w.rejected != nil {
		info.Rejected = w.rejected.Error()
	}
	return info
}

// Close withdraws the announcement, and gives back chunks that were taken and not ended.
func (w *WorkerConn) Close() error {
	w.end()
	w.ended.Wait()
	w.mu.Lock()
	for _, l := range w.held {
		if !l.ended {
			_ = w.c.conn.Publish(l.reply, []byte("-NAK"))
		}
	}
	clear(w.held)
	w.mu.Unlock()
	switch {
	case w.local:
	case w.rejection() != nil:
		w.announce() // that others learn why it has ended
	default:
		_ = w.c.conn.Publish(w.c.names.worker(w.o.Info.ID), nil)
	}
	return w.c.conn.FlushTimeout(time.Second)
}

// Deliver implements arena.WorkerQueue. It tries again until the server has stored the delivery or
// ctx ends. Games of a chunk that was not taken here are an error.
func (w *WorkerConn) Deliver(ctx context.Context, d arena.Delivery) error {
	w.mu.Lock()
	l, rejected := w.held[d.Chunk.ID()], w.rejected
	w.mu.Unlock()
	switch {
	case rejected != nil:
		return rejected
	case l == nil:
		return fmt.Errorf("%s, games %d to %d: this chunk was not taken here", d.Chunk.Player, d.Chunk.First, d.Chunk.First+uint64(d.Chunk.Games)-1)
	case len(d.Games) == 0 && d.Report == nil && !d.Final():
		return w.alive(l)
	}
	if d.Unable && !w.local {
		w.refuse(&l.lane, d.Failed)
		d.Returned, d.Failed = true, ""
	}
	if err := w.publish(ctx, l, &d); err != nil {
		return err
	}
	w.hear(l)
	w.count(l, &d)
	if d.Final() { // removes the chunk from the queue; if that fails it is played twice
		const patience = 2 * time.Second
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		_, _ = w.c.conn.RequestWithContext(ctx, l.reply, []byte("+ACK"))
	}
	return nil
}

// refuse takes no more chunks of a lane for a while. In the common lane that concerns all its players: those that a
// worker may lack something for are not in it.
func (w *WorkerConn) refuse(lane *openLane, reason string) {
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
func (w *WorkerConn) alive(l *lease) error {
	w.hear(l)
	return w.c.conn.Publish(l.reply, []byte("+WPI"))
}

// hear notes that the server hears of a lease now, or that it was lost before: after a lease without a word, because the
// connection was lost or this process did not run.
func (w *WorkerConn) hear(l *lease) {
	if !w.c.conn.IsConnected() {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	if now.Sub(l.heard) > w.c.o.Lease && !l.lost && !l.ended {
		l.lost = true
		w.work.fail(protocol.FailedLeases, l, 1, "")
	}
	l.heard = now
}

// publish stores a delivery in the stream of results, in several messages if it is too large for one.
func (w *WorkerConn) publish(ctx context.Context, l *lease, d *arena.Delivery) error {
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
func (w *WorkerConn) count(l *lease, d *arena.Delivery) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.games += int64(len(d.Games))
	for i := range d.Games {
		if reason := d.Games[i].Forfeit.Reason; reason != "" {
			w.work.fail(protocol.FailedForfeits, l, 1, reason)
		}
	}
	if !d.Final() || l.ended {
		return
	}
	if d.Failed != "" {
		w.work.fail(protocol.FailedChunks, l, 1, d.Failed)
	}
	l.ended = true
	w.work.ended(time.Now())
	w.spent[l.lane.key()] += time.Since(l.taken)
	// Its lease is kept for a while: this may be a worker that lost it and delivers late.
	if len(w.held) > maxHeld {
		maps.DeleteFunc(w.held, func(_ string, l *lease) bool { return l.ended })
	}
}
