package machines

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	js "github.com/nats-io/nats.go/jetstream"

	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/protocol"
)

// Workers returns the workers that announced themselves in the last 20 seconds, sorted by name.
func (c *Client) Workers(ctx context.Context) ([]protocol.Worker, error) {
	return entries(ctx, c, workersBucket, func(w *protocol.Worker) string { return w.Name + " " + w.ID })
}

// queues returns the queues that have a scheduler, sorted by the name of the experiment.
func (c *Client) queues(ctx context.Context) ([]QueueInfo, error) {
	all, err := entries(ctx, c, queuesBucket, func(q *claimed) string { return q.Name + " " + q.ID })
	return each.Of(all, func(q claimed) QueueInfo { return q.QueueInfo }), err
}

// entries returns the values in a bucket, sorted by the key that order returns. It leaves out
// values that cannot be decoded.
func entries[T any](ctx context.Context, c *Client, bucket string, order func(*T) string) (all []T, err error) {
	kv, err := c.js.KeyValue(ctx, bucket)
	if err != nil {
		return nil, err
	}
	w, err := kv.WatchAll(ctx, js.IgnoreDeletes())
	if err != nil {
		return nil, err
	}
	defer func() { _ = w.Stop() }()
	found := map[string]T{}
	for {
		select {
		case entry := <-w.Updates():
			if entry == nil { // nil: all existing entries have arrived
				return slices.SortedFunc(maps.Values(found), func(a, b T) int { return cmp.Compare(order(&a), order(&b)) }), nil
			}
			var v T
			if json.Unmarshal(entry.Value(), &v) == nil {
				found[entry.Key()] = v
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Experiments returns the experiments that have a scheduler, by the ID of their queue.
func (c *Client) Experiments(ctx context.Context) (map[string]protocol.SharedExperiment, error) {
	queues, err := c.queues(ctx)
	all := map[string]protocol.SharedExperiment{}
	for i := range queues {
		all[queues[i].ID] = queues[i].SharedExperiment
	}
	return all, err
}

// Overview returns the workers and the queues of the server.
func (c *Client) Overview(ctx context.Context) (*protocol.WorkerList, error) {
	list := &protocol.WorkerList{Server: c.o.URL, Workers: []protocol.Worker{}, Queues: []protocol.ExperimentQueue{}}
	if err := c.Prepare(ctx); err != nil { // before the first experiment, the streams do not exist
		return nil, err
	}
	workers, err := c.Workers(ctx)
	if err != nil {
		return nil, err
	}
	list.Workers = append(list.Workers, workers...)
	queues, err := c.queues(ctx)
	if err != nil {
		return nil, err
	}
	jobs, err := c.js.Stream(ctx, jobsStream)
	if err != nil {
		return nil, err
	}
	for i := range queues {
		q := &queues[i]
		info, err := jobs.Info(ctx, js.WithSubjectFilter(jobSubject("*", q.ID, "*")))
		if err != nil {
			return nil, err
		}
		list.Queues = append(list.Queues, protocol.ExperimentQueue{SharedExperiment: q.SharedExperiment, Jobs: len(info.State.Subjects)})
	}
	return list, nil
}

// Cores implements Queue.
func (q *queue) Cores(programs bool) (n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i := range q.workers {
		if w := &q.workers[i]; q.takes(w, programs) {
			n += w.Cores
		}
	}
	return min(n, maxCores)
}

// takes reports whether a worker takes jobs of the queue. If programs is true, these jobs run other programs.
func (q *queue) takes(w *protocol.Worker, programs bool) bool {
	return otherBuild(&q.info, w) == "" && (w.AllowExec || !programs)
}

// Refusal implements Queue.
func (q *queue) Refusal(programs bool) string {
	q.mu.Lock()
	defer q.mu.Unlock()
	text := ""
	for i := range q.workers {
		w := &q.workers[i]
		switch {
		case q.takes(w, programs):
			return ""
		case q.takes(w, false):
			text = fmt.Sprintf("worker %s may not run or connect to other programs: start it with --allow-exec", w.Name)
		case text == "":
			text = fmt.Sprintf("%s (worker %s)", otherBuild(&q.info, w), w.Name)
		}
	}
	return text
}

// watch keeps q.workers up to date until ctx ends. It also recreates streams and consumers if the server has
// lost its disk.
func (q *queue) watch(ctx context.Context) {
	const every = 2 * time.Second
	for more := true; more; more = wait(ctx, every) {
		short, cancel := context.WithTimeout(ctx, requestTimeout)
		if all, err := q.c.Workers(short); err == nil {
			q.mu.Lock()
			q.workers = all
			q.mu.Unlock()
		}
		if q.c.removeStale(short, resultsStream, q.info.ID) {
			_ = q.c.Prepare(short)
			_ = q.consume(short) // on failure, the consumer is still missing, and the next pass tries again
		}
		for _, programs := range []bool{false, true} { // workers recreate the consumers that are removed here
			q.c.removeStale(short, jobsStream, consumerName(q.info.Version, q.info.Signature, programs))
		}
		cancel()
	}
}

// removeStale removes a consumer that is ahead of its stream, and reports whether the consumer is
// missing now. After a full disk a server may create a stream again, and an old consumer would not
// deliver the first messages of the new stream.
func (c *Client) removeStale(ctx context.Context, stream, consumer string) (missing bool) {
	s, err := c.js.Stream(ctx, stream)
	if err != nil {
		return errors.Is(err, js.ErrStreamNotFound)
	}
	of, err := s.Consumer(ctx, consumer)
	if err != nil {
		return errors.Is(err, js.ErrConsumerNotFound)
	}
	if of.CachedInfo().Delivered.Stream <= s.CachedInfo().State.LastSeq {
		return false
	}
	// Messages may have been delivered after the stream's state was fetched: compare with its
	// current state.
	if info, err := s.Info(ctx); err != nil || of.CachedInfo().Delivered.Stream <= info.State.LastSeq {
		return false
	}
	return s.DeleteConsumer(ctx, consumer) == nil
}
