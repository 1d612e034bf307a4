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

	"github.com/afterstate2048/afterstate/experiment/arena"
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
		if w.o.Info.otherProgram(&x) != "" {
			lanes = []openLane{{&x, arena.Lane{Name: common, Players: x.Players}}} // one refusal of all players
		}
		for _, l := range lanes {
			reason := w.o.Info.cannotPlay(&l)
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
func (i *WorkerInfo) otherProgram(x *arena.QueueInfo) string {
	switch {
	case x.Signature != i.Signature:
		return fmt.Sprintf("the experiment is played by version %s (signature %s), this worker is version %s (signature %s): want the same signature",
			x.Version, cmp.Or(x.Signature, "unknown"), i.Version, cmp.Or(i.Signature, "unknown"))
	case x.Signature == "" && x.Version != i.Version:
		return fmt.Sprintf("the experiment is played by version %s, this worker is version %s: want the same version", x.Version, i.Version)
	}
	return ""
}

// cannotPlay is why the players of a lane cannot be played by a worker, "" if they can.
func (i *WorkerInfo) cannotPlay(l *openLane) string {
	reason := i.otherProgram(l.experiment)
	if reason == "" && l.AllowExec && !i.AllowExec {
		reason = "workers run other programs and connect to them with --allow-exec only"
	}
	return reason
}

// next is the subject of requests for chunks of a lane.
func (c *Client) next(lane string) string {
	return "$JS.API.CONSUMER.MSG.NEXT." + c.names.chunks() + "." + lane
}

// pullRequest is a request for chunks.
type pullRequest struct {
	Batch   int           `json:"batch"`
	NoWait  bool          `json:"no_wait,omitempty"`
	Expires time.Duration `json:"expires,omitempty"`
}

// pull asks for one chunk of a lane, and waits for up to patience. It returns nil without one.
func (w *WorkerConn) pull(ctx context.Context, lane openLane, patience time.Duration) *lease {
	answers, done, err := w.c.ask(w.c.next(lane.key()), pullRequest{1, patience == 0, patience}, 1)
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
	l := &lease{chunk: c.Chunk, lane: lane, text: c.Lease, reply: m.Reply, taken: time.Now()}
	w.mu.Lock()
	w.held[c.Chunk.ID()] = l
	w.mu.Unlock()
	return l
}
