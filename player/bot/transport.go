package bot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/afterstate2048/afterstate/player"
)

// Connector returns a dialer for the bot at a URL that [CheckURL] accepts. ca contains, in PEM form,
// the certificates of the authorities that may sign the server's certificate; nil: those of the
// system. It fails if ca contains no certificate. Package player/bot/remote implements it.
type Connector func(url string, ca []byte) (Dialer, error)

// Dialer opens a connection to a bot that runs already. The end of ctx stops the opening, and has no
// effect on an open connection. Faults are those of [Transport].
type Dialer func(ctx context.Context) (Transport, error)

// Transport is an open connection to a bot that runs already. It carries bytes; this package numbers
// the requests, limits their time and reads the responses.
//
// A fault of the bot is a *player.Forfeit, wrapped in an *[UnavailableError] if another connection may
// succeed. Its detail need not name the URL.
type Transport interface {
	// Send sends a request, one line without its newline, and returns the response. The request is
	// not modified and not used after Send returns. The error for a response of more than
	// protocol.MaxLine bytes is protocol.ErrTooLong, and for a message that arrived before the request
	// [ErrUnasked], each with the beginning of the message if it is known. When ctx ends, the error
	// is ctx's. After an error only Close may be called.
	Send(ctx context.Context, request []byte) (response []byte, err error)
	// Close closes the connection and returns within about a second.
	Close()
}

// ErrUnasked means that a bot sent a message without a request.
var ErrUnasked = errors.New("a message without a request")

// UnavailableError is a fault of a bot that another connection may reach: it refuses connections, as
// during a restart, or the connection was lost.
type UnavailableError struct{ Fault *player.Forfeit }

func (u *UnavailableError) Error() string { return u.Fault.Error() }
func (u *UnavailableError) Unwrap() error { return u.Fault }

// remote is a line to a bot that runs already.
type remote struct{ Transport }

// dial opens a connection within a limit (0: none).
func dial(ctx context.Context, open Dialer, limit time.Duration) (line, error) {
	timed, cancel := within(ctx, limit)
	defer cancel()
	t, err := open(timed)
	switch {
	case err == nil:
		return remote{t}, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case timed.Err() != nil:
		return nil, fault(fmt.Sprintf("no connection within %v", limit), "")
	}
	return nil, err
}

func (r remote) send(ctx context.Context, limit time.Duration, request []byte) (response []byte, err error) {
	timed, cancel := within(ctx, limit)
	defer cancel()
	response, err = r.Send(timed, bytes.TrimSuffix(request, []byte("\n")))
	if err != nil && timed.Err() != nil {
		err = errLate
	}
	return response, err
}

// bye does not look at the answer: end closes the connection in any case.
func (r remote) bye(request []byte) { _, _ = r.send(context.Background(), byeTimeout, request) }

func (r remote) end() (exit, stderr string) {
	r.Close()
	return "", ""
}

// within returns a context that ends with ctx, or after a limit (0: none).
func within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, limit)
}
