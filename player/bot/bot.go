// Package bot runs external programs as players. A program, in any language, speaks the protocol of
// package wire over its stdin and stdout (docs/protocol.md).
//
//	p := bot.New(bot.Options{Spec: "mine", Command: []string{"python3", "bot.py"}, Timeout: 10 * time.Second})
//	defer p.Close()
//
// The spec exec(cmd="python3 bot.py") of package catalog creates such a player. The program is
// started on first use and reused for later games. If it exits, exceeds its time limit or violates
// the protocol, it forfeits the current game with a *player.Forfeit and is restarted for the next
// one.
//
// Closing the player kills the program and its descendants. On Linux they are also killed when this
// process is killed. On other systems, children that leave the process group (on Windows: all
// children) must exit by themselves when their pipes close.
package bot

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"afterstate/board"
	"afterstate/eval"
	"afterstate/player"
	"afterstate/search"
	"afterstate/wire"
)

const byeTimeout = time.Second // how long a bot may take to end after bye

// Options configures a bot.
type Options struct {
	Spec    string        // name of the player in decisions and errors
	Command []string      // the program and its arguments; see [SplitCommand]
	Time    time.Duration // time per move that is sent to the program as time_ms; 0: none
	Timeout time.Duration // limit for an answer, after which the program forfeits its game; 0: none
	Startup time.Duration // limit for the answer to hello; 0: none
}

// Player runs an external program that speaks the protocol of package wire. It starts the program
// on first use and reuses it for later games. A fault forfeits the current game; the next game
// starts a new process.
type Player struct {
	o Options

	seed, game uint64
	turn       int
	lost       *player.Forfeit // the forfeit of the current game, if any
	process    *process        // nil while none runs
	closed     bool
	theirs     wire.Hello
	legal      [4]board.Direction
}

// New returns a player for a program. It does not start the program.
func New(o Options) *Player { return &Player{o: o} }

// SplitCommand splits a command line at spaces outside single or double quotes. No shell is
// involved: no other character is special.
func SplitCommand(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote rune
	inWord := false
	for _, r := range text {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, inWord = r, true
		case r == ' ' || r == '\t':
			if inWord {
				words = append(words, word.String())
				word.Reset()
			}
			inWord = false
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if inWord {
		words = append(words, word.String())
	}
	if quote != 0 {
		return nil, errors.New("a quote is not closed")
	}
	return words, nil
}

// Start begins game number game of a seed and clears a forfeit of the previous game.
func (p *Player) Start(seed, game uint64) {
	p.seed, p.game, p.turn, p.lost = seed, game, 0, nil
}

// Prepare starts the program and performs the hello handshake, unless that is already done. The
// handshake sends the board size, so that loading data for it counts as startup time.
func (p *Player) Prepare(ctx context.Context, size board.Size) error {
	if p.lost != nil {
		return p.named()
	}
	if p.process != nil {
		return nil
	}
	if p.closed {
		return fmt.Errorf("%s is closed", p.o.Spec)
	}
	started, err := startProcess(p.o.Command)
	if err != nil {
		return p.lose(fault("it cannot be started", err.Error()))
	}
	p.process = started
	p.theirs = wire.Hello{}
	hello := wire.Hello{Name: "afterstate", Protocol: wire.Protocol, Size: size}
	if err := p.process.ask(ctx, p.o.Startup, wire.MethodHello, hello, p.theirs.ReadResult); err != nil {
		return p.lose(err)
	}
	if p.theirs.Protocol != wire.Protocol {
		return p.lose(fault(fmt.Sprintf("it speaks protocol %d: want %d", p.theirs.Protocol, wire.Protocol), ""))
	}
	return nil
}

// Decide requests a move from the program.
func (p *Player) Decide(ctx context.Context, q search.Query) (player.Decision, error) {
	d := player.Decision{Board: q.Board, Player: p.o.Spec, Unit: eval.Heuristic, Source: "bot"}
	legal := p.legal[:0]
	for _, dir := range board.Directions {
		if _, _, moved := q.Board.Slide(dir); moved {
			d.Moves[dir] = search.MoveValue{Legal: true, Value: math.NaN()}
			legal = append(legal, dir)
		}
	}
	if len(legal) == 0 {
		return d, nil
	}
	if err := p.Prepare(ctx, q.Board.Size()); err != nil {
		return d, err
	}
	if size := q.Board.Size(); len(p.theirs.Sizes) > 0 && !slices.Contains(p.theirs.Sizes, size) {
		return d, p.lose(fault(fmt.Sprintf("it does not play %v", size), ""))
	}
	p.turn++
	params := wire.BestMove{
		Board: q.Board, Score: q.Score, Legal: legal, Turn: p.turn,
		TimeMS: float64(p.o.Time) / float64(time.Millisecond),
	}
	if p.theirs.WantsSeed {
		params.Seed, params.Game = &p.seed, &p.game
	}
	var answer wire.Move
	if err := p.process.ask(ctx, p.o.Timeout, wire.MethodBestMove, params, answer.ReadResult); err != nil {
		return d, p.lose(err)
	}
	d.Move, d.OK = *answer.Move, true
	if !d.Moves[d.Move].Legal {
		return d, p.lose(fault("an illegal move", fmt.Sprintf("%v changes nothing on %v", d.Move, q.Board)))
	}
	return d, nil
}

// lose kills the program. A forfeit is recorded for the current game, with the end of the program's
// stderr as detail; other errors, such as the end of a context, are returned unchanged.
func (p *Player) lose(err error) error {
	var exit, stderr string
	if p.process != nil {
		exit, stderr = p.process.end()
		p.process = nil
	}
	cause, ok := err.(*player.Forfeit)
	if !ok {
		return err
	}
	lost := *cause
	if lost.Reason == goneReason {
		lost.Detail = exit
	}
	if stderr != "" {
		if lost.Detail != "" {
			lost.Detail += "; "
		}
		lost.Detail += "stderr: " + stderr
	}
	p.lost = &lost
	return p.named()
}

// named returns the forfeit wrapped with the player's name, for errors that are printed without
// context.
func (p *Player) named() error { return fmt.Errorf("%s: %w", p.o.Spec, p.lost) }

// Close sends bye, ends the program and releases its resources. The player cannot be used
// afterwards.
func (p *Player) Close() error {
	p.closed = true
	if p.process != nil {
		p.process.bye()
		p.process.end()
		p.process = nil
	}
	return nil
}
