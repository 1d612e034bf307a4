package jetstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
)

// directRequest is a request for stored messages, which needs no right but this one.
type directRequest struct {
	Seq       uint64   `json:"seq,omitempty"`
	Batch     int      `json:"batch,omitempty"`
	Last      string   `json:"last_by_subj,omitempty"`
	Next      string   `json:"next_by_subj,omitempty"`
	MultiLast []string `json:"multi_last,omitempty"`
}

// mostDirect is the most messages that the server returns.
const mostDirect = 1024

// direct returns messages of a stream: the last ones of subjects, or consecutive ones. Their headers
// have the subject, sequence and time.
func (c *Client) direct(ctx context.Context, stream string, q directRequest) (all []*nats.Msg, err error) {
	body, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	batch := q.Batch > 0 || len(q.MultiLast) > 0
	size := 1
	if batch {
		size = 2 * mostDirect
	}
	messages := make(chan *nats.Msg, size)
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
		if all = append(all, m); !batch {
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
