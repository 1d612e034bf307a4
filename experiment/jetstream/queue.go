package jetstream

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	js "github.com/nats-io/nats.go/jetstream"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/protocol"
)

// Queue is the queue of one experiment, as its scheduler has it. It implements arena.RemoteQueue.
type Queue struct {
	*WorkerConn // of this process
	c           *Client
	info        arena.QueueInfo
	key         []byte // of leases
	end         context.CancelCauseFunc
	ended       sync.WaitGroup

	consumers map[string]js.Consumer // by lane
	laneOf    map[string]string      // lanes of players, by identity
	results   js.Consumer
	incoming  chan js.Msg   // results that have arrived
	puts      chan struct{} // has an element for each chunk on its way to the server
	putting   sync.WaitGroup

	background context.Context // ends with Close, with the client, and when another scheduler takes over
	claimed    uint64          // the message with the claim
	workforce  atomic.Pointer[workforce]
	finished   atomic.Int64 // games that are stored
	garbage    atomic.Int64 // messages that were no deliveries

	mu       sync.Mutex
	held     map[js.Msg]bool    // messages that Collect returned and that were not acknowledged
	put      map[string]*queued // chunks that were put and for which nothing final was collected
	rejected map[string]bool    // workers
	sweepAt  time.Time          // when sweep looks again
}

var _ arena.RemoteQueue = (*Queue)(nil)

const (
	// resultWait is when a delivery comes again that the server has sent and that did not arrive, because
	// one of both ends was killed. Those that arrived are held by a message in every resultHold.
	resultWait = 20 * time.Second
	resultHold = 5 * time.Second
	// ahead is the number of deliveries that wait here for Collect, and of chunks that Put sends at once.
	ahead = 64
	// maxRejected is the number of rejected workers that others learn of. A worker that invents names must not fill
	// the stream with them.
	maxRejected = 1000
	// resultHeartbeat is how often the server shows that it remembers the request for results. After two
	// that are missing the request is repeated.
	resultHeartbeat = 2 * time.Second
)

// OpenQueue opens the queue of an experiment, a *Queue, and creates what is missing on the server. An
// experiment has one scheduler at a time: if there is another one, the error is ErrHeld; one that
// was killed is replaced after 10 seconds at most.
func (c *Client) OpenQueue(ctx context.Context, info arena.QueueInfo) (arena.RemoteQueue, error) {
	if !namePattern.MatchString(info.ID) {
		return nil, fmt.Errorf("experiment ID %q: must be up to 64 letters, digits, _ and -", info.ID)
	}
	q := &Queue{
		c: c, info: info, consumers: map[string]js.Consumer{}, incoming: make(chan js.Msg, ahead), puts: make(chan struct{}, ahead),
		held: map[js.Msg]bool{}, put: map[string]*queued{}, rejected: map[string]bool{},
	}
	q.laneOf, q.sweepAt = divide(&q.info), time.Now().Add(q.sweepEvery())
	q.workforce.Store(&workforce{})
	if err := c.patiently(ctx, func(ctx context.Context) (err error) { q.key, err = c.streams(ctx); return err }); err != nil {
		return nil, fmt.Errorf("%s: %w", c.o.URL, err)
	}
	if err := c.patiently(ctx, q.claim); err != nil {
		return nil, err
	}
	if err := c.patiently(ctx, q.open); err != nil {
		q.release(ctx)
		return nil, fmt.Errorf("%s: %w", c.o.URL, err)
	}
	q.background, q.end = context.WithCancelCause(c.life)
	// The server forgets the request for results when the connection is lost or when another server of the cluster
	// becomes the consumer's leader. Heartbeats show that, and the request is repeated.
	results, err := q.results.Consume(func(m js.Msg) {
		select {
		case q.incoming <- m:
		case <-q.background.Done():
		}
	}, js.PullMaxMessages(ahead), js.PullHeartbeat(resultHeartbeat))
	if err != nil {
		q.end(err)
		q.release(ctx)
		return nil, fmt.Errorf("%s: %w", c.o.URL, err)
	}
	context.AfterFunc(q.background, results.Stop)
	q.WorkerConn = c.newWorkerConn(WorkerOptions{Info: protocol.Worker{Name: hostname(), Cores: 1, Version: info.Version, Signature: info.Signature}})
	q.WorkerConn.local, q.WorkerConn.open = true, lanesOf(&q.info)
	for _, do := range []func(context.Context){q.holdClaim, q.count, q.keepHeld} {
		q.ended.Go(func() { do(q.background) })
	}
	return q, nil
}

// open announces the experiment and creates its consumers.
func (q *Queue) open(ctx context.Context) (err error) {
	c, n := q.c, q.c.names
	rejected, err := c.latest(ctx, n.state(), n.rejected("*")) // before
	if err != nil {
		return err
	}
	for _, m := range rejected {
		q.rejected[subjectID(m)] = true
	}
	for _, l := range lanesOf(&q.info) {
		q.consumers[l.Name], err = c.js.CreateOrUpdateConsumer(ctx, n.chunks(), js.ConsumerConfig{
			Durable: l.key(), FilterSubject: n.chunk(q.info.ID, l.Name, "*"), AckPolicy: js.AckExplicitPolicy, InactiveThreshold: chunkAge,
			AckWait: c.o.Lease, MaxDeliver: c.o.MaxAttempts, MaxAckPending: maxChunks, MaxWaiting: maxChunks,
		})
		if err != nil {
			return err
		}
	}
	// A new consumer returns what a former scheduler collected and did not store.
	if err := c.js.DeleteConsumer(ctx, n.results(), q.info.ID); err != nil && !errors.Is(err, js.ErrConsumerNotFound) {
		return err
	}
	q.results, err = c.js.CreateConsumer(ctx, n.results(), js.ConsumerConfig{
		Durable: q.info.ID, FilterSubjects: q.resultSubjects(),
		AckPolicy: js.AckExplicitPolicy, AckWait: resultWait, MaxAckPending: maxResults,
	})
	if err != nil {
		return err
	}
	short := q.info
	info, err := json.Marshal(short)
	if len(info) > smallSize/2 { // specs may be long
		short.Players, short.Lanes = nil, slices.Clone(short.Lanes)
		for i := range short.Lanes {
			short.Lanes[i].Players = nil
		}
		info, err = json.Marshal(short)
	}
	if err == nil {
		_, err = c.js.Publish(ctx, n.experiment(q.info.ID), info, js.WithMsgTTL(resultAge))
	}
	return err
}

// resultSubjects are those of deliveries, and of the server's messages about lost chunks.
func (q *Queue) resultSubjects() []string {
	all := []string{q.c.names.result(q.info.ID)}
	for _, l := range lanesOf(&q.info) {
		all = append(all, q.c.names.lost(l.key()))
	}
	return all
}

// laneFor is the lane for a player's chunks.
func (q *Queue) laneFor(identity string) string { return cmp.Or(q.laneOf[identity], common) }

// keepHeld keeps the server from sending deliveries again that wait for their acknowledgement here.
func (q *Queue) keepHeld(ctx context.Context) {
	for wait(ctx, resultHold) {
		q.mu.Lock()
		for m := range q.held {
			_ = m.InProgress() // otherwise it comes twice, which is harmless
		}
		q.mu.Unlock()
	}
}

// count counts the cores of the present workers, and the results, until ctx ends.
func (q *Queue) count(ctx context.Context) {
	n := notice{c: q.c}
	defer n.update(nil)
	for more := true; more; more = wait(ctx, refreshEvery) {
		short, cancel := context.WithTimeout(ctx, refreshEvery)
		if s, err := q.c.js.Stream(short, q.c.names.workers()); err == nil { // for the server's clock
			if all, err := q.c.Workers(short); err == nil {
				q.workforce.Store(countCores(all, lanesOf(&q.info), s.CachedInfo().TimeStamp))
			}
		}
		if results, err := q.c.count(short, q.c.names.results(), q.c.names.result(q.info.ID)); err == nil {
			var behind error
			if results > maxResults-maxResults/8 { // workers wait for this scheduler
				behind = fmt.Errorf("%s results of %s wait to be read, after %s messages that were no deliveries", numfmt.Int(int64(results)), q.info.Name, numfmt.Int(q.Garbage()))
			}
			n.update(behind)
		}
		cancel()
	}
}

// Cores implements arena.RemoteQueue.
func (q *Queue) Cores(identity string) int { return q.workforce.Load().cores[q.laneFor(identity)] }

// Refusals implements arena.RemoteQueue.
func (q *Queue) Refusals() []arena.Refusal { return q.workforce.Load().refusals }

// SetFinished implements arena.RemoteQueue. The next renewal of the claim publishes it.
func (q *Queue) SetFinished(games int) { q.finished.Store(int64(games)) }

// Garbage is the number of messages so far that were no deliveries, or not of a chunk that the sender took.
func (q *Queue) Garbage() int64 { return q.garbage.Load() }

// failed is why the queue can no longer be used, nil if it can.
func (q *Queue) failed() error { return cmp.Or(q.c.closedError(), context.Cause(q.background)) }

// Outstanding implements arena.RemoteQueue.
func (q *Queue) Outstanding(ctx context.Context) (all []arena.Chunk, err error) {
	err = q.c.patiently(ctx, func(ctx context.Context) error { all, err = q.outstanding(ctx); return err })
	return all, err
}

func (q *Queue) outstanding(ctx context.Context) (all []arena.Chunk, err error) {
	s, err := q.c.js.Stream(ctx, q.c.names.chunks())
	if err != nil {
		return nil, err
	}
	subjects, err := q.c.subjects(ctx, q.c.names.chunks(), q.c.names.chunk(q.info.ID, "*", "*"))
	if err != nil {
		return nil, err
	}
	for subject := range subjects {
		m, err := s.GetLastMsgForSubject(ctx, subject)
		if errors.Is(err, js.ErrMsgNotFound) {
			continue // it has ended meanwhile
		}
		if err != nil {
			return nil, err
		}
		c, ok := q.decodeChunk(m.Data)
		lane := q.laneFor(c.Identity)
		if !ok || !strings.HasPrefix(subject, q.c.names.chunk(q.info.ID, lane, "")) { // the players were others
			if err := s.DeleteMsg(ctx, m.Sequence); err != nil {
				return nil, err
			}
			continue
		}
		q.mu.Lock()
		q.put[c.ID()] = &queued{c, lane, subject, true}
		q.mu.Unlock()
		all = append(all, c)
	}
	return all, nil
}

// Reject implements arena.RemoteQueue. Its worker ends and other schedulers know, unless there are maxRejected.
func (q *Queue) Reject(ctx context.Context, d *arena.Delivery, reason string) error {
	if d.Worker == "" {
		return errors.New("workers of this process are not rejected")
	}
	q.mu.Lock()
	q.rejected[d.Worker] = true
	many := len(q.rejected) > maxRejected
	q.mu.Unlock()
	if many {
		return nil
	}
	const maximum = 1024
	return q.c.retry(ctx, always, func(ctx context.Context) error {
		_, err := q.c.js.Publish(ctx, q.c.names.rejected(d.Worker), []byte(reason[:min(len(reason), maximum)]), js.WithMsgTTL(resultAge))
		return err
	})
}

// Close implements arena.RemoteQueue.
func (q *Queue) Close() error {
	q.end(ErrClosed)
	q.ended.Wait()
	q.putting.Wait()
	return q.WorkerConn.Close()
}

// Remove implements arena.RemoteQueue.
func (q *Queue) Remove(ctx context.Context) error {
	q.settled(ctx) // a chunk that arrives later would stay
	err := q.c.patiently(ctx, q.remove)
	return errors.Join(err, q.Close())
}

func (q *Queue) remove(ctx context.Context) error {
	n := q.c.names
	if err := q.c.js.DeleteConsumer(ctx, n.results(), q.info.ID); err != nil && !errors.Is(err, js.ErrConsumerNotFound) {
		return err
	}
	for _, l := range lanesOf(&q.info) {
		if err := q.c.js.DeleteConsumer(ctx, n.chunks(), l.key()); err != nil && !errors.Is(err, js.ErrConsumerNotFound) {
			return err
		}
	}
	purge := [][2]string{{n.chunks(), n.chunk(q.info.ID, "*", "*")}, {n.state(), n.experiment(q.info.ID)}}
	for _, subject := range q.resultSubjects() {
		purge = append(purge, [2]string{n.results(), subject})
	}
	for _, at := range purge {
		if err := q.c.purge(ctx, at[0], at[1]); err != nil {
			return err
		}
	}
	return nil
}

// purge removes the messages of a stream with a subject.
func (c *Client) purge(ctx context.Context, stream, subject string) error {
	s, err := c.js.Stream(ctx, stream)
	if err != nil {
		return err
	}
	return s.Purge(ctx, js.WithPurgeSubject(subject))
}
