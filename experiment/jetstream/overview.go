package jetstream

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/protocol"
)

// Overview returns the workers and the queues of the server. Without the permissions of a scheduler it returns no queues.
func (c *Client) Overview(ctx context.Context) (*protocol.WorkerList, error) {
	list := &protocol.WorkerList{Server: c.o.URL, Workers: []protocol.Worker{}, Queues: []protocol.ExperimentQueue{}}
	workers, err := c.Workers(ctx)
	if err != nil {
		return nil, err
	}
	found, err := c.latest(ctx, c.names.state(), c.names.rejected("*"))
	if err != nil {
		return nil, err
	}
	var queues []arena.QueueStatus
	now := time.Now()
	err = c.permitted(ctx, func(error) bool { return false }, func(ctx context.Context) error {
		if now, err = c.clock(ctx); err == nil {
			queues, err = c.Experiments(ctx)
		}
		return err
	})
	if list.Denied = errors.Is(err, ErrDenied); err != nil && !list.Denied {
		return nil, err
	}
	rejected := map[string]*nats.Msg{}
	for _, m := range found {
		if len(m.Data) > 0 {
			rejected[subjectID(m)] = m
		}
	}
	for i := range workers {
		w := &workers[i]
		w.seen(now, rejected[w.ID])
		delete(rejected, w.ID)
		list.Workers = append(list.Workers, w.Worker)
	}
	for _, id := range slices.Sorted(maps.Keys(rejected)) { // they have ended
		w := WorkerInfo{Worker: protocol.Worker{ID: id, Name: id}, LastHeard: stored(rejected[id])}
		w.seen(now, rejected[id])
		list.Workers = append(list.Workers, w.Worker)
	}
	for i := range queues {
		list.Queues = append(list.Queues, queues[i].ExperimentQueue)
	}
	return list, nil
}

// clock returns the time of the server's clock, to which the times of its messages belong.
func (c *Client) clock(ctx context.Context) (time.Time, error) {
	s, err := c.js.Stream(ctx, c.names.workers())
	if err != nil {
		return time.Now(), err
	}
	return s.CachedInfo().TimeStamp, nil
}

// stored is when the server stored a message.
func stored(m *nats.Msg) time.Time {
	at, _ := time.Parse(time.RFC3339Nano, m.Header.Get("Nats-Time-Stamp")) // the server writes it
	return at
}

// seen sets what others know of a worker at a time of the server's clock; rejection is nil if no scheduler has rejected it.
func (w *WorkerInfo) seen(now time.Time, rejection *nats.Msg) {
	w.HeardS = max(now.Sub(w.LastHeard), 0).Seconds()
	for _, lane := range slices.Sorted(maps.Keys(w.Refused)) {
		r := w.Refused[lane]
		w.Failures = append(w.Failures, protocol.WorkerFailure{Kind: protocol.FailedRefused, Experiment: r.Experiment, Player: r.Names(), Reason: r.Reason})
	}
	switch {
	case rejection != nil:
		w.State, w.SinceS, w.Playing = protocol.WorkerRejected, max(now.Sub(stored(rejection)), 0).Seconds(), nil
		w.Failures = append(w.Failures, protocol.WorkerFailure{Kind: protocol.FailedRejected, Reason: string(rejection.Data)})
	case w.HeardS > presence.Seconds():
		w.State, w.SinceS = protocol.WorkerLost, w.HeardS
	}
}

// Experiments returns the queues that are open, or were left with chunks, by the name of the experiment. It
// needs the permissions of a scheduler.
func (c *Client) Experiments(ctx context.Context) (all []arena.QueueStatus, err error) {
	found, err := c.latest(ctx, c.names.state(), c.names.experiment("*"))
	if err != nil {
		return nil, c.missing(err)
	}
	lanes, err := c.lanes(ctx)
	if err != nil {
		return nil, err
	}
	for _, m := range found {
		var info arena.QueueInfo
		if json.Unmarshal(m.Data, &info) != nil || info.ID == "" {
			continue
		}
		x := arena.QueueStatus{ID: info.ID}
		x.Name, x.Size, x.Players, x.Games = info.Name, info.Size, info.Players, info.Games
		for _, l := range lanes {
			if strings.HasPrefix(l.Name, x.ID+"-") {
				x.Waiting += int(l.NumPending)
				x.Leased += l.NumAckPending
				x.Redelivered += l.NumRedelivered
			}
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

// lanes returns what the server knows of the lanes of all experiments.
func (c *Client) lanes(ctx context.Context) (all []*js.ConsumerInfo, err error) {
	s, err := c.js.Stream(ctx, c.names.chunks())
	if err != nil {
		return nil, err
	}
	list := s.ListConsumers(ctx)
	for info := range list.Info() {
		all = append(all, info)
	}
	return all, list.Err()
}
