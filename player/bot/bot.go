// Package bot runs external programs as players. A program, in any language, speaks the protocol of
// package protocol (docs/protocol.md): over its stdin and stdout if this package starts it, or over
// a [Transport] if it is already running. Package player/bot/remote implements transports for WebSocket
// and HTTP.
//
//	p := bot.NewProgram(bot.Options{Spec: "mine", Command: []string{"python3", "bot.py"}, Timeout: 10 * time.Second}).New()
//	defer p.Close()
//
// The specs exec(cmd="python3 bot.py") and remote(url="wss://example.org/bot") of package catalog
// create such players. A player starts the program, or connects to it, on first use and reuses it for
// later games. If the program exits, exceeds its time limit or violates the protocol, it forfeits the
// current game with a *player.ForfeitError. The player starts it, or connects to it, again for the next game.
//
// Closing the player kills the program and its descendants. On Linux they are also killed when this
// process is killed. On other systems, children that leave the process group (on Windows, all
// children) must exit on their own when their pipes close.
package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/console"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

const byeTimeout = time.Second // time limit for a bot to end after the bye request

// Options configures a bot.
type Options struct {
	Spec    string        // spec of the player, which decisions and errors contain
	Name    string        // name in reports; if "", the name that the program gives in its answer to hello
	Command []string      // the program and its arguments; see [SplitCommand]
	Dial    Dialer        // connects to a bot that is already running; if nil, the player starts Command
	URL     string        // URL of the bot that Dial connects to; included in the details of forfeits
	Time    time.Duration // thinking time per move that is sent to the program as time_ms, but not enforced; 0: none
	Timeout time.Duration // time limit for an answer; a program that exceeds it forfeits its game; 0: none
	Startup time.Duration // time limit each for opening a connection and for the answer to hello; 0: none
}

// Player is an external program that speaks the protocol of package protocol. It starts the program, or connects to it,
// on first use and reuses it for later games. If the program fails, it forfeits the current game, and the next game
// starts a new process or opens a new connection.
type Player struct {
	o       Options
	program *Program

	seed, game uint64
	turn       int
	lost       *player.ForfeitError // the forfeit of the current game, if any
	conn       *connection          // nil while not connected
	opened     bool                 // conn was opened in the current game
	closed     bool
	theirs     protocol.Hello // the program's answer to hello
}

// SplitCommand splits a command line at spaces and tabs outside single or double quotes. It uses no
// shell: no other character is special.
func SplitCommand(text string) (words []string, err error) {
	var word strings.Builder
	var quote rune
	inWord := false
	for _, r := range text + " " {
		switch {
		case r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, inWord = r, true
		case r != ' ' && r != '\t':
			word.WriteRune(r)
			inWord = true
		case inWord:
			words = append(words, word.String())
			word.Reset()
			inWord = false
		}
	}
	if quote != 0 {
		return nil, errors.New("a quote is not closed")
	}
	return words, nil
}

// Start starts a new game, identified by seed and game, and clears the forfeit of the previous game.
func (p *Player) Start(seed, game uint64) {
	p.seed, p.game, p.turn, p.lost, p.opened = seed, game, 0, nil, false
}

// pauses are the waiting times between attempts to connect to an unavailable bot, which may be restarting.
var pauses = []time.Duration{100 * time.Millisecond, 500 * time.Millisecond}

// Prepare starts the program, or connects to it, and performs the hello handshake, unless it has done
// so already. The handshake sends the board size, so that the program can load data for the size within
// the startup time.
func (p *Player) Prepare(ctx context.Context, size board.Size) error {
	if p.lost != nil {
		return p.named()
	}
	if p.conn != nil {
		return nil
	}
	if p.closed {
		return fmt.Errorf("%s is closed", p.o.Spec)
	}
	err := p.open(ctx, size)
	for _, pause := range pauses {
		if !unavailable(err) {
			break
		}
		p.disconnect()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
		err = p.open(ctx, size)
	}
	if err != nil {
		return p.lose(err)
	}
	return nil
}

// open starts the program, or connects to it, and performs the hello handshake.
func (p *Player) open(ctx context.Context, size board.Size) (err error) {
	var to line
	if p.o.Dial != nil {
		if to, err = dial(ctx, p.o.Dial, p.o.Startup); err != nil {
			return err
		}
	} else if to, err = startProcess(p.o.Command); err != nil {
		return fault("the program cannot be started", err.Error())
	}
	p.conn = &connection{line: to}
	p.opened, p.theirs = true, protocol.Hello{}
	hello := protocol.Hello{Name: "afterstate", Protocol: protocol.Protocol, Size: size}
	if err := p.conn.ask(ctx, p.o.Startup, protocol.MethodHello, hello, &p.theirs); err != nil {
		return err
	}
	if p.theirs.Protocol != protocol.Protocol {
		return fault(fmt.Sprintf("the program speaks protocol %d: must be %d", p.theirs.Protocol, protocol.Protocol), "")
	}
	p.program.mu.Lock()
	p.program.hello = p.theirs
	p.program.mu.Unlock()
	return nil
}

// Decide requests a move from the program. If the connection was lost between two games, Decide opens
// it again.
func (p *Player) Decide(ctx context.Context, q search.Query) (player.Decision, error) {
	d, _, err := p.decide(ctx, &q)
	return d, err
}

// Tree implements player.Searcher with the tree in the program's answer.
func (p *Player) Tree(ctx context.Context, q search.Query, o search.TreeOptions) (player.Decision, *search.Tree, error) {
	d, root, err := p.decide(ctx, &q)
	switch {
	case err != nil:
		return d, nil, err
	case !d.OK:
		return d, search.TerminalTree(&q.Position), nil
	case root == nil:
		err := fmt.Errorf("%s: the answer to best_move on %v has no member tree", p.o.Spec, q.Board)
		return d, nil, &player.BoardError{Err: err}
	}
	tree, err := search.GivenTree(ctx, root, &d.Result, o)
	return d, tree, err
}

// decide requests a move from the program, and returns the root of the tree in its answer, which is nil if there is
// none.
func (p *Player) decide(ctx context.Context, q *search.Query) (player.Decision, *search.TreeNode, error) {
	d := player.Decision{Board: q.Board, Player: p.o.Spec, Unit: eval.Heuristic, Source: "bot"}
	legal := q.Board.Legal()
	for _, dir := range legal {
		d.Moves[dir] = search.MoveValue{Legal: true, Value: math.NaN()}
	}
	if len(legal) == 0 {
		return d, nil, nil
	}
	if err := p.Prepare(ctx, q.Board.Size()); err != nil {
		return d, nil, err
	}
	if size := q.Board.Size(); len(p.theirs.Sizes) > 0 && !slices.Contains(p.theirs.Sizes, size) {
		return d, nil, p.lose(fault(fmt.Sprintf("the program does not play %v", size), ""))
	}
	answer, err := p.ask(ctx, q, legal)
	if err != nil {
		return d, nil, p.lose(err)
	}
	d.Move, d.OK = *answer.Move, true
	if !d.Moves[d.Move].Legal {
		return d, nil, p.lose(fault("an illegal move", fmt.Sprintf("%v changes nothing on %v", d.Move, q.Board)))
	}
	root, err := understand(&d, q, &answer)
	if err != nil {
		return d, nil, p.lose(fault("an invalid answer to best_move", "the result of best_move: "+err.Error()))
	}
	return d, root, nil
}

// ask sends a best_move request and returns the answer.
func (p *Player) ask(ctx context.Context, q *search.Query, legal []board.Direction) (protocol.BotReply, error) {
	var answer protocol.BotReply
	p.turn++
	params := protocol.BestMove{
		Board: q.Board, Score: q.Score, Legal: legal, Turn: p.turn,
		TimeMS: float64(p.o.Time) / float64(time.Millisecond),
	}
	if p.theirs.WantsSeed {
		params.Seed, params.Game = &p.seed, &p.game
	}
	ask := func() error { return p.conn.ask(ctx, p.o.Timeout, protocol.MethodBestMove, params, &answer) }
	err := ask()
	if unavailable(err) && p.turn == 1 && !p.opened {
		p.disconnect()
		if err = p.Prepare(ctx, q.Board.Size()); err == nil {
			err = ask()
		}
	}
	return answer, err
}

// lose kills the program or closes its connection. If err is a forfeit, lose records it for the current game, and
// adds the last lines of the program's stderr to its detail. It returns other errors, such as ctx.Err(), unchanged.
func (p *Player) lose(err error) error {
	exit, stderr := p.disconnect()
	var cause *player.ForfeitError
	if !errors.As(err, &cause) {
		return err
	}
	lost := *cause
	if lost.Reason == goneReason {
		lost.Detail = exit
	}
	if p.o.URL != "" {
		lost.Detail = strings.TrimSuffix(p.o.URL+": "+lost.Detail, ": ")
	}
	if stderr != "" {
		lost.Detail = strings.TrimPrefix(lost.Detail+"; stderr: "+stderr, "; ")
	}
	p.lost = &lost
	return p.named()
}

// disconnect closes the connection, if there is one, and returns the program's exit status and the end of its stderr.
func (p *Player) disconnect() (exit, stderr string) {
	if p.conn != nil {
		exit, stderr = p.conn.end()
		p.conn = nil
	}
	return exit, stderr
}

// unavailable reports whether err is an UnavailableError. Connecting again may then succeed.
func unavailable(err error) bool {
	var down *UnavailableError
	return errors.As(err, &down)
}

// named returns the current forfeit as an error that begins with the player's spec, since errors may be printed without
// context.
func (p *Player) named() error { return fmt.Errorf("%s: %w", p.o.Spec, p.lost) }

// Close sends the bye request, ends the program and releases its resources. The player cannot be
// used afterwards.
func (p *Player) Close() error {
	p.closed = true
	if p.conn != nil {
		if request, err := p.conn.request(protocol.MethodBye, nil); err == nil {
			p.conn.bye(request)
		}
	}
	p.disconnect()
	return nil
}

// JoinCommand is the inverse of [SplitCommand], for words that do not contain both kinds of quotes.
func JoinCommand(words []string) string {
	return strings.Join(each.Of(words, func(w string) string {
		switch {
		case w != "" && !strings.ContainsAny(w, " \t\"'"):
			return w
		case strings.Contains(w, "'"):
			return `"` + w + `"`
		}
		return "'" + w + "'"
	}), " ")
}

// Program is an external program that any number of players can run. It is safe for concurrent use.
type Program struct {
	o Options

	mu    sync.Mutex
	hello protocol.Hello // the last answer to hello
}

// NewProgram returns a program without starting it or connecting to it.
func NewProgram(o Options) *Program { return &Program{o: o} }

// New returns a player with a separate process or connection.
func (g *Program) New() *Player { return &Player{o: g.o, program: g} }

// Introduce starts the program, or connects to it, and returns its name and version. It returns a
// *player.ForfeitError for a fault of the program.
func (g *Program) Introduce(ctx context.Context, size board.Size) (name, version string, err error) {
	p := g.New()
	defer p.Close()
	if err := p.Prepare(ctx, size); err != nil {
		return "", "", err
	}
	name, version = g.Known()
	return name, version, nil
}

// Known returns the name and version in the program's answer to hello, without control characters and at most 60
// bytes each. Options.Name, if set, replaces the program's name. Before the first answer to hello, name and version
// are "", except that name may be Options.Name.
func (g *Program) Known() (name, version string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return cmp.Or(g.o.Name, label(g.hello.Name)), label(g.hello.Version)
}

// label turns untrusted text into a name of limited length on one line.
func label(text string) string {
	const maximum = 60
	text = console.Line(strings.TrimSpace(text))
	if len(text) > maximum {
		text = strings.ToValidUTF8(text[:maximum], "")
	}
	return text
}
