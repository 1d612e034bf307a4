package session

import (
	"context"
	"errors"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/spec"
	"github.com/afterstate2048/afterstate/protocol"
)

// Client answers the requests of one client of a [Host]. Calls of [Immediate] and [Ordered] methods must
// be made one at a time, and so must calls of [Concurrent] methods (searches). A search may run at the same
// time as a call of one of the other methods, because it does not use the open game.
type Client struct {
	host   *Host
	conn   Connection // nil if the request came without a connection, as over HTTP
	played *played    // the open game
}

// NewClient returns a client on a connection. conn is nil for a client that sends a single request, such as a POST over
// HTTP. The caller closes the client.
func (h *Host) NewClient(conn Connection) *Client { return &Client{host: h, conn: conn} }

// Close removes the client from the games that it watches. No request may be running.
func (c *Client) Close() {
	if c.conn != nil {
		for _, m := range c.host.games.list() {
			m.leave(c.conn)
		}
	}
}

// Call answers one request. A method that is not Immediate first waits for a search slot.
func (c *Client) Call(ctx context.Context, name string, params []byte) (result any, err error) {
	err = c.placed(ctx, name, methodOf[name].Slot != Immediate, func(limited context.Context) (err error) {
		result, err = c.call(limited, name, params)
		return err
	})
	return result, answerError(err)
}

// setLoading notifies the client that a search starts or stops waiting for a network. Like a frame, a
// notice replaces an earlier one that is not sent yet. It is queued under an empty name, which no game
// has.
func (c *Client) setLoading(loading bool) {
	if c.conn == nil {
		return
	}
	if line, err := protocol.AppendNotification(nil, protocol.MethodLoading, protocol.Loading{Loading: loading}); err == nil {
		c.conn.Offer("", line)
	}
}

// loadTime is the maximum time that a request may spend on loading its player's network.
const loadTime = 2 * time.Minute

// placed calls compute. If long is set, it first waits for a search slot and then limits the time of compute to
// Options.SearchTime, not counting the time for loading a network.
func (c *Client) placed(ctx context.Context, name string, long bool, compute func(context.Context) error) error {
	if !long {
		return compute(ctx)
	}
	if err := c.host.enter(ctx); err != nil {
		return callError(ctx, err)
	}
	defer c.host.searches.Leave()
	bounded, cancel := context.WithTimeout(ctx, c.host.o.SearchTime+loadTime)
	defer cancel()
	limited, cancel := player.WithLimit(player.WithNotice(bounded, c.setLoading), c.host.o.SearchTime)
	defer cancel()
	err := compute(limited)
	var known *protocol.Error
	var request *requestError
	if err != nil && errors.Is(bounded.Err(), context.DeadlineExceeded) && ctx.Err() == nil {
		return protocol.Errorf(protocol.CodeBusy, "%s: the network is still being loaded after %v: try again later", name, loadTime)
	}
	if err != nil && !errors.As(err, &known) && !errors.As(err, &request) && limited.Err() != nil && ctx.Err() == nil {
		return protocol.Errorf(protocol.CodeTime, "%s: no answer within %v: use fewer plies or nodes, or a limit such as time=1s", name, c.host.o.SearchTime)
	}
	return callError(ctx, err)
}

// callError replaces the error of a cancelled request with CodeCancelled.
func callError(ctx context.Context, err error) error {
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		return protocol.Errorf(protocol.CodeCancelled, "cancelled")
	}
	return err
}

func (c *Client) call(ctx context.Context, name string, params []byte) (result any, err error) {
	defer memory.CatchFaults(&err)() // reading a memory-mapped network can fault
	switch answer := methodOf[name].handle.(type) {
	case handler[*Client]:
		return answer(c, ctx, params)
	case nil:
		return nil, unknownMethod(name, slices.Sorted(slices.Values(namesOf(methods))))
	}
	o := c.host.o
	o.Player, o.Solve, o.Threads = c.host.player(), false, 1 // a search holds one slot, which stands for one processor
	s, err := New(o)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return s.Call(ctx, name, params)
}

// unknownMethod returns the error for an unknown method.
func unknownMethod(name string, known []string) error {
	if near := spec.Nearest(name, known); near != "" {
		return protocol.Errorf(protocol.CodeUnknownMethod, "no method is called %s: did you mean %s?", protocol.Quote(name), near)
	}
	return protocol.Errorf(protocol.CodeUnknownMethod, "no method is called %s: must be %s", protocol.Quote(name), strings.Join(known, ", "))
}

// cancel forwards the request to the connection, which knows the requests in progress.
func (c *Client) cancel(_ context.Context, p *protocol.Cancel) (any, error) {
	if c.conn == nil {
		return nil, errNeedsSocket
	}
	c.conn.Cancel(p.ID)
	return protocol.Empty{}, nil
}

// IsSearch reports whether a method runs a search. Transports run a client's searches one at a time and
// answer its other requests meanwhile.
func IsSearch(name string) bool { return methodOf[name].Slot == Concurrent }

// Reply returns the encoded answer to a request; the answer is empty for a notification. bye
// reports that the client has sent bye. Reply answers a panic as an internal error and logs its
// stack.
func (c *Client) Reply(ctx context.Context, r protocol.Request) (answer []byte, bye bool) {
	defer func() {
		if p := recover(); p != nil {
			logPanic(protocol.Quote(r.Method), p)
			answer, bye = nil, false
			if r.ID != nil {
				answer = protocol.Refuse(nil, r, protocol.Errorf(protocol.CodeInternal, "%s: internal error, see the server's log", protocol.Quote(r.Method)))
			}
		}
	}()
	return protocol.Reply(ctx, c, nil, r)
}

// Answer returns the encoded answer to a request that comes without a connection. If the message is not a valid
// request, wrong is the error.
func (h *Host) Answer(ctx context.Context, r protocol.Request, wrong *protocol.Error) []byte {
	if wrong != nil {
		return protocol.Refuse(nil, r, wrong)
	}
	c := h.NewClient(nil)
	defer c.Close()
	answer, _ := c.Reply(ctx, r)
	return answer
}

func logPanic(activity string, p any) { logf("%s: panic: %v\n%s", activity, p, debug.Stack()) }

// errPanic is the error that a client gets if a player panics.
var errPanic = errors.New("the player failed by an internal error, see the server's log")

// answerError converts an error to the form that clients get: with a code, and shortened to maxMessage, because
// its text may quote the request.
func answerError(err error) error {
	if err == nil {
		return nil
	}
	var failed *protocol.Error
	if !errors.As(err, &failed) {
		failed = protocol.Errorf(protocol.CodeInternal, "%v", err)
	}
	if len(failed.Message) > maxMessage {
		return protocol.Errorf(failed.Code, "%s...", strings.ToValidUTF8(failed.Message[:maxMessage], ""))
	}
	return failed
}

// maxMessage is the maximum length of an error message in bytes.
const maxMessage = 2000
