// Package bot is players that are programs outside, in any language, which speak the
// protocol of package wire over their stdin and stdout (docs/protocol.md).
//
//	p := bot.New(bot.Options{Spec: "mine", Command: []string{"python3", "bot.py"}, Timeout: 10 * time.Second})
//	defer p.Close()
//
// The spec exec(cmd="python3 bot.py") of package catalog makes one. A program starts when
// it is first needed and serves game after game. One that ends, hangs or breaks the
// protocol forfeits its game by a *player.Forfeit and starts anew for the next one.
//
// The program and all that it started end with the player, on Linux also when this
// process is killed. On other systems children that leave the process group, and on
// Windows all children, must notice the end of their pipes.
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

const farewell = time.Second // how long a bot may take to end after bye

// Options describe a bot.
type Options struct {
	Spec    string        // what the player calls itself in decisions and errors
	Command []string      // the program and its arguments; see [SplitCommand]
	Time    time.Duration // what it is told to answer in; 0: nothing
	Timeout time.Duration // for an answer, after which it forfeits its game; 0: none
	Startup time.Duration // the same for its answer to hello
}

// Player is a program outside that speaks the protocol of package wire. It is started
// when it is first needed and serves game after game. After a fault it has forfeited its
// game and is started anew for the next one.
type Player struct {
	o Options

	seed, game uint64
	turn       int
	lost       *player.Forfeit // why it has lost this game
	process    *process        // nil while none runs
	closed     bool
	theirs     wire.Hello
	legal      [4]board.Direction
}

// New returns the player of a program. Nothing is started yet.
func New(o Options) *Player { return &Player{o: o} }

// SplitCommand splits a command line at spaces outside of quotes, single or double
// ones. There is no shell: nothing else has a meaning.
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

// Start begins a game.
func (p *Player) Start(seed, game uint64) {
	p.seed, p.game, p.turn, p.lost = seed, game, 0, nil
}

// Prepare starts the program and shakes hands, unless that has been done. The program
// learns the size, so that what it loads for it counts as startup.
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

// Decide asks the bot for its move.
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

// lose ends the program. A fault of the program's own loses the game, and what it
// wrote to stderr is told with it; other errors (the end of a context) pass.
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

// named is the forfeit with the player's name, for whoever just prints it.
func (p *Player) named() error { return fmt.Errorf("%s: %w", p.o.Spec, p.lost) }

// Close says bye and ends the program for good.
func (p *Player) Close() error {
	p.closed = true
	if p.process != nil {
		p.process.bye()
		p.process.end()
		p.process = nil
	}
	return nil
}
