package session

import (
	"context"
	"errors"
	"log"
	"os"
	"regexp"
	"runtime/debug"
	"strings"

	"afterstate/player"
	"afterstate/wire"
)

// Reply answers a request; the answer is empty for notifications. A panic costs the request
// an internal error, not the process its life; its stack goes to the log.
func (c *Client) Reply(ctx context.Context, r wire.Request) (answer []byte, bye bool) {
	defer func() {
		if p := recover(); p != nil {
			logPanic(wire.Quote(r.Method), p)
			answer, bye = nil, false
			if r.ID != nil {
				answer = wire.Refuse(nil, r, wire.Errorf(wire.CodeInternal, "%s: internal error, see the server's log", wire.Quote(r.Method)))
			}
		}
	}()
	return wire.Reply(ctx, c, nil, r)
}

func logPanic(what string, p any) { log.Printf("%s: panic: %v\n%s", what, p, debug.Stack()) }

// errPanic is what a client is told of a player that panicked.
var errPanic = errors.New("the player failed by an internal error, see the server's log")

// public is an error as clients may know it: that of a player who cannot play a size is
// one of params, and paths of this machine are left out, which the log has. A path that
// the request named itself is no secret.
func (h *Host) public(method string, params []byte, err error) error {
	if err == nil {
		return nil
	}
	var size *player.SizeError
	var failed *wire.Error
	switch {
	case errors.As(err, &failed):
	case errors.As(err, &size):
		failed = wire.Errorf(wire.CodeInvalidParams, "%s: player: %v", method, size)
	default:
		failed = wire.Errorf(wire.CodeInternal, "%v", err)
	}
	text := WithoutPaths(failed.Message, string(params))
	if text != failed.Message {
		h.o.Log.Printf("%s: %v", method, err)
	}
	if len(text) > mostMessage { // it quotes what came
		text = strings.ToValidUTF8(text[:mostMessage], "") + "..."
	}
	if text != failed.Message {
		return wire.Errorf(failed.Code, "%s", text)
	}
	return failed
}

// mostMessage is how many bytes an error's message may have.
const mostMessage = 2000

// absolutePath finds paths after the beginning of a word. Boards have no word that begins
// with a slash.
var absolutePath = regexp.MustCompile(`(?:^|[\s"'(=\[<:,])(?:/[^\s"'():;,\\/]+(?:/[^\s"'():;,\\/]*)+|[A-Za-z]:\\[^\s"'():;,]+)`)

var home, _ = os.UserHomeDir() // "" where there is none

// WithoutPaths leaves of absolute paths in a text the last names, unless the client named
// them.
func WithoutPaths(text, known string) string {
	if len(home) > 1 && !strings.Contains(known, home) {
		text = strings.ReplaceAll(text, home+string(os.PathSeparator), "/~/") // its name may have spaces
	}
	return absolutePath.ReplaceAllStringFunc(text, func(found string) string {
		at := strings.IndexAny(found, `/\`)
		if at > 1 && found[at-1] == ':' && found[at] == '\\' {
			at -= 2 // the drive's letter
		}
		path := found[at:]
		if strings.Contains(known, path) {
			return found
		}
		path = strings.TrimRight(path, `/\`)
		return found[:at] + path[strings.LastIndexAny(path, `/\`)+1:]
	})
}
