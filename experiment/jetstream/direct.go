package jetstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// Workers may not create consumers or read the configuration of streams, which nats.go's jetstream package does before
// it reads. So they send these requests themselves.

// ask sends a request, and returns a channel of the answers until done is called. It has room for this number of them.
func (c *Client) ask(subject string, request any, room int) (answers chan *nats.Msg, done func(), err error) {
	data, _ := json.Marshal(request)       // strings and numbers
	answers = make(chan *nats.Msg, room+1) // SubscribeSync would allocate for half a million
	inbox := c.conn.NewInbox()
	sub, err := c.conn.ChanSubscribe(inbox, answers)
	if err != nil {
		return nil, nil, err
	}
	done = func() { _ = sub.Unsubscribe() }
	if err := c.conn.PublishRequest(subject, inbox, data); err != nil {
		done()
		return nil, nil, err
	}
	return answers, done, nil
}

// directRequest is a request for stored messages, which needs no right but this one.
type directRequest struct {
	Seq   uint64 `json:"seq,omitempty"`
	Batch int    `json:"batch,omitempty"`
	Last  string `json:"last_by_subj,omitempty"`
	Next  string `json:"next_by_subj,omitempty"`
}

const (
	maxDirect    = 1024            // messages that one request returns
	directAnswer = 5 * time.Second // for the next message
)

// direct returns messages of a stream: the last one of a subject, or consecutive ones. Their headers
// have the subject, sequence and time.
func (c *Client) direct(ctx context.Context, stream string, q directRequest) (all []*nats.Msg, err error) {
	answers, done, err := c.ask("$JS.API.DIRECT.GET."+stream, q, q.Batch)
	if err != nil {
		return nil, err
	}
	defer done()
	for {
		var m *nats.Msg
		select {
		case m = <-answers:
		case <-time.After(directAnswer):
			return nil, nats.ErrTimeout
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		switch status := m.Header.Get("Status"); {
		case status == "204" || status == "404":
			return all, nil // the end, or nothing
		case status == "503":
			return nil, nats.ErrNoResponders
		case status != "":
			return nil, fmt.Errorf("stream %s: %s %s", stream, status, m.Header.Get("Description"))
		}
		if all = append(all, m); q.Batch == 0 {
			return all, nil
		}
	}
}

// latest returns the messages of a stream that has one for each subject, those with subjects of a pattern.
func (c *Client) latest(ctx context.Context, stream, pattern string) ([]*nats.Msg, error) {
	at := map[string]*nats.Msg{} // one that is replaced meanwhile comes twice
	for from, more := uint64(1), true; more && len(at) < maxWorkers; {
		page, err := c.direct(ctx, stream, directRequest{Next: pattern, Seq: from, Batch: maxDirect})
		if err != nil {
			return nil, err
		}
		more = false
		for _, m := range page {
			at[m.Header.Get("Nats-Subject")] = m
			from, more = number(m, "Nats-Sequence")+1, number(m, "Nats-Num-Pending") > 0
		}
	}
	return slices.Collect(maps.Values(at)), nil
}

// lastToken is the last token of a subject.
func lastToken(subject string) string { return subject[strings.LastIndexByte(subject, '.')+1:] }

// subjectID is the last token of the subject of a stored message.
func subjectID(m *nats.Msg) string { return lastToken(m.Header.Get("Nats-Subject")) }

// number is the value of a header that the server writes, 0 if it is missing.
func number(m *nats.Msg, header string) uint64 {
	n, _ := strconv.ParseUint(m.Header.Get(header), 10, 64)
	return n
}

// missing explains the error of a request to a stream that may not exist.
func (c *Client) missing(err error) error {
	if errors.Is(err, nats.ErrNoResponders) {
		return fmt.Errorf("%s has no experiments in namespace %s: begin one first", c.o.URL, c.o.Namespace)
	}
	return err
}
