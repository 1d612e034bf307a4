//go:build !js

package experiment

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/machines"
)

// sharedQueue carries chunks to the workers of this process and, as jobs, to workers on other machines. It implements
// arena.Queue. Jobs that workers on other machines cannot do are done in this process.
type sharedQueue struct {
	*arena.LocalQueue // queue for the workers of this process
	jobs              machines.Queue
	localWorkers      int // number of workers of this process; 0: one worker, only for failed jobs
	accepts           func(c *arena.Chunk) (programs, ok bool)

	mu   sync.Mutex
	sent []sentChunk // chunks sent to other machines, the oldest first
}

// sentChunk is a chunk that was sent to other machines, with the ID of its job.
type sentChunk struct {
	id    string
	chunk arena.Chunk
}

// gamesPayload is the payload of a job's result.
type gamesPayload struct {
	Chunk arena.Chunk      `json:"chunk"`
	Games []arena.Recorded `json:"games"`
}

// run runs a scheduler on the queue. Meanwhile it receives the results of jobs.
func (q *sharedQueue) run(ctx context.Context, s *arena.Scheduler, w arena.Worker) error {
	ctx, stop := context.WithCancelCause(ctx)
	var receiving sync.WaitGroup
	receiving.Go(func() { stop(q.receive(ctx)) })
	s.Queue, w.Queue = q, q.LocalQueue
	err := s.Run(ctx, w, max(q.localWorkers, 1)) // at least one worker, for jobs that failed elsewhere
	cause := context.Cause(ctx)
	stop(nil)
	receiving.Wait()
	if err != nil && err == ctx.Err() {
		return cause
	}
	return err
}

// Put implements arena.Queue. Each worker of this process gets two chunks; the other chunks go to other machines.
func (q *sharedQueue) Put(ctx context.Context, c arena.Chunk) error {
	if q.Pending() < 2*q.localWorkers {
		return q.LocalQueue.Put(ctx, c)
	}
	id := c.ID()
	q.mu.Lock()
	q.sent = append(q.sent, sentChunk{id, c})
	q.mu.Unlock()
	payload, err := json.Marshal(c)
	if err != nil {
		return err
	}
	programs, _ := q.accepts(&c)
	return q.jobs.Put(ctx, machines.Job{ID: id, Kind: machines.Games, Payload: payload, Player: c.Player, Programs: programs})
}

// help moves chunks that were sent to other machines, the oldest first, to the workers of this process if these have
// nothing to do. The workers on other machines may be gone, or busy with another experiment. Call help regularly.
func (q *sharedQueue) help(ctx context.Context) {
	if q.Pending() > 0 {
		return
	}
	q.mu.Lock()
	chunks := slices.Clone(q.sent[:min(q.localWorkers, len(q.sent))])
	q.sent = q.sent[len(chunks):]
	q.mu.Unlock()
	for _, c := range chunks {
		_ = q.LocalQueue.Put(ctx, c.chunk) // Put fails only if ctx has ended
	}
}

// receive handles the results of jobs until ctx ends.
func (q *sharedQueue) receive(ctx context.Context) error {
	for {
		r, err := q.jobs.Next(ctx)
		if err == nil {
			err = q.take(ctx, r)
		}
		if err != nil {
			return err
		}
	}
}

// take delivers the games of a result, or gives the chunk of a failed job to the workers of this process.
func (q *sharedQueue) take(ctx context.Context, r *machines.Result) error {
	if r.Failed == "" {
		var got gamesPayload
		wrong := json.Unmarshal(r.Payload, &got)
		_, ok := q.accepts(&got.Chunk)
		switch {
		case wrong == nil && (!ok || got.Chunk.ID() != r.ID): // player or setup changed after the job was queued
			r.Ack()
			return nil
		case wrong == nil:
			wrong = arena.Verify(&got.Chunk, got.Games)
		}
		if wrong == nil {
			q.forget(r.ID)
			return q.LocalQueue.Deliver(ctx, arena.Delivery{Chunk: got.Chunk, Games: got.Games, Stored: r.Ack})
		}
		var err error
		if r, err = q.jobs.Fail(ctx, r, fmt.Sprintf("invalid games: %v", wrong)); r == nil || err != nil {
			return err
		}
	}
	chunk := q.forget(r.ID)
	if chunk == nil {
		return nil // help has already moved the chunk to this process, or an earlier scheduler queued the job
	}
	return q.LocalQueue.Put(ctx, *chunk)
}

// forget removes the chunk with this ID from the chunks that were sent to other machines, and returns it; nil
// if it is not among them.
func (q *sharedQueue) forget(id string) *arena.Chunk {
	q.mu.Lock()
	defer q.mu.Unlock()
	at := slices.IndexFunc(q.sent, func(c sentChunk) bool { return c.id == id })
	if at < 0 {
		return nil
	}
	c := q.sent[at].chunk
	q.sent = slices.Delete(q.sent, at, at+1)
	return &c
}
