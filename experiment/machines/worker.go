package machines

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	js "github.com/nats-io/nats.go/jetstream"

	"github.com/afterstate2048/afterstate/internal/workers"
	"github.com/afterstate2048/afterstate/protocol"
)

// Do does a job. It returns the payload of the result, and the number of games to count as done.
type Do func(ctx context.Context, j *Job) (payload any, games int, err error)

// WorkerOptions configures a worker. Info and Core are required.
type WorkerOptions struct {
	Info protocol.Worker // Name, Cores, Version, Signature and AllowExec; the worker sets the rest
	// Core returns a function that does jobs. The worker calls Core once for each of its cores, and calls end
	// when the core takes no more jobs.
	Core func() (do Do, end func())
	// Pause is the time for which the worker takes no jobs after it has handed one back; 0 means a minute.
	Pause time.Duration
	// OnNotice is called with a message when a job could not be done, and once for each experiment of another
	// build.
	OnNotice func(text string)
}

// Worker does jobs from a server until its context ends.
type Worker struct {
	c *Client
	o WorkerOptions

	mu      sync.Mutex
	playing map[*Job]bool
	paused  time.Time // time until which the worker takes no jobs
	trouble string
	games   int64
	before  []count         // counts of the last minute, the oldest first
	refused map[string]bool // IDs of queues of other builds
}

// count is the number of games that the worker had delivered at a certain time.
type count struct {
	at    time.Time
	games int64
}

// maxDeliveries is the number of times that a job is given to workers. If they all fall silent or are
// stopped, the job counts as lost.
const maxDeliveries = 8

// NewWorker returns a worker. Call Work to start it.
func (c *Client) NewWorker(o WorkerOptions) (*Worker, error) {
	if o.Info.Cores < 1 {
		return nil, fmt.Errorf("%d cores: must be at least 1", o.Info.Cores)
	}
	if o.OnNotice == nil {
		o.OnNotice = func(string) {}
	}
	if o.Pause == 0 {
		o.Pause = time.Minute
	}
	o.Info.ID, o.Info.Host = rand.Text(), hostname()
	w := &Worker{c: c, o: o, playing: map[*Job]bool{}, refused: map[string]bool{}}
	w.before = []count{{at: time.Now()}}
	return w, nil
}

// Work does jobs until ctx ends. Then it hands back the jobs that it has not finished. It returns an error
// only if the connection has ended for good.
func (w *Worker) Work(ctx context.Context) error {
	present, leave := context.WithCancel(ctx)
	defer context.AfterFunc(w.c.life, leave)()
	var announcing sync.WaitGroup
	announcing.Go(func() { w.announce(present) })
	err := workers.Try(present, w.o.Info.Cores, func(ctx context.Context, core int) error { return w.core(ctx, core) })
	leave()
	announcing.Wait()
	if ctx.Err() != nil {
		return nil
	}
	if closed := w.c.closedError(); closed != nil {
		return closed
	}
	return err
}

// core does one job after another, until ctx ends.
func (w *Worker) core(ctx context.Context, core int) error {
	do, end := w.o.Core()
	defer end()
	names := []string{consumerName(w.o.Info.Version, w.o.Info.Signature, false)}
	if w.o.Info.AllowExec {
		names = append(names, consumerName(w.o.Info.Version, w.o.Info.Signature, true))
	}
	consumers := make([]js.Consumer, len(names))
	for turn := core; ctx.Err() == nil; turn++ {
		if left := w.pauseLeft(); left > 0 {
			wait(ctx, left)
			continue
		}
		m, err := js.Msg(nil), error(nil)
		for i := 0; i < len(names) && m == nil && err == nil; i++ {
			turn++
			m, err = w.next(ctx, &consumers[turn%len(names)], names[turn%len(names)])
		}
		switch {
		case err != nil:
			wait(ctx, retryEvery)
		case m == nil:
			wait(ctx, lookEvery)
		case ctx.Err() != nil || w.pauseLeft() > 0: // the worker was stopped or paused after it had requested the job
			_ = m.Nak()
		default:
			w.job(ctx, m, do)
		}
	}
	return nil
}

// lookEvery is the time between two requests of an idle core for a job. The cores poll and do
// not wait at the server: while a worker stops, the server could give a job that one core hands back
// to the waiting request of another core. The job would then wait for Options.Silence.
const lookEvery = 200 * time.Millisecond

// next takes a job from the consumer with a name. It returns nil if no job waits.
func (w *Worker) next(ctx context.Context, c *js.Consumer, name string) (m js.Msg, err error) {
	defer func() {
		if err != nil {
			*c = nil // look the consumer up again: the server may have lost it
		}
	}()
	if *c == nil {
		short, cancel := context.WithTimeout(ctx, requestTimeout)
		defer cancel()
		if err := w.c.Prepare(short); err != nil {
			return nil, err
		}
		if *c, err = w.c.consumer(short, name); err != nil {
			return nil, err
		}
	}
	batch, err := (*c).FetchNoWait(1)
	if err != nil {
		return nil, err
	}
	if m = <-batch.Messages(); m != nil {
		return m, nil
	}
	return nil, batch.Error()
}

// pauseLeft returns how long the worker is still paused.
func (w *Worker) pauseLeft() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return time.Until(w.paused)
}

// job does a job and delivers its result, or hands it back.
func (w *Worker) job(ctx context.Context, m js.Msg, do Do) {
	j := new(Job)
	about, err := m.Metadata()
	if err == nil {
		err = json.Unmarshal(m.Data(), j)
	}
	if err != nil {
		_ = m.Term() // the message is not a valid job
		return
	}
	r := resultMessage{ID: j.ID, Worker: w.o.Info.Name, Build: consumerName(w.o.Info.Version, w.o.Info.Signature, false)}
	if about.NumDelivered > maxDeliveries {
		r.Failed, r.Lost = fmt.Sprintf("%s: workers took the job %d times, and none finished it", j.Player, maxDeliveries), true
		_ = w.deliver(ctx, j.Queue, &r, "")
		return
	}
	w.mu.Lock()
	w.playing[j] = true
	w.mu.Unlock()
	connections := w.c.conn.Stats().Reconnects
	alive := w.keepAlive(ctx, m)
	payload, games, err := do(ctx, j)
	if err == nil {
		r.Payload, err = json.Marshal(payload)
	}
	if err == nil { // a finished result is delivered even while this worker is being stopped
		last, cancel := context.WithCancel(context.WithoutCancel(ctx))
		stop := context.AfterFunc(ctx, func() { time.AfterFunc(lastDelivery, cancel) })
		// The server drops a result that is sent twice with this ID. A job that was put again has another ID.
		if err = w.deliver(last, j.Queue, &r, fmt.Sprint(j.ID, "-", about.Sequence.Stream)); err == nil {
			_ = m.Ack() // on failure, the job is done again
		}
		stop()
		cancel()
	}
	alive()
	w.mu.Lock()
	delete(w.playing, j)
	if err == nil {
		w.games += int64(games)
	}
	w.mu.Unlock()
	switch {
	case err == nil:
	// The worker is not at fault: it is being stopped, or the connection has failed.
	case ctx.Err() != nil, !w.c.conn.IsConnected(), w.c.conn.Stats().Reconnects != connections:
		_ = m.Nak()
	// The server does not have a file of the job, so no worker can do it. If the job was done before, the scheduler has
	// removed the file, and it ignores this failure.
	case errors.Is(err, js.ErrObjectNotFound):
		short, cancel := context.WithTimeout(ctx, requestTimeout)
		_ = m.DoubleAck(short) // removed before the failure arrives, so that the scheduler can put the job again
		cancel()
		r.Payload, r.Failed = nil, err.Error()
		_ = w.deliver(ctx, j.Queue, &r, "")
	default:
		w.handBack(ctx, j, m, &r, err)
	}
}

// lastDelivery limits the last delivery of a worker that is being stopped.
const lastDelivery = 10 * time.Second

// handBack hands a job back with the reason, and pauses the worker.
func (w *Worker) handBack(ctx context.Context, j *Job, m js.Msg, r *resultMessage, reason error) {
	w.mu.Lock()
	w.paused, w.trouble = time.Now().Add(w.o.Pause), reason.Error()
	w.mu.Unlock()
	w.o.OnNotice(fmt.Sprintf("handed back %s of %s: %v; taking no jobs for %v", j.Player, j.Name, reason, w.o.Pause))
	r.Payload, r.Failed = nil, reason.Error()
	_ = w.deliver(ctx, j.Queue, r, "")
	_ = m.Nak()
}

// deliver stores a result on the server. If id is not "", the server drops later results with the same id. A
// payload that is too large for a message is stored as a file.
func (w *Worker) deliver(ctx context.Context, queue string, r *resultMessage, id string) error {
	const headers = 1024 // maximum size of the message without its payload
	var options []js.PublishOpt
	if id != "" {
		options = append(options, js.WithMsgID(id))
	}
	return w.c.retry(ctx, func(short context.Context) error {
		if int64(len(r.Payload)) > w.c.conn.MaxPayload()-headers {
			sum, err := w.c.putBytes(ctx, r.Payload)
			if err != nil {
				return err
			}
			r.Payload, r.File = nil, sum
		}
		data, err := json.Marshal(r)
		if err == nil {
			_, err = w.c.js.Publish(short, resultSubject(queue), data, options...)
		}
		return err
	})
}

// keepAlive tells the server regularly that the worker still does a job, until stop is called.
func (w *Worker) keepAlive(ctx context.Context, m js.Msg) (stop func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var done sync.WaitGroup
	done.Go(func() {
		for wait(ctx, w.c.o.Silence/3) {
			_ = m.InProgress() // if this call fails, the next one may succeed
		}
	})
	return func() {
		cancel()
		done.Wait()
	}
}

// Info returns the worker's current state, as it announces it.
func (w *Worker) Info() protocol.Worker {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	info := w.o.Info
	first := w.before[0]
	info.Games, info.GamesPerS = w.games, float64(w.games-first.games)/max(now.Sub(first.at), time.Second).Seconds()
	info.Trouble = w.trouble
	switch {
	case len(w.playing) > 0:
		info.State = protocol.WorkerPlaying
	case now.Before(w.paused):
		info.State = protocol.WorkerPaused
	default:
		info.State = protocol.WorkerWaiting
	}
	cores := map[[2]string]int{}
	for j := range w.playing {
		cores[[2]string{j.Name, j.Player}]++
	}
	byName := func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }
	for _, key := range slices.SortedFunc(maps.Keys(cores), byName) {
		info.Playing = append(info.Playing, protocol.PlayedJobs{Experiment: key[0], Player: key[1], Cores: cores[key]})
	}
	return info
}

// announce publishes the worker's state regularly until ctx ends, and reports experiments of other builds.
func (w *Worker) announce(ctx context.Context) {
	tick := 0
	for more := true; more; more = wait(ctx, workerEvery) {
		w.mu.Lock()
		w.before = append(w.before, count{time.Now(), w.games})
		for time.Since(w.before[0].at) > time.Minute {
			w.before = w.before[1:]
		}
		w.mu.Unlock()
		short, cancel := context.WithTimeout(ctx, workerEvery)
		if err := w.publish(short); err != nil { // the bucket may not exist yet
			_ = w.c.Prepare(short)
			_ = w.publish(short)
		}
		if tick++; tick%2 == 1 {
			w.noteOtherBuilds(short)
		}
		cancel()
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWord)
	defer cancel()
	if kv, err := w.c.js.KeyValue(last, workersBucket); err == nil {
		_ = kv.Delete(last, w.o.Info.ID) // on failure, the entry expires
	}
}

// publish writes the worker's entry in the bucket of workers.
func (w *Worker) publish(ctx context.Context) error {
	kv, err := w.c.js.KeyValue(ctx, workersBucket)
	if err == nil {
		data, _ := json.Marshal(w.Info()) // cannot fail: there are only strings and numbers
		_, err = kv.Put(ctx, w.o.Info.ID, data)
	}
	return err
}

// noteOtherBuilds reports the experiments of other builds, which this worker cannot play, each of them once.
func (w *Worker) noteOtherBuilds(ctx context.Context) {
	all, err := w.c.queues(ctx)
	if err != nil {
		return
	}
	for i := range all {
		q := &all[i]
		if reason := otherBuild(q, &w.o.Info); reason != "" && !w.refused[q.ID] {
			w.refused[q.ID] = true
			w.o.OnNotice(fmt.Sprintf("cannot play %s: %s", q.Name, reason))
		}
	}
}

// otherBuild returns why a worker takes no jobs of a queue; "" if the builds match.
func otherBuild(q *QueueInfo, w *protocol.Worker) string {
	if consumerName(q.Version, q.Signature, false) == consumerName(w.Version, w.Signature, false) {
		return ""
	}
	build := func(version, signature string) string {
		return strings.TrimSuffix(fmt.Sprintf("version %s (signature %s)", version, signature), " (signature )")
	}
	return fmt.Sprintf("the jobs come from %s, this worker is %s: both need the same signature",
		build(q.Version, q.Signature), build(w.Version, w.Signature))
}
