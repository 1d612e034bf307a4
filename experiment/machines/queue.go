package machines

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	js "github.com/nats-io/nats.go/jetstream"

	"github.com/afterstate2048/afterstate/protocol"
)

// QueueInfo describes the queue of an experiment, or of a sweep.
type QueueInfo struct {
	// ID identifies the experiment among all experiments on a server. It consists of up to 64 letters,
	// digits, - and _.
	ID string `json:"id"`
	// Version and Signature (bench.Signature) identify the scheduler's build. Only workers with the same
	// signature take its jobs. If the signature is "", only workers with the same version take them.
	Version   string `json:"version"`
	Signature string `json:"signature,omitempty"`
	// SharedExperiment describes the experiment for display. Only Name is required; Queue sets Scheduler and Finished.
	protocol.SharedExperiment
}

// Result is the result of a job, or says that workers could not do it.
type Result struct {
	ID      string          // ID of the job
	Payload json.RawMessage // what the worker returned
	// Failed is the last failure of a job that failed MaxFailures times, or whose workers fell silent too
	// often. The job is then removed from the queue, and the scheduler must do it. Otherwise Failed is "".
	Failed string
	Worker string // name of the worker

	stored, remove func()
}

// NewResult returns a result without a server, for tests. Its method Ack calls ack.
func NewResult(id string, payload json.RawMessage, ack func()) *Result {
	return &Result{ID: id, Payload: payload, stored: func() {}, remove: ack}
}

// Ack removes the result from the server. Call it only once the result is stored: if this scheduler is
// killed before then, another one receives the result.
func (r *Result) Ack() {
	r.stored()
	r.remove()
}

// MaxFailures is the number of failures of a job after which the scheduler itself does it.
const MaxFailures = 3

// Queue is the queue of one experiment, with the methods for its scheduler. It is safe for concurrent use.
type Queue interface {
	// Put puts a job into the queue, unless it is there already. It blocks while the server is unreachable or refuses
	// the job.
	Put(ctx context.Context, j Job) error
	// Next returns the next result. An earlier scheduler may have queued its job, and a result may arrive twice.
	Next(ctx context.Context) (*Result, error)
	// Fail rejects a wrong result. It puts the job again and returns nil or, if the job has failed too often, returns a
	// result with Failed set.
	Fail(ctx context.Context, r *Result, reason string) (*Result, error)
	// Cores returns the number of cores of the present workers that take jobs of the queue. If programs is
	// true, only workers that may run other programs count.
	Cores(programs bool) int
	// Refusal returns why no present worker takes jobs of the queue; "" if a worker does, or if no
	// worker is present. For programs see Cores.
	Refusal(programs bool) string
	// SetFinished publishes the number of stored games, for lists of experiments.
	SetFinished(games int)
	// Close leaves the queue. Jobs and results stay on the server.
	Close() error
	// Remove removes the jobs and results of the queue, and closes it.
	Remove(ctx context.Context) error
}

// queue is the Queue of a Client.
type queue struct {
	c    *Client
	info QueueInfo
	me   owner

	life     context.Context // cancelled on Close, when the client closes, or when another scheduler takes over
	end      context.CancelCauseFunc
	ended    sync.WaitGroup
	results  chan js.Msg
	revision uint64 // revision of the claim in the bucket of queues
	finished atomic.Int64

	mu      sync.Mutex
	put     map[string]*queued // jobs without a result, by ID
	trouble func(worker, reason string)
	workers []protocol.Worker // workers that are present
}

// queued is a job that was put into the queue and has no result yet.
type queued struct {
	job      Job
	at       time.Time // time at which the job was last put into the queue
	failures int
}

// ahead is the maximum number of results that are fetched in advance, before calls of Next.
const ahead = 64

// OpenQueue opens the queue of an experiment. A queue has one scheduler at a time: if there is another one, the
// error is ErrHeld; a scheduler that was killed is replaced after at most 10 seconds. onTrouble, if not nil, is
// called when a worker hands a job back.
func (c *Client) OpenQueue(ctx context.Context, info QueueInfo, onTrouble func(worker, reason string)) (Queue, error) {
	if !namePattern.MatchString(info.ID) {
		return nil, fmt.Errorf("experiment ID %q: must be up to 64 letters, digits, _ and -", info.ID)
	}
	q := &queue{c: c, info: info, me: newOwner(), trouble: onTrouble}
	q.results, q.put = make(chan js.Msg, ahead), map[string]*queued{}
	q.info.Scheduler = q.me.String()
	q.life, q.end = context.WithCancelCause(c.life)
	err := q.open(ctx)
	if err != nil {
		q.end(err)
		return nil, fmt.Errorf("%s: %w", c.o.URL, err)
	}
	for _, do := range []func(context.Context){q.holdClaim, q.watch, q.putLost} {
		q.ended.Go(func() { do(q.life) })
	}
	return q, nil
}

func (q *queue) open(ctx context.Context) error {
	if err := q.c.Prepare(ctx); err != nil {
		return err
	}
	if err := q.claim(ctx); err != nil {
		return err
	}
	// A new consumer delivers again the results that an earlier scheduler received but did not store.
	err := q.c.js.DeleteConsumer(ctx, resultsStream, q.info.ID)
	if err != nil && !errors.Is(err, js.ErrConsumerNotFound) {
		return err
	}
	return q.consume(ctx)
}

// consume starts to receive results.
func (q *queue) consume(ctx context.Context) error {
	results, err := q.c.js.CreateConsumer(ctx, resultsStream, js.ConsumerConfig{
		Durable: q.info.ID, FilterSubject: resultSubject(q.info.ID),
		AckPolicy: js.AckExplicitPolicy, AckWait: q.c.o.Silence, MaxAckPending: -1,
	})
	if err != nil {
		return err
	}
	consuming, err := results.Consume(func(m js.Msg) {
		select {
		case q.results <- m:
		case <-q.life.Done():
		}
	}, js.PullMaxMessages(ahead), js.PullHeartbeat(2*time.Second))
	if err == nil {
		context.AfterFunc(q.life, consuming.Stop)
	}
	return err
}

// Put implements Queue.
func (q *queue) Put(ctx context.Context, j Job) error {
	if !namePattern.MatchString(j.ID) {
		return fmt.Errorf("job ID %q: must be up to 64 letters, digits, _ and -", j.ID)
	}
	j.Queue, j.Name = q.info.ID, q.info.Name
	q.mu.Lock()
	q.put[j.ID] = &queued{job: j, at: time.Now()}
	q.mu.Unlock()
	return q.send(ctx, &j)
}

func (q *queue) subject(j *Job) string {
	return jobSubject(consumerName(q.info.Version, q.info.Signature, j.Programs), q.info.ID, j.ID)
}

// send stores a job on the server, unless it is there already.
func (q *queue) send(ctx context.Context, j *Job) error {
	data, err := json.Marshal(j)
	if err != nil {
		return err
	}
	if size := int64(len(data)); size > q.c.conn.MaxPayload()-1024 {
		return fmt.Errorf("%s: a job has %d bytes, but the server accepts at most %d: raise its max_payload", j.Player, size, q.c.conn.MaxPayload())
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(q.life, cancel)()
	err = q.c.retry(ctx, func(ctx context.Context) error {
		_, err := q.c.js.Publish(ctx, q.subject(j), data, js.WithExpectLastSequencePerSubject(0))
		if isConflict(err) {
			return nil // the job is already stored
		}
		return err
	})
	if q.life.Err() != nil {
		return q.ending()
	}
	return err
}

// isConflict reports whether the server refused a write because the last message of the subject is not the
// expected one.
func isConflict(err error) bool {
	var api *js.APIError
	return errors.As(err, &api) && api.ErrorCode == js.JSErrCodeStreamWrongLastSequence
}

// ending returns why the queue can no longer be used.
func (q *queue) ending() error {
	if err := q.c.closedError(); err != nil {
		return err
	}
	return context.Cause(q.life)
}

// putLost puts a job again if it has had no result for twice Options.Silence, since the server may have lost it. A job
// that the server still has stays unchanged. putLost returns when ctx ends.
func (q *queue) putLost(ctx context.Context) {
	for putAgain := 2 * q.c.o.Silence; wait(ctx, putAgain/4); {
		var late []*Job
		q.mu.Lock()
		for _, p := range q.put {
			if time.Since(p.at) > putAgain {
				p.at = time.Now()
				late = append(late, &p.job)
			}
		}
		q.mu.Unlock()
		for _, j := range late {
			_ = q.send(ctx, j) // on failure, the job is sent again after putAgain
		}
	}
}

// Next implements Queue.
func (q *queue) Next(ctx context.Context) (*Result, error) {
	for {
		if q.life.Err() != nil {
			return nil, q.ending()
		}
		select {
		case m := <-q.results:
			r, err := q.read(ctx, m)
			if r != nil || err != nil {
				return r, err
			}
		case <-q.life.Done():
			return nil, q.ending()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// read decodes a message with a result. It returns nil if there is no result for the caller.
func (q *queue) read(ctx context.Context, m js.Msg) (*Result, error) {
	var r resultMessage
	if err := json.Unmarshal(m.Data(), &r); err != nil || r.Build != consumerName(q.info.Version, q.info.Signature, false) {
		_ = m.Term() // the message is invalid, or from a build that the experiment used before
		return nil, nil
	}
	// If Ack fails, the result comes again.
	result := &Result{ID: r.ID, Payload: r.Payload, Worker: r.Worker, remove: func() { _ = m.Ack() }}
	result.stored = func() {
		q.mu.Lock()
		delete(q.put, r.ID)
		q.mu.Unlock()
	}
	switch {
	case r.Failed != "":
		result.remove()
		return q.failed(ctx, &r)
	case r.File != "":
		var data bytes.Buffer
		err := q.c.ReadFile(ctx, r.File, &data)
		if errors.Is(err, js.ErrObjectNotFound) {
			return q.Fail(ctx, result, err.Error())
		}
		if err != nil {
			return nil, nil // the server is unreachable: the result comes again
		}
		result.Payload = data.Bytes()
		result.remove = func() {
			_ = m.Ack()
			_ = q.c.RemoveFile(q.life, r.File) // on failure, the file expires
		}
	}
	return result, nil
}

// Fail implements Queue.
func (q *queue) Fail(ctx context.Context, r *Result, reason string) (*Result, error) {
	r.remove()
	return q.failed(ctx, &resultMessage{ID: r.ID, Worker: r.Worker, Failed: reason})
}

// failed records that a worker has failed to do a job. It puts the job again and returns nil. If
// the job failed too often, or too many of its workers fell silent, it removes the job and returns
// a result with Failed set.
func (q *queue) failed(ctx context.Context, r *resultMessage) (*Result, error) {
	q.mu.Lock()
	p := q.put[r.ID]
	if p == nil { // the job was done meanwhile, or an earlier scheduler queued it
		q.mu.Unlock()
		return nil, nil
	}
	p.failures++
	retry := p.failures < MaxFailures && !r.Lost
	if !retry {
		delete(q.put, r.ID)
	}
	q.mu.Unlock()
	if q.trouble != nil {
		q.trouble(r.Worker, r.Failed)
	}
	if retry {
		return nil, q.send(ctx, &p.job)
	}
	err := q.c.retry(ctx, func(ctx context.Context) error { return q.c.purge(ctx, jobsStream, q.subject(&p.job)) })
	return &Result{ID: r.ID, Failed: r.Failed, Worker: r.Worker}, err
}

// SetFinished implements Queue.
func (q *queue) SetFinished(games int) { q.finished.Store(int64(games)) }

// Close implements Queue.
func (q *queue) Close() error {
	q.end(ErrClosed)
	q.ended.Wait()
	return nil
}

// Remove implements Queue.
func (q *queue) Remove(ctx context.Context) error {
	err := errors.Join(
		q.c.purge(ctx, jobsStream, jobSubject("*", q.info.ID, "*")),
		q.c.js.DeleteConsumer(ctx, resultsStream, q.info.ID),
		q.c.purge(ctx, resultsStream, resultSubject(q.info.ID)))
	return errors.Join(err, q.Close())
}

// purge removes the messages with a subject from a stream.
func (c *Client) purge(ctx context.Context, stream, subject string) error {
	s, err := c.js.Stream(ctx, stream)
	if err != nil {
		return err
	}
	return s.Purge(ctx, js.WithPurgeSubject(subject))
}

// CleanUpTime limits the removal of a queue whose server may be unreachable.
const CleanUpTime = 10 * time.Second

// Leave leaves a queue. If ended is true, the work is complete, and Leave also removes the queue. What cannot
// be removed now expires later.
func Leave(ctx context.Context, q Queue, ended bool) error {
	if !ended {
		return q.Close()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), CleanUpTime)
	defer cancel()
	_ = q.Remove(ctx)
	return nil
}
