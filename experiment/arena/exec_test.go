//go:build unix

package arena

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
)

// botEntrant returns this test binary as a bot that misbehaves in the given way, and the mark of its processes:
// the name of a file that the bot creates when it hangs.
func botEntrant(t *testing.T, way, keys string) (e catalog.Maker, mark string) {
	t.Helper()
	program := must.Get(os.Executable())(t)
	mark = filepath.Join(t.TempDir(), rand.Text())
	spec := fmt.Sprintf(`exec(cmd="'%s' bot '%s' %s"%s)`, program, way, mark, keys)
	m := must.Get(catalog.Parse(spec, catalog.Capabilities{Exec: true}))(t)
	return catalog.Maker{Spec: way, New: m.New}, mark
}

// nothingLeft looks for processes with a mark among their arguments.
func nothingLeft(t *testing.T, mark string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		return
	}
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range files {
		if text, err := os.ReadFile(f); err == nil && bytes.Contains(text, []byte(mark)) {
			t.Errorf("a process of %s is left: %q", f, text)
		}
	}
}

var small = board.Size{Rows: 3, Cols: 3}

// quickWays are the ways of misbehaving in the quick suite. Bots that do not answer take ten seconds each.
var quickWays = []string{"die", "close", "illegal", "no move", "other id", "rubbish", "two answers", "flood stderr", "child, die"}

// A bot that misbehaves in game 2 forfeits that game, with the reason in the record, and plays the
// other games. Other players are not affected, and no process is left.
func TestMisbehavingBots(t *testing.T) {
	others := append(stubs()[:1:1], stubs()[2])
	alone := must.Get(Run(t.Context(), RunOptions{Players: others, Size: small, Seed: 10, Games: 5}, nil))(t)
	good := must.Get(Run(t.Context(), RunOptions{Players: stubs()[1:2], Size: small, Seed: 10, Games: 5}, nil))(t)
	untimed(alone)
	untimed(good)
	for way, want := range map[string]string{
		"hang":                                `^no answer to best_move within 10s$`,
		"die":                                 `^the program ended without an answer: exit status 3; stderr: out of\\u001b\[31m luck$`,
		"panic":                               `^the program ended without an answer: exit status 2; stderr: .*$`,
		"close":                               `^the program ended without an answer: signal: killed$`,
		"illegal":                             `^an illegal move: \w+ changes nothing on [0-9,/]+$`,
		"no move":                             `^an invalid answer to best_move: the result of best_move: move null: must be up, right, down or left$`,
		"sideways":                            `^an invalid answer to best_move: .*move "sideways": must be up, right, down or left$`,
		"number":                              `^an invalid answer to best_move: .*the result of best_move is a number: must be an object$`,
		"other id":                            `^an answer to another request: the answer has id 1\d+, the request \d+$`,
		"text id":                             `^an answer to another request: the answer has id "\d+", the request \d+$`,
		"no id":                               `^an answer that is not a JSON-RPC 2.0 response: id is missing: give the request's id: "{.*}"$`,
		"no version":                          `^an answer that is not a JSON-RPC 2.0 response: jsonrpc is missing: give "jsonrpc":"2.0": "{.*}"$`,
		"error":                               `^the program answered best_move with an error: "no idea"$`,
		"confused":                            `^the program did not understand best_move: "what\?"$`,
		"rubbish":                             `^the program printed something other than an answer to stdout: "thinking\.\.\."; print to stderr instead$`,
		"print after":                         `^the program printed something other than an answer to stdout: "thinking\.\.\."; print to stderr instead$`,
		"Python dict":                         `^an answer that is not a JSON-RPC 2.0 response: invalid character .*: "{'move': 'up'}"$`,
		"empty line":                          `^the program printed something other than an answer to stdout: ""; print to stderr instead$`,
		"binary":                              `^the program printed something other than an answer to stdout: "\\x00\\xff\\x1b\[2J"; print to stderr instead$`,
		"two answers":                         `^(a message before a request|an answer to another request): .*$`,
		"flood":                               `^a line of more than 1048576 bytes: "x{100}\.\.\."$`,
		"flood lines":                         `^the program printed something other than an answer to stdout: "x"; print to stderr instead$`,
		"flood stderr":                        ``,
		"child, die":                          `^the program ended without an answer: exit status 3; stderr: out of\\u001b\[31m luck$`,
		"child with pipes, die":               `^no answer to best_move within 10s.*$`,
		"child in a session of its own, hang": `^no answer .*$`,
		"child in a session without environment, hang": `^no answer .*$`,
		"orphan in a session of its own, die":          `^no answer .*$`,
	} {
		if !soak.Wanted() && !slices.Contains(quickWays, way) {
			continue
		}
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			limit := ",timeout=1m" // for machines that are slow or busy
			if strings.HasPrefix(want, "^no answer") {
				limit = ",timeout=10s" // it is reached in one game
			}
			e, mark := botEntrant(t, way, limit)
			players := []catalog.Maker{others[0], e, others[1]}
			results := must.Get(Run(t.Context(), RunOptions{Players: players, Size: small, Seed: 10, Games: 5, Workers: 1}, nil))(t)
			nothingLeft(t, mark)
			untimed(results)
			for i, p := range []int{0, 2} {
				if diff := cmp.Diff(alone.Players[i], results.Players[p]); diff != "" {
					t.Errorf("%s was disturbed (-alone +with the bot):\n%s", alone.Players[i].Name, diff)
				}
			}
			checkBot(t, results.Players[1].Games, good.Players[0].Games, want)
		})
	}
}

// checkBot compares a bot's games with those of a player that makes the same moves.
func checkBot(t *testing.T, got, good []Outcome, want string) {
	t.Helper()
	if len(got) != len(good) {
		t.Fatalf("%d games, want %d", len(got), len(good))
	}
	for i, g := range got {
		if i == badGame && want != "" {
			if text := g.Forfeit.Error(); !regexp.MustCompile(want).MatchString(text) {
				t.Errorf("the reason is %q, want %s", text, want)
			}
			if lost := badTurn - 1; g.Moves != lost && g.Moves != lost-1 || g.Score > good[i].Score {
				t.Errorf("forfeited after %d moves with score %d", g.Moves, g.Score)
			}
			continue
		}
		must.Equal(t, g, good[i], "game", i)
	}
}

// A bot that fails before its first move forfeits every game.
func TestBotsThatFailAtHello(t *testing.T) {
	for way, want := range map[string]string{
		"hello: hang":     `no answer to hello within 300ms`,
		"hello: die":      `the program ended without an answer: exit status 3; stderr: out of\u001b[31m luck`,
		"hello: protocol": `the program speaks protocol 7: must be 1`,
		"hello: nothing":  `an invalid answer to hello: the result of hello: name is missing (required: name, protocol; optional: version, sizes, wants_seed)`,
		"hello: size":     `the program does not play 3x3`,
	} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			keys := ""
			if way == "hello: hang" {
				keys = ",startup=300ms"
			}
			e, mark := botEntrant(t, way, keys)
			results := must.Get(Run(t.Context(), RunOptions{Players: []catalog.Maker{e}, Size: small, Games: 2, Workers: 1}, nil))(t)
			nothingLeft(t, mark)
			for _, g := range results.Players[0].Games {
				if text := g.Forfeit.Error(); text != want || g.Moves != 0 || g.Score != 0 {
					t.Errorf("%q after %d moves, want %q", text, g.Moves, want)
				}
			}
		})
	}
}

// Bots that ignore bye are killed, and the games they finished count. A bot learns the size in hello, so that what it loads
// counts as startup.
func TestBotsThatFailAtBye(t *testing.T) {
	for _, way := range append(slices.Collect(maps.Keys(atBye)), "hello: loads") {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			e, mark := botEntrant(t, way, "")
			results := must.Get(Run(t.Context(), RunOptions{Players: []catalog.Maker{e}, Size: small, Games: 2, Workers: 2}, nil))(t)
			nothingLeft(t, mark)
			for _, g := range results.Players[0].Games {
				if g.Forfeit.Reason != "" || g.Moves < 10 {
					t.Errorf("%+v", g)
				}
			}
		})
	}
}

// Ctrl-C while a bot thinks: the run stops at once and nothing is left.
func TestCancelWhileABotThinks(t *testing.T) {
	for _, way := range []string{"hang", "hello: hang", "child in a session of its own, hang"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			e, mark := botEntrant(t, way, "")
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			go func() {
				defer cancel()
				for _, err := os.Stat(mark); err != nil && ctx.Err() == nil; _, err = os.Stat(mark) {
					time.Sleep(5 * time.Millisecond)
				}
			}()
			results, err := Run(ctx, RunOptions{Players: []catalog.Maker{e}, Size: small, Games: 3, Workers: 1}, nil)
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
			nothingLeft(t, mark)
			for _, g := range results.Players[0].Games {
				must.Equal(t, g.Forfeit.Reason, "", g, "forfeits, though being stopped is nobody's fault")
			}
		})
	}
}
