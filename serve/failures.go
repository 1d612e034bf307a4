package serve

import (
	"context"
	"errors"
	"io"
	"log"
	"os"
	"regexp"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"afterstate/player"
	"afterstate/wire"
)

// reply answers a request. A panic costs the request an internal error, not the server
// its life; its stack goes to the log.
func (s *Server) reply(ctx context.Context, t *talk, r wire.Request) (answer []byte, bye bool) {
	defer func() {
		if p := recover(); p != nil {
			logPanic(short(r.Method), p)
			answer, bye = nil, false
			if r.ID != nil {
				answer = wire.Refuse(nil, r, wire.Errorf(wire.CodeInternal, "%s: internal error, see the server's log", short(r.Method)))
			}
		}
	}()
	return wire.Reply(ctx, t, nil, r)
}

func logPanic(what string, p any) { log.Printf("%s: panic: %v\n%s", what, p, debug.Stack()) }

// errPanic is what a client is told of a player that panicked.
var errPanic = errors.New("the player failed by an internal error, see the server's log")

// public is an error as clients may know it: that of a player who cannot play a size is
// one of params, and paths of this machine are left out, which the log has. A path that
// the request named itself is no secret.
func public(method string, params []byte, err error) error {
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
	text := withoutPaths(failed.Message, string(params))
	if text != failed.Message {
		calmLog.Printf("%s: %v", method, err)
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

// withoutPaths leaves of absolute paths in a text the last names, unless the client named
// them.
func withoutPaths(text, known string) string {
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

// calmLog is the log of what clients can bring about: a few lines a minute.
var calmLog = log.New(&calm{out: log.Writer}, "", log.LstdFlags)

// calm drops what comes too often.
type calm struct {
	out func() io.Writer

	mu    sync.Mutex
	since time.Time
	lines int
}

const linesPerMinute = 60

func (c *calm) Write(line []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); now.Sub(c.since) >= time.Minute {
		c.since, c.lines = now, 0
	}
	c.lines++
	if c.lines > linesPerMinute {
		return len(line), nil
	}
	return c.out().Write(line)
}
