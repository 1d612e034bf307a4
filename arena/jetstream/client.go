package jetstream

import (
	"context"
	"errors"

	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"
)

// Client is a connection to a NATS server. It is safe for concurrent use.
type Client struct {
	o     Options
	names names
	conn  *nats.Conn
	js    js.JetStream
}

// ErrRefused is the error for a token, password, credentials or certificate that the server or this
// client does not accept. Trying again does not help.
var ErrRefused = errors.New("refused")

// Connect connects to a server. It tries until ctx ends, unless the server refuses the client
// (ErrRefused), and reconnects for ever when the connection is lost.
func Connect(ctx context.Context, o Options) (*Client, error) {
	o, err := o.checked()
	if err != nil {
		return nil, err
	}
	return &Client{o: o, names: namesOf(o.Namespace)}, errors.New("not written yet")
}

// Close ends the connection.
func (c *Client) Close() { c.conn.Close() }
