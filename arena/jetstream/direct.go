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

// directRequest is a request for stored messages, which needs no right but this one.
type directRequest struct {
	Seq   uint64 `json:"seq,omitempty"`
	Batch int    `json:"batch,omitempty"`
	Last  string `json:"last_by_subj,omitempty"`
	Next  string `json:"next_by_subj,omitempty"`
}

const (
	mostDirect = 1024    // messages that one request returns
	mostLatest = 1 << 15 // messages that latest returns
)

// latest returns the messages of a stream that has one for each subject, those with subjects of a pattern. If
// there are more than mostLatest, it returns those that were stored last: workers can invent others.
func (c *Client) latest(ctx context.Context, stream, pattern string) ([]*nats.Msg, error) {
	at := map[string]*nats.Msg{} // one that is replaced meanwhile comes twice
	for from := uint64(1); len(at) < mostLatest; {
		page, err := c.direct(ctx, stream, directRequest{Next: pattern, Seq: from, Batch: mostDirect})
		if err != nil {
			return nil, err
		}
		if len(page) > 0 && from == 1 && number(page[0], "Nats-Num-Pending") >= mostLatest {
			last, err := c.direct(ctx, stream, directRequest{Last: pattern})
			if err != nil {
				return nil, err
			}
			if len(last) > 0 {
				from = number(last[0], "Nats-Sequence") - mostLatest + 1
				continue
			}
		}
		for _, m := range page {
			at[m.Header.Get("Nats-Subject")] = m
			from = number(m, "Nats-Sequence") + 1
		}
		if len(page) == 0 || number(page[len(page)-1], "Nats-Num-Pending") == 0 {
			break
		}
	}
	return slices.Collect(maps.Values(at)), nil
}

// lastToken is the last token of a message's subject.
func lastToken(m *nats.Msg) string {
	subject := m.Header.Get("Nats-Subject")
	return subject[strings.LastIndexByte(subject, '.')+1:]
}

// number is the value of a header that the server writes, 0 if it is missing.
func number(m *nats.Msg, header string) uint64 {
	n, _ := strconv.ParseUint(m.Header.Get(header), 10, 64)
	return n
}

// direct returns messages of a stream: the last one of a subject, or consecutive ones. Their headers
// have the subject, sequence and time.
func (c *Client) direct(ctx context.Context, stream string, q directRequest) (all []*nats.Msg, err error) {
	body, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	messages := make(chan *nats.Msg, q.Batch+1)
	inbox := c.conn.NewInbox()
	sub, err := c.conn.ChanSubscribe(inbox, messages)
	if err != nil {
		return nil, err
	}
	defer func() { _ = sub.Unsubscribe() }()
	if err := c.conn.PublishRequest("$JS.API.DIRECT.GET."+stream, inbox, body); err != nil {
		return nil, err
	}
	for {
		var m *nats.Msg
		select {
		case m = <-messages:
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

// stored is when a message was stored, by the server's clock.
func stored(m *nats.Msg) time.Time {
	t, _ := time.Parse(time.RFC3339Nano, m.Header.Get("Nats-Time-Stamp")) // the server writes it
	return t
}

// missing explains the error of a request to a stream that may not exist.
func (c *Client) missing(err error) error {
	if errors.Is(err, nats.ErrNoResponders) {
		return fmt.Errorf("%s has no experiments in namespace %s: begin one first", c.o.URL, c.o.Namespace)
	}
	return err
}
