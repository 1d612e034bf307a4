package jetstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	js "github.com/nats-io/nats.go/jetstream"

	"afterstate/arena"
	"afterstate/internal/numfmt"
)

// Queue is the queue of one experiment, as its scheduler has it. It implements arena.RemoteQueue.
type Queue struct {
	c     *Client
	info  arena.QueueInfo
	key   []byte // of leases
	local *Worker
	end   context.CancelFunc
	ended sync.WaitGroup

	results    js.Consumer
	incoming   chan js.Msg   // what receive has received
	puts       chan struct{} // has an element for each chunk on its way to the server
	putting    sync.WaitGroup
	background context.Context // ends with Close
	closed     <-chan struct{}
	collecting sync.Mutex
	workforce  atomic.Pointer[workforce]
	finished   atomic.Int64          // games that are stored
	lost       atomic.Pointer[error] // why this is no longer the experiment's scheduler

	mu       sync.Mutex
	lanes    map[string]js.Consumer
	held     map[js.Msg]bool    // messages that Collect returned and that were not acknowledged
	put      map[string]*queued // chunks that were put and for which nothing final was collected
	over     map[string]bool    // chunks for which something final was collected
	rejected map[string]bool    // workers
	swept    time.Time          // when sweep last saw all chunks
	tried    time.Time          // when it last began
	counts   Counts
}

var _ arena.RemoteQueue = (*Queue)(nil)

// queued is a chunk that was put in a lane; stored is set when the server has it.
type queued struct {
	chunk  arena.Chunk
	lane   string
	stored bool
}

// Counts counts messages that a Queue did not pass on.
type Counts struct {
	Garbage  int // no deliveries, or not of a chunk that the sender took
	Rejected int // of workers that were rejected
}

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
		return nil, fmt.Errorf("experiment ID %q: want up to 64 letters, digits, _ and -", info.ID)
	}
	for _, m := range info.Members {
		info.Players = append(info.Players, m.Name)
	}
	q := &Queue{c: c, info: info, lanes: map[string]js.Consumer{}, incoming: make(chan js.Msg, ahead), puts: make(chan struct{}, ahead), held: map[js.Msg]bool{}, put: map[string]*queued{}, over: map[string]bool{}, rejected: map[string]bool{}, swept: time.Now()}
	var err error
	if err := c.patiently(ctx, func(ctx context.Context) error { q.key, err = c.streams(ctx); return err }); err != nil {
		return nil, fmt.Errorf("%s: %w", c.o.URL, err)
	}
	var seq uint64
	if err := c.patiently(ctx, func(ctx context.Context) error { seq, err = c.claim(ctx, info.ID); return err }); err != nil {
		return nil, err
	}
	if err := c.patiently(ctx, q.open); err != nil {
		_ = c.release(ctx, info.ID, seq)
		return nil, fmt.Errorf("%s: %w", c.o.URL, err)
	}
	q.workforce.Store(&workforce{})
	q.local = c.worker(WorkerOptions{Info: WorkerInfo{Name: hostname(), Cores: 1, Version: info.Version, Signature: info.Signature}})
	q.local.only = q.openLanes
	background, end := context.WithCancel(context.WithoutCancel(ctx))
	q.background, q.end, q.closed = background, end, background.Done()
	q.ended.Go(func() { q.holdClaim(background, seq) })
	q.ended.Go(func() { q.count(background) })
	q.ended.Go(func() { q.hold(background) })
	q.ended.Go(func() { q.receive(background) })
	return q, nil
}

// open announces the experiment and creates its consumers.
func (q *Queue) open(ctx context.Context) (err error) {
	c, n := q.c, q.c.names
	if err := q.readRejected(ctx); err != nil {
		return err
	}
	lanes := map[string]bool{common: true}
	for _, m := range q.info.Members {
		if m.Program {
			lanes[laneOf(m.Identity, true)] = true
		}
	}
	left, err := c.subjects(ctx, n.chunks(), n.chunk(q.info.ID, "*", "*"))
	if err != nil {
		return err
	}
	for subject := range left {
		lanes[laneIn(subject)] = true
	}
	for _, lane := range slices.Sorted(maps.Keys(lanes)) {
		if err := q.addLane(ctx, lane); err != nil {
			return err
		}
	}
	// A new consumer returns what a former scheduler collected and did not store.
	if err := c.js.DeleteConsumer(ctx, n.results(), q.info.ID); err != nil && !errors.Is(err, js.ErrConsumerNotFound) {
		return err
	}
	if q.results, err = c.js.CreateConsumer(ctx, n.results(), q.resultsConfig()); err != nil {
		return err
	}
	return q.describe(ctx)
}

// laneIn is the lane in the subject of a chunk.
func laneIn(subject string) string {
	words := strings.Split(subject, ".")
	return words[len(words)-2]
}

// resultsConfig is the configuration of the consumer of results.
func (q *Queue) resultsConfig() js.ConsumerConfig {
	n := q.c.names
	config := js.ConsumerConfig{
		Durable: q.info.ID, FilterSubjects: []string{n.result(q.info.ID)},
		AckPolicy: js.AckExplicitPolicy, AckWait: resultWait, MaxAckPending: maxResults,
	}
	for _, l := range q.openLanes() {
		config.FilterSubjects = append(config.FilterSubjects, n.lost(l.key()))
	}
	return config
}

// describe announces the experiment with its lanes.
func (q *Queue) describe(ctx context.Context) error {
	short := q.openLanes()[0].experiment
	info, err := json.Marshal(short)
	if len(info) > smallSize/2 { // specs may be long
		short.Players = nil
		for i := range short.Lanes {
			short.Lanes[i].Players = nil
		}
		info, err = json.Marshal(short)
	}
	if err == nil {
		_, err = q.c.js.Publish(ctx, q.c.names.experiment(q.info.ID), info, js.WithMsgTTL(resultAge))
	}
	return err
}

// receive receives results until ctx ends.
//
// A request for results stays open on the server. The server forgets it when the connection is lost or when
// another server of the cluster becomes the consumer's leader, in which case the connection stays up. Next
// then misses the heartbeats and repeats the request, but only if one call of it lasts that long. So it is
// called here without a timeout, and not by Collect.
func (q *Queue) receive(ctx context.Context) {
	for ctx.Err() == nil {
		incoming, err := q.results.Messages(js.PullMaxMessages(ahead), js.PullHeartbeat(resultHeartbeat))
		for err == nil {
			var m js.Msg
			if m, err = incoming.Next(js.NextContext(ctx)); err == nil {
				select {
				case q.incoming <- m:
				case <-ctx.Done():
				}
			}
		}
		if incoming != nil {
			incoming.Stop()
		}
		wait(ctx, retryEvery)
	}
}

// readRejected reads which workers were rejected before.
func (q *Queue) readRejected(ctx context.Context) error {
	all, err := q.c.latest(ctx, q.c.names.state(), q.c.names.rejected("*"))
	for _, m := range all {
		q.rejected[lastToken(m)] = true
	}
	return err
}

// hold keeps the server from sending deliveries again that wait for their acknowledgement here.
func (q *Queue) hold(ctx context.Context) {
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
	seen, behind := census{}, 0
	defer func() { q.reportBehind(behind, 0) }()
	for {
		short, cancel := context.WithTimeout(ctx, refreshEvery)
		if all, err := q.c.Workers(short); err == nil {
			q.workforce.Store(seen.workforce(all, q.openLanes(), time.Now()))
		}
		if n, err := q.c.count(short, q.c.names.results(), q.c.names.result(q.info.ID)); err == nil {
			behind = q.reportBehind(behind, n)
		}
		cancel()
		if !wait(ctx, refreshEvery) {
			return
		}
	}
}

// reportBehind reports that workers wait for this scheduler, when there were twice nearly as many results as an
// experiment may have, and when there are less again. It returns how often in a row there were.
func (q *Queue) reportBehind(times, results int) int {
	switch {
	case results > maxResults-maxResults/8:
		if times++; times == 2 {
			q.c.report(fmt.Errorf("%s results of %s wait to be read, after %s messages that were no deliveries", numfmt.Int(int64(results)), q.info.Name, numfmt.Int(int64(q.Counts().Garbage))))
		}
		return times
	case times >= 2:
		q.c.report(nil)
	}
	return 0
}

// Cores implements arena.RemoteQueue.
func (q *Queue) Cores() int { return q.workforce.Load().cores[common] }

// CoresFor implements arena.RemoteQueue.
func (q *Queue) CoresFor(identity string) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.workforce.Load().cores[q.laneFor(identity)]
}

// Refusals implements arena.RemoteQueue.
func (q *Queue) Refusals() []arena.Refusal { return q.workforce.Load().refusals }

// SetFinished implements arena.RemoteQueue. The next renewal of the claim publishes it.
func (q *Queue) SetFinished(games int) { q.finished.Store(int64(games)) }

// Heartbeat implements arena.RemoteQueue.
func (q *Queue) Heartbeat() time.Duration { return q.local.Heartbeat() }

// Counts returns what was not passed on so far.
func (q *Queue) Counts() Counts {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.counts
}

// failed is why the queue can no longer be used, nil if it can.
func (q *Queue) failed() error {
	if lost := q.lost.Load(); lost != nil {
		return *lost
	}
	return q.c.closedError()
}

// Take implements arena.WorkerQueue, for workers of this process.
func (q *Queue) Take(ctx context.Context) (arena.Chunk, error) { return q.local.Take(ctx) }

// Deliver implements arena.WorkerQueue.
func (q *Queue) Deliver(ctx context.Context, d arena.Delivery) error { return q.local.Deliver(ctx, d) }

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
		var c chunkMessage
		if json.Unmarshal(m.Data, &c) != nil || !validLease(q.key, q.info.ID, c.Lease, &c.Chunk) {
			if err := s.DeleteMsg(ctx, m.Sequence); err != nil {
				return nil, err
			}
			continue
		}
		q.mu.Lock()
		q.put[c.Chunk.ID()] = &queued{c.Chunk, laneIn(subject), true}
		q.mu.Unlock()
		all = append(all, c.Chunk)
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
	const most = 1024
	return q.c.retry(ctx, func(ctx context.Context) error {
		_, err := q.c.js.Publish(ctx, q.c.names.rejected(d.Worker), []byte(reason[:min(len(reason), most)]), js.WithMsgTTL(resultAge))
		return err
	})
}

// Close implements arena.RemoteQueue.
func (q *Queue) Close() error {
	q.end()
	q.ended.Wait()
	q.putting.Wait()
	return q.local.Close()
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
	if err := q.removeLanes(ctx); err != nil {
		return err
	}
	purge := [][2]string{{n.chunks(), n.chunk(q.info.ID, "*", "*")}, {n.results(), n.result(q.info.ID)}, {n.state(), n.experiment(q.info.ID)}}
	for _, l := range q.openLanes() {
		purge = append(purge, [2]string{n.results(), n.lost(l.key())})
	}
	for _, at := range purge {
		s, err := q.c.js.Stream(ctx, at[0])
		if err != nil {
			return err
		}
		if err := s.Purge(ctx, js.WithPurgeSubject(at[1])); err != nil {
			return err
		}
	}
	return nil
}
