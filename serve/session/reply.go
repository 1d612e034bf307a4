package session

import (
	"context"
	"errors"
	"runtime/debug"
	"strings"

	"github.com/afterstate2048/afterstate/protocol"
)

// Reply returns the encoded answer to a request; it is empty for notifications. A panic is answered
// as an internal error, and its stack is logged.
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

// Answer returns the encoded answer to a request that comes without a connection, or to a message that is none.
func (h *Host) Answer(ctx context.Context, r protocol.Request, wrong *protocol.Error) []byte {
	if wrong != nil {
		return protocol.Refuse(nil, r, wrong)
	}
	c := h.NewClient(nil)
	defer c.Close()
	answer, _ := c.Reply(ctx, r)
	return answer
}

func logPanic(what string, p any) { logf("%s: panic: %v\n%s", what, p, debug.Stack()) }

// errPanic is the error that a client gets when a player panicked.
var errPanic = errors.New("the player failed by an internal error, see the server's log")

// public converts an error to the form that clients get: paths of this machine are removed, except those in the
// request. The full error is logged if a path was removed.
func (h *Host) public(method string, params []byte, err error) error {
	if err == nil {
		return nil
	}
	var failed *protocol.Error
	if !errors.As(err, &failed) {
		failed = protocol.Errorf(protocol.CodeInternal, "%v", err)
	}
	text := WithoutPaths(failed.Message, string(params))
	if text != failed.Message {
		h.o.Log("%s: %v", method, err)
	}
	if len(text) > maxMessage { // it may quote the request
		text = strings.ToValidUTF8(text[:maxMessage], "") + "..."
	}
	if text != failed.Message {
		return protocol.Errorf(failed.Code, "%s", text)
	}
	return failed
}

// maxMessage is the limit of an error message in bytes.
const maxMessage = 2000
