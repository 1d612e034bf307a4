package bot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/afterstate2048/afterstate/internal/console"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/protocol"
)

// line is an open channel to a bot. Requests and responses are lines of text.
type line interface {
	// send sends a request and returns the response. limit is the time limit; 0 means none. Errors
	// are:
	//   - errLate: no response within the limit
	//   - ErrUnasked: the bot wrote before the request; response is the beginning of its message
	//   - protocol.ErrTooLong: the response is too long; response is its beginning
	//   - a *player.ForfeitError: another fault of the bot
	// After an error only end may be called.
	send(ctx context.Context, limit time.Duration, request []byte) (response []byte, err error)
	// bye sends the bye request and waits until the bot has ended, at most byeTimeout.
	bye(request []byte)
	// end closes the channel. It returns the program's exit status as text and the last lines of its stderr; each is
	// "" if unknown.
	end() (exit, stderr string)
}

// errLate means that no response came within the time limit.
var errLate = errors.New("too late")

// connection numbers the requests to a bot, sends them over a line and decodes the responses.
type connection struct {
	line
	id     int64
	buffer []byte
}

// request encodes the next request as one line of text. The text is valid until the next call.
func (c *connection) request(method string, params any) (text []byte, err error) {
	c.id++
	c.buffer, err = protocol.AppendRequest(c.buffer[:0], c.id, method, params)
	return c.buffer, err
}

// ask sends a request and decodes the response into result. limit is the time limit; 0 means none.
// ask returns a *player.ForfeitError for a fault of the bot, and ctx.Err() if ctx ends. After an error
// only end may be called.
func (c *connection) ask(ctx context.Context, limit time.Duration, method string, params, result any) error {
	request, err := c.request(method, params)
	if err != nil {
		return err
	}
	response, err := c.send(ctx, limit, request)
	detail := ""
	if len(response) > 0 {
		detail = Quoted(response)
	}
	switch {
	case err == nil:
		return c.understand(response, method, result)
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errLate):
		return fault(fmt.Sprintf("no answer to %s within %v", method, limit), "")
	case errors.Is(err, protocol.ErrTooLong):
		return fault(fmt.Sprintf("a line of more than %d bytes", protocol.MaxAnswer), detail)
	case errors.Is(err, ErrUnasked):
		return fault("a message before a request", detail)
	}
	return err
}

// understand decodes the response to the last request into result.
func (c *connection) understand(line []byte, method string, result any) error {
	const nonsense = "an answer that is not a JSON-RPC 2.0 response"
	r, err := protocol.ParseResponse(line)
	switch {
	case err != nil:
		return fault(nonsense, err.Error()+": "+Quoted(line))
	case r.Error != nil && string(r.ID) == "null":
		return fault("the program did not understand "+method, Quoted([]byte(r.Error.Message)))
	case string(r.ID) != strconv.FormatInt(c.id, 10):
		return fault("an answer to another request", fmt.Sprintf("the answer has id %s, the request %d", console.Short(string(r.ID), maxQuoted), c.id))
	case r.Error != nil:
		return fault("the program answered "+method+" with an error", Quoted([]byte(r.Error.Message)))
	}
	if err := protocol.ReadResult(method, r.Result, result); err != nil {
		return fault("an invalid answer to "+method, err.Error())
	}
	return nil
}

// goneReason is the reason of a forfeit if the program exited without an answer. The method lose adds the exit status
// as the detail.
const goneReason = "the program ended without an answer"

// fault returns a *player.ForfeitError for the current game.
func fault(reason, detail string) error {
	return &player.ForfeitError{Reason: reason, Detail: detail}
}

// Quoted formats output of a bot for the detail of a forfeit: its first 100 bytes, in double quotes and
// on one line.
func Quoted(text []byte) string {
	return strconv.Quote(console.Short(string(bytes.TrimRight(text, "\r\n")), maxQuoted))
}

const maxQuoted = 100

// Dialer opens a connection to a bot that is already running. If ctx ends, the attempt to connect stops; an open
// connection is not affected. A Dialer reports faults in the same way as a [Transport].
type Dialer func(ctx context.Context) (Transport, error)

// Transport is an open connection to a bot that is already running. It carries bytes; this package
// numbers the requests, limits their time and reads the responses.
//
// A fault of the bot is a *player.ForfeitError, wrapped in an *[UnavailableError] if another
// connection may succeed. The detail of the forfeit need not name the URL.
type Transport interface {
	// Send sends a request, one line without its newline, and returns the response. It does not modify the request or
	// use it after Send returns. The error is protocol.ErrTooLong if the response has more than protocol.MaxAnswer
	// bytes, and [ErrUnasked] if a message arrived before the request; in both cases response is the beginning of the
	// message if it is known. If ctx ends, Send returns ctx.Err(). After an error only Close may be called.
	Send(ctx context.Context, request []byte) (response []byte, err error)
	// Close closes the connection and returns within about a second.
	Close()
}

// ErrUnasked means that a bot sent a message without a request.
var ErrUnasked = errors.New("a message that nobody requested")

// UnavailableError is a fault after which another attempt to connect may succeed: the bot refuses
// connections, perhaps because it is restarting, or the connection was lost.
type UnavailableError struct{ Fault *player.ForfeitError }

func (u *UnavailableError) Error() string { return u.Fault.Error() }
func (u *UnavailableError) Unwrap() error { return u.Fault }

// remote is a line to a bot that is already running.
type remote struct{ Transport }

// dial opens a connection. limit is the time limit; 0 means none.
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

// bye ignores the answer, because end will close the connection anyway.
func (r remote) bye(request []byte) { _, _ = r.send(context.Background(), byeTimeout, request) }

func (r remote) end() (exit, stderr string) {
	r.Close()
	return "", ""
}

// within returns a context that ends with ctx or after the time limit; 0 means no limit.
func within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, limit)
}
