package jetstream

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/protocol"
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
		w.LastHeard = stored(m)
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b WorkerInfo) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID)) })
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
			reason := cmp.Or(cannotPlay(&w.Worker, l), w.Refused[l.key()].Reason)
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

// refresh reads the open experiments, and whether this worker was rejected.
func (w *WorkerConn) refresh(ctx context.Context) error {
	n := w.c.names
	all, err := w.c.latest(ctx, n.state(), n.experiment("*"))
	var rejected []*nats.Msg
	if err == nil {
		rejected, err = w.c.direct(ctx, n.state(), directRequest{Last: n.rejected(w.o.Info.ID)})
	}
	if err != nil && !errors.Is(err, nats.ErrNoResponders) { // no experiment was begun yet
		return err
	}
	now := time.Now()
	var open []openLane
	var fresh []arena.Refusal
	w.mu.Lock()
	for _, m := range rejected {
		w.rejected = fmt.Errorf("%w: %s", ErrRejected, m.Data)
	}
	refused := map[string]failure{}
	for _, m := range all {
		var x arena.QueueInfo
		if json.Unmarshal(m.Data, &x) != nil || !namePattern.MatchString(x.ID) {
			continue
		}
		lanes := lanesOf(&x)
		if otherProgram(&w.o.Info, &x) != "" {
			lanes = []openLane{{&x, arena.Lane{Name: common, Players: x.Players}}} // one refusal of all players
		}
		for _, l := range lanes {
			reason := cannotPlay(&w.o.Info, &l)
			old, known := w.refused[l.key()]
			if reason == "" && !old.until.IsZero() {
				refused[l.key()] = old // also when it is tried again, which is no news
			}
			switch {
			case reason != "":
				refused[l.key()] = failure{Refusal: l.refusal(reason)}
				if !known {
					fresh = append(fresh, l.refusal(reason))
				}
			case !now.Before(old.until):
				open = append(open, l)
			}
		}
	}
	w.welcome(open)
	more := len(open) != len(w.open)
	w.open, w.refused = open, refused
	w.mu.Unlock()
	for _, r := range fresh {
		w.o.OnRefused(r)
	}
	if more { // the stream of announcements may be new
		w.announce()
	}
	return nil
}

// welcome counts the time from now on if there is a new experiment, so that it does not catch up.
func (w *WorkerConn) welcome(open []openLane) {
	if !slices.ContainsFunc(open, func(l openLane) bool { _, known := w.spent[l.key()]; return !known }) {
		return
	}
	clear(w.spent)
	for _, l := range open {
		w.spent[l.key()] = 0
	}
}

// otherProgram is why no player of an experiment plays here as at its scheduler, "" if they may.
func otherProgram(i *protocol.Worker, x *arena.QueueInfo) string {
	switch {
	case x.Signature != i.Signature:
		return fmt.Sprintf("the experiment is played by version %s (signature %s), this worker is version %s (signature %s): must be the same signature",
			x.Version, cmp.Or(x.Signature, "unknown"), i.Version, cmp.Or(i.Signature, "unknown"))
	case x.Signature == "" && x.Version != i.Version:
		return fmt.Sprintf("the experiment is played by version %s, this worker is version %s: must be the same version", x.Version, i.Version)
	}
	return ""
}

// cannotPlay is why the players of a lane cannot be played by a worker, "" if they can.
func cannotPlay(i *protocol.Worker, l *openLane) string {
	reason := otherProgram(i, l.experiment)
	if reason == "" && l.AllowExec && !i.AllowExec {
		reason = "workers run other programs and connect to them with --allow-exec only"
	}
	return reason
}

// pullRequest is a request for chunks.
type pullRequest struct {
	Batch   int           `json:"batch"`
	NoWait  bool          `json:"no_wait,omitempty"`
	Expires time.Duration `json:"expires,omitempty"`
}

// pull asks for one chunk of a lane, and waits for up to patience. It returns nil without one.
func (w *WorkerConn) pull(ctx context.Context, lane openLane, patience time.Duration) *lease {
	answers, done, err := w.c.ask(w.c.names.next(lane.key()), pullRequest{1, patience == 0, patience}, 1)
	if err != nil {
		wait(ctx, retryEvery)
		return nil
	}
	const late = 2 * time.Second
	short, cancel := context.WithTimeout(ctx, patience+late)
	defer cancel()
	began := time.Now()
	var m *nats.Msg
	select {
	case m = <-answers:
		done()
	case <-short.Done():
		done()
		// What the server sends before it knows that nobody waits comes before the answer to this flush. That
		// chunk would be lost until its lease ends.
		_ = w.c.conn.FlushTimeout(time.Second)
		select {
		case m = <-answers:
			if m.Reply != "" {
				_ = w.c.conn.Publish(m.Reply, []byte("-NAK"))
			}
		default:
		}
		return nil
	}
	if m.Header.Get("Status") != "" || m.Reply == "" {
		if patience > 0 && time.Since(began) < patience/2 {
			wait(ctx, min(patience, retryEvery)) // the consumer is missing or busy: do not ask all the time
		}
		return nil
	}
	var c chunkMessage
	if err := json.Unmarshal(m.Data, &c); err != nil {
		_ = w.c.conn.Publish(m.Reply, []byte("+TERM"))
		return nil
	}
	now := time.Now()
	l := &lease{chunk: c.Chunk, lane: lane, text: c.Lease, reply: m.Reply, taken: now, heard: now}
	w.mu.Lock()
	if before := w.held[c.Chunk.ID()]; before == nil || before.ended {
		w.work.began(now)
	}
	w.held[c.Chunk.ID()] = l
	w.mu.Unlock()
	return l
}
