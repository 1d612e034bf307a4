package jetstream

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	js "github.com/nats-io/nats.go/jetstream"

	"afterstate/arena"
)

// announce publishes what this worker is and does.
func (w *Worker) announce() {
	data, _ := json.Marshal(w.Info()) // strings and numbers
	_ = w.c.conn.Publish(w.c.names.worker(w.o.Info.ID[:1], w.o.Info.ID), data)
}

// Workers returns the workers that were heard in the last 10 minutes, by name. A worker announces
// itself every 5 s.
func (c *Client) Workers(ctx context.Context) (all []WorkerInfo, err error) {
	for _, group := range strings.Split("0123456789abcdef", "") {
		found, err := c.direct(ctx, c.names.workers(), directRequest{MultiLast: []string{c.names.worker(group, "*")}})
		if err != nil {
			return nil, c.missing(err)
		}
		for _, m := range found {
			var w WorkerInfo
			if len(m.Data) == 0 || json.Unmarshal(m.Data, &w) != nil {
				continue // it left, or is no worker
			}
			subject := m.Header.Get("Nats-Subject")
			w.ID, w.LastHeard = subject[strings.LastIndexByte(subject, '.')+1:], stored(m)
			all = append(all, w)
		}
	}
	slices.SortFunc(all, func(a, b WorkerInfo) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID)) })
	return all, nil
}

// Experiments returns the queues that are open, or were left with chunks, by the name of the experiment. It
// needs the permissions of a scheduler.
func (c *Client) Experiments(ctx context.Context) (all []arena.QueueStatus, err error) {
	found, err := c.direct(ctx, c.names.state(), directRequest{MultiLast: []string{c.names.experiment("*")}})
	if err != nil {
		return nil, c.missing(err)
	}
	for _, m := range found {
		var x arena.QueueStatus
		if json.Unmarshal(m.Data, &x.QueueInfo) != nil || x.ID == "" {
			continue
		}
		if x.Queued, err = c.count(ctx, c.names.chunks(), c.names.chunk(x.ID, "*")); err != nil {
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

// census counts the cores of the present workers. Their clocks do not matter: a worker is present if
// its announcement has changed lately.
type census map[string]sighting

// sighting is when an announcement was seen to change, and the time that the server gave it.
type sighting struct {
	stored time.Time
	seen   time.Time
}

// cores returns the number of cores of the present workers that can play an experiment.
func (s census) cores(all []WorkerInfo, x *arena.QueueInfo, now time.Time) (cores int) {
	present := census{}
	for i := range all {
		w := Worker{o: WorkerOptions{Info: all[i]}}
		last := s[all[i].ID]
		if !last.stored.Equal(all[i].LastHeard) {
			last = sighting{all[i].LastHeard, now}
		}
		present[all[i].ID] = last
		if w.cannotPlay(x) == "" && all[i].Rejected == "" && now.Sub(last.seen) < presence {
			cores += min(max(all[i].Cores, 0), maxCores)
		}
	}
	clear(s)
	maps.Copy(s, present)
	return min(cores, maxChunks/2)
}

const (
	maxCores  = 4096    // of one worker
	maxChunks = 100_000 // queued for one experiment
)
