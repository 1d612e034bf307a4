package jetstream

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	js "github.com/nats-io/nats.go/jetstream"

	"github.com/afterstate2048/afterstate/experiment/arena"
)

// announce publishes what this worker is and does.
func (w *WorkerConn) announce() {
	w.mu.Lock()
	w.before = append(w.before, count{time.Now(), w.games})
	for time.Since(w.before[0].at) > rateOver {
		w.before = w.before[1:]
	}
	w.mu.Unlock()
	data, _ := json.Marshal(w.Info()) // strings and numbers
	_ = w.c.conn.Publish(w.c.names.worker(w.o.Info.ID), data)
}

// Workers returns the workers that were heard in the last 10 minutes, by name, at most the 32,768 that were
// heard last. A worker announces itself every 5 s.
func (c *Client) Workers(ctx context.Context) (all []WorkerInfo, err error) {
	found, err := c.latest(ctx, c.names.workers(), c.names.worker("*"))
	if err != nil {
		return nil, c.missing(err)
	}
	for _, m := range found {
		var w WorkerInfo
		if len(m.Data) == 0 || json.Unmarshal(m.Data, &w) != nil {
			continue // it left, or is no worker
		}
		w.ID = subjectID(m)
		w.LastHeard, _ = time.Parse(time.RFC3339Nano, m.Header.Get("Nats-Time-Stamp")) // the server writes it
		w.Lost = time.Since(w.LastHeard) > presence
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b WorkerInfo) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID)) })
	return all, nil
}

// Experiments returns the queues that are open, or were left with chunks, by the name of the experiment. It
// needs the permissions of a scheduler.
func (c *Client) Experiments(ctx context.Context) (all []arena.QueueStatus, err error) {
	found, err := c.latest(ctx, c.names.state(), c.names.experiment("*"))
	if err != nil {
		return nil, c.missing(err)
	}
	for _, m := range found {
		var x arena.QueueStatus
		if json.Unmarshal(m.Data, &x.QueueInfo) != nil || x.ID == "" {
			continue
		}
		if x.Queued, err = c.count(ctx, c.names.chunks(), c.names.chunk(x.ID, "*", "*")); err != nil {
			return nil, err
		}
		if x.Results, err = c.count(ctx, c.names.results(), c.names.result(x.ID)); err != nil {
			return nil, err
		}
		if o, err := c.owner(ctx, x.ID); err == nil && o != nil {
			x.Scheduler, x.Finished = o.String(), o.Finished
		}
		all = append(all, x)
	}
	slices.SortFunc(all, func(a, b arena.QueueStatus) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID)) })
	return all, nil
}

// count is the number of messages with a subject.
func (c *Client) count(ctx context.Context, stream, subject string) (n int, err error) {
	all, err := c.subjects(ctx, stream, subject)
	for _, k := range all {
		n += int(k)
	}
	return n, err
}

// subjects returns the subjects that match a pattern, with the number of messages of each.
func (c *Client) subjects(ctx context.Context, stream, pattern string) (map[string]uint64, error) {
	s, err := c.js.Stream(ctx, stream)
	if err != nil {
		return nil, err
	}
	info, err := s.Info(ctx, js.WithSubjectFilter(pattern))
	if err != nil {
		return nil, err
	}
	return info.State.Subjects, nil
}

// presence is how long a worker counts as present after an announcement.
const presence = 4 * announceEvery

// workforce is what the present workers can play of an experiment: cores by lane. refusals are those of lanes that none
// of them plays.
type workforce struct {
	cores    map[string]int
	refusals []arena.Refusal
}

// countCores counts the cores of the workers that can play an experiment's lanes, are present and were not rejected. now
// is the time of the server's clock.
func countCores(all []WorkerInfo, lanes []openLane, now time.Time) *workforce {
	f := &workforce{cores: map[string]int{}}
	all = slices.DeleteFunc(all, func(w WorkerInfo) bool { return w.Rejected != "" || now.Sub(w.LastHeard) > presence })
	for i := range lanes {
		l := &lanes[i]
		var refusal *arena.Refusal
		for i := range all {
			w := &all[i]
			reason := cmp.Or(w.cannotPlay(l), w.Refused[l.key()].Reason)
			if reason == "" {
				f.cores[l.Name] += min(max(w.Cores, 0), maxCores)
			} else if refusal == nil {
				r := l.refusal(reason)
				r.Worker = w.Name
				refusal = &r
			}
		}
		f.cores[l.Name] = min(f.cores[l.Name], maxChunks/2)
		if refusal != nil && f.cores[l.Name] == 0 && len(l.Players) > 0 {
			f.add(*refusal)
		}
	}
	return f
}

// add adds a refusal, to the one for the same reason if there is one.
func (f *workforce) add(r arena.Refusal) {
	for i := range f.refusals {
		if f.refusals[i].Reason == r.Reason {
			f.refusals[i].Players = slices.Concat(f.refusals[i].Players, r.Players)
			return
		}
	}
	f.refusals = append(f.refusals, r)
}

const (
	maxCores  = 4096    // of one worker
	maxChunks = 100_000 // queued for one experiment
)
