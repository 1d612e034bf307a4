package arena

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Queue carries chunks to workers and deliveries back. A [LocalQueue] stays within one process, whose
// workers end their chunks. One of experiment/jetstream spans machines, and never loses work, even if workers crash or
// disappear:
//
//   - A chunk whose worker has been silent for too long is handed out again and, after some such
//     losses, delivered as failed.
//   - So a chunk may be played twice. Late and duplicate deliveries are collected like all
//     others: the collector must accept games twice.
//   - The first final delivery ends a chunk; it is not handed out again.
type Queue interface {
	SchedulerQueue
	WorkerQueue
}

// WorkerQueue is a worker's side of a Queue.
type WorkerQueue interface {
	// Take returns a chunk to work on. It blocks until there is one or ctx ends.
	Take(ctx context.Context) (Chunk, error)
	// Deliver hands in finished games of a chunk, and shows that the worker is alive. A delivery
	// that has no games, no report and is not final only does the latter, and is not collected. It may block
	// for backpressure.
	Deliver(ctx context.Context, d Delivery) error
}

// SchedulerQueue is a scheduler's side of a Queue.
type SchedulerQueue interface {
	// Put adds a chunk, unless an equal one is queued or in flight. It may return before workers can
	// take the chunk.
	Put(ctx context.Context, c Chunk) error
	// Collect returns the next delivery. It blocks until there is one or ctx ends; existing
	// deliveries are returned even if ctx has ended. The caller calls ack when the games are stored.
	// Until then the queue keeps the delivery if it can, and it is collected again after the
	// collector's process was killed. ack does not block.
	Collect(ctx context.Context) (d Delivery, ack func(), err error)
	// Ready reports whether a delivery has arrived, so that Collect will hardly wait.
	Ready() bool
}

// RemoteQueue is a queue with workers in other processes, which may end while the scheduler does not,
// and the other way round.
type RemoteQueue interface {
	Queue
	// Outstanding returns the chunks that were put, possibly by a former process, and have not
	// ended.
	Outstanding(ctx context.Context) ([]Chunk, error)
	// Cores is the number of chunks of a player that the present workers can play at once; "": of the players that all
	// workers can play.
	Cores(identity string) int
	// Refusals are the players that none of the present workers plays, and why.
	Refusals() []Refusal
	// Reject reports that a delivery was false: the queue ignores what its worker delivers from now
	// on, and hands its chunks out again. The caller plans the games of this chunk again.
	Reject(ctx context.Context, d *Delivery, reason string) error
	// SetFinished publishes the number of games that are stored, for QueueStatus.
	SetFinished(games int)
	// Heartbeat is the interval at which workers in this process show that they are alive.
	Heartbeat() time.Duration
	// Close leaves the queue. Chunks and deliveries stay.
	Close() error
	// Remove deletes the queue's chunks and deliveries, and leaves it.
	Remove(ctx context.Context) error
}

// QueueInfo describes the queue of an experiment to workers.
type QueueInfo struct {
	// ID identifies the experiment among all that share a server: up to 64 letters, digits, - and _.
	ID   string `json:"id"`
	Name string `json:"name"` // of the experiment
	// Version and Signature (bench.Signature) are the scheduler's. Only workers with the same
	// signature play, or with the same version if the signature is "".
	Version   string `json:"version"`
	Signature string `json:"signature,omitempty"`
	// Lanes hand out the chunks; the queue makes them from Members.
	Lanes []Lane `json:"lanes,omitempty"`
	// Members are the players, for the queue itself; they may be missing.
	Members []Member `json:"-"`

	// The rest describes the experiment to people; it may be missing.
	Size    board.Size `json:"size,omitzero"`
	Players []string   `json:"players,omitempty"` // names; a queue takes them from Members
	Games   int        `json:"games,omitempty"`   // of each player; 0: not known beforehand
}

// Lane is a part of a queue, from which workers take chunks apart from the rest.
type Lane struct {
	Name    string   `json:"name"`
	Players []string `json:"players,omitempty"` // names
	// AllowExec is set if the players run other programs or connect to them: only workers that allow that play.
	AllowExec bool `json:"allow_exec,omitempty"`
}

// Member is a player of an experiment.
type Member struct {
	Identity, Name string
	Program        bool // it runs another program or connects to one
	Demanding      bool // it needs what some workers may lack: files, or tables of exact values
}

// Refusal is why workers do not play some players of an experiment.
type Refusal struct {
	Experiment string   `json:"experiment"` // its name
	Players    []string `json:"players,omitempty"`
	Worker     string   `json:"worker,omitempty"` // the name of one that refuses
	Reason     string   `json:"reason"`
}

func (r Refusal) String() string {
	return fmt.Sprintf("%s of %s: %s", r.Names(), r.Experiment, r.Reason)
}

// Names are the names of the players, of many the first ones.
func (r Refusal) Names() string {
	const maximum = 3
	players := strings.Join(r.Players[:min(maximum, len(r.Players))], ", ")
	if more := len(r.Players) - maximum; more > 0 {
		players += fmt.Sprintf(" and %d more", more)
	}
	return players
}

// QueueStatus is the state of a queue of a RemoteQueue's server, which any scheduler of that server sees.
type QueueStatus struct {
	ID string // see QueueInfo
	protocol.ExperimentQueue
}

// Delivery is what a worker hands in for a chunk.
type Delivery struct {
	Chunk Chunk      `json:"chunk"`
	Games []Recorded `json:"games"` // finished since its last delivery; may be none
	Done  bool       `json:"done"`  // these were the last ones
	// Report is a message of a task, in the format of its kind.
	Report json.RawMessage `json:"report,omitempty"`
	// Failed is why the worker gave the chunk up, "" if it did not. Games before the failure count.
	Failed string `json:"failed,omitempty"`
	// Returned is set by a worker that stops: the rest of the chunk is planned again.
	Returned bool `json:"returned,omitempty"`
	// Unable is set by a worker that cannot play the chunk although others may, for the reason Failed:
	// a queue with workers on several machines gives the chunk to another one.
	Unable bool `json:"-"`
	// Worker identifies the worker on another machine, "" for one of this process. It is set by the
	// queue.
	Worker string `json:"-"`
	// Lost is set by a queue that gives up a chunk because those who took it were silent: Failed is no
	// worker's word.
	Lost  bool  `json:"-"`
	cause error // Failed, where no wire lies between worker and scheduler
}

// UnableError is the error of a Worker.Factory for a chunk that this machine cannot play and others may:
// a file is missing, or a program of another version, or it is not allowed.
type UnableError struct{ Err error }

func (e *UnableError) Error() string { return e.Err.Error() }
func (e *UnableError) Unwrap() error { return e.Err }

// Final reports whether this delivery ends the chunk.
func (d *Delivery) Final() bool { return d.Done || d.Failed != "" || d.Returned }

const (
	maxUnplayed    = 1 << 14 // chunks that may await Take before Put blocks; schedulers put two for each worker
	maxUncollected = 64      // deliveries that may await Collect before Deliver blocks
)

// LocalQueue is a Queue within one process, which trusts its workers to end their chunks:
//
//	q := arena.NewLocalQueue()
//	s := arena.Scheduler{Queue: q, Plan: plan, Keep: keep}
//	err := s.RunHere(ctx, arena.Worker{Queue: q, Factory: factory}, runtime.NumCPU())
//
// It is safe for concurrent use.
type LocalQueue struct {
	open      sync.Map // chunks that were put and have not ended; compared as a whole, which is cheaper than by ID
	chunks    chan *Chunk
	delivered chan Delivery
}

// NewLocalQueue returns an empty queue.
func NewLocalQueue() *LocalQueue {
	return &LocalQueue{chunks: make(chan *Chunk, maxUnplayed), delivered: make(chan Delivery, maxUncollected)}
}

// Put implements Queue.
func (q *LocalQueue) Put(ctx context.Context, c Chunk) error {
	if _, there := q.open.LoadOrStore(c, true); there {
		return ctx.Err()
	}
	return send(ctx, q.chunks, &c)
}

// Take implements Queue.
func (q *LocalQueue) Take(ctx context.Context) (c Chunk, err error) {
	if err := ctx.Err(); err != nil {
		return c, err
	}
	next, err := receive(ctx, q.chunks)
	if err == nil {
		c = *next
	}
	return c, err
}

// Deliver implements Queue.
func (q *LocalQueue) Deliver(ctx context.Context, d Delivery) error {
	if len(d.Games) == 0 && !d.Final() {
		return nil
	}
	if d.Final() {
		q.open.Delete(d.Chunk)
	}
	return send(ctx, q.delivered, d)
}

// Collect implements Queue. Acknowledgements change nothing: the queue ends with its process.
func (q *LocalQueue) Collect(ctx context.Context) (d Delivery, ack func(), err error) {
	select {
	case d = <-q.delivered:
	default:
		d, err = receive(ctx, q.delivered)
	}
	return d, func() {}, err
}

// Ready implements Queue.
func (q *LocalQueue) Ready() bool { return len(q.delivered) > 0 }

func send[T any](ctx context.Context, to chan<- T, v T) error {
	select {
	case to <- v:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func receive[T any](ctx context.Context, from <-chan T) (v T, err error) {
	select {
	case v = <-from:
	case <-ctx.Done():
		err = ctx.Err()
	}
	return v, err
}
