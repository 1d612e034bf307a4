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

	"afterstate/arena"
)

// refresh reads the open experiments, and whether this worker was rejected.
func (w *Worker) refresh(ctx context.Context) error {
	n := w.c.names
	all, err := w.c.direct(ctx, n.state(), directRequest{MultiLast: []string{n.experiment("*"), n.rejected(w.o.Info.ID)}})
	if err != nil && !errors.Is(err, nats.ErrNoResponders) { // no experiment was begun yet
		return err
	}
	var open []arena.QueueInfo
	var then []func() // without the lock
	w.mu.Lock()
	defer func() {
		w.mu.Unlock()
		for _, call := range then {
			call()
		}
	}()
	refused := map[string]string{}
	for _, m := range all {
		if m.Header.Get("Nats-Subject") == n.rejected(w.o.Info.ID) {
			w.rejected = fmt.Errorf("%w: %s", ErrRejected, m.Data)
			continue
		}
		var x arena.QueueInfo
		if json.Unmarshal(m.Data, &x) != nil || !namePattern.MatchString(x.ID) {
			continue
		}
		reason := w.cannotPlay(&x)
		if f := w.unable[x.ID]; time.Now().Before(f.until) {
			reason = cmp.Or(reason, f.reason)
		}
		if reason == "" {
			open = append(open, x)
			continue
		}
		refused[x.ID] = reason
		if _, known := w.refused[x.ID]; !known && w.unable[x.ID].reason == "" {
			then = append(then, func() { w.announceRefusal(&x, reason) })
		}
	}
	least := time.Duration(0)
	for i, x := range open {
		if t, known := w.spent[x.ID]; known && (i == 0 || t < least) {
			least = t
		}
	}
	for _, x := range open {
		w.spent[x.ID] = max(w.spent[x.ID], least) // new ones do not catch up
	}
	if len(open) != len(w.open) { // the stream of announcements may be new
		then = append(then, w.announce)
	}
	w.open, w.refused, w.read = open, refused, time.Now()
	return nil
}

func (w *Worker) announceRefusal(x *arena.QueueInfo, reason string) {
	if w.o.OnRefused != nil {
		w.o.OnRefused(*x, reason)
	}
}

// cannotPlay is why an experiment cannot be played here, "" if it can.
func (w *Worker) cannotPlay(x *arena.QueueInfo) string {
	i := &w.o.Info
	switch {
	case x.Signature != i.Signature:
		return fmt.Sprintf("experiment %s is played by version %s (signature %s), this worker is version %s (signature %s): want the same signature",
			x.Name, x.Version, cmp.Or(x.Signature, "unknown"), i.Version, cmp.Or(i.Signature, "unknown"))
	case x.Signature == "" && x.Version != i.Version:
		return fmt.Sprintf("experiment %s is played by version %s, this worker is version %s: want the same version", x.Name, x.Version, i.Version)
	case x.AllowExec && !i.AllowExec:
		return fmt.Sprintf("players of experiment %s run other programs or connect to them, which this worker does not allow", x.Name)
	}
	return ""
}

// sortedByTime returns experiments, the one with the least time first.
func sortedByTime(open []arena.QueueInfo, spent map[string]time.Duration) []arena.QueueInfo {
	open = slices.Clone(open)
	slices.SortStableFunc(open, func(a, b arena.QueueInfo) int { return cmp.Compare(spent[a.ID], spent[b.ID]) })
	return open
}

// giveBack returns a chunk that came after the worker had stopped waiting for it.
func (w *Worker) giveBack(messages chan *nats.Msg) {
	// What the server sends before it knows that nobody waits comes before the answer to this flush. That
	// chunk would be lost until its lease ends.
	_ = w.c.conn.FlushTimeout(time.Second)
	select {
	case m := <-messages:
		if m.Reply != "" {
			_ = w.c.conn.Publish(m.Reply, []byte("-NAK"))
		}
	default:
	}
}

// next is the subject of requests for chunks.
func (c *Client) next(experiment string) string {
	return "$JS.API.CONSUMER.MSG.NEXT." + c.names.chunks() + "." + experiment
}

// pull asks for one chunk of an experiment, and waits for up to patience. It returns nil without one.
func (w *Worker) pull(ctx context.Context, x *arena.QueueInfo, patience time.Duration) *lease {
	messages := make(chan *nats.Msg, 1) // SubscribeSync would allocate for half a million
	inbox := w.c.conn.NewInbox()
	sub, err := w.c.conn.ChanSubscribe(inbox, messages)
	request, expires := `{"batch":1,"no_wait":true}`, 2*time.Second
	if patience > 0 {
		request, expires = fmt.Sprintf(`{"batch":1,"expires":%d}`, patience), patience+2*time.Second
	}
	if err == nil {
		err = w.c.conn.PublishRequest(w.c.next(x.ID), inbox, []byte(request))
	}
	if err != nil {
		wait(ctx, retryEvery)
		return nil
	}
	short, cancel := context.WithTimeout(ctx, expires)
	defer cancel()
	began := time.Now()
	var m *nats.Msg
	select {
	case m = <-messages:
		_ = sub.Unsubscribe()
	case <-short.Done():
		_ = sub.Unsubscribe()
		w.giveBack(messages)
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
	l := &lease{chunk: c.Chunk, experiment: x, text: c.Lease, reply: m.Reply, taken: time.Now()}
	w.mu.Lock()
	w.held[c.Chunk.ID()] = l
	w.mu.Unlock()
	return l
}
