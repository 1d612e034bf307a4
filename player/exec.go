package player

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"slices"
	"strings"
	"time"

	"afterstate/board"
	"afterstate/eval"
	"afterstate/player/spec"
	"afterstate/search"
	"afterstate/wire"
)

const execKeys = "cmd, time, timeout, startup"

const (
	usualTimeout = 10 * time.Second
	usualStartup = 30 * time.Second
	farewell     = time.Second // how long a bot may take to end after bye
)

// bot is a program outside that speaks the protocol of package wire. It is started
// when it is first needed and serves game after game. After a fault it has lost its
// game and is started anew for the next one.
type bot struct {
	spec    string
	words   []string      // program and arguments
	time    time.Duration // what it is told to answer in; 0: nothing
	timeout time.Duration // when it has lost; 0: never
	startup time.Duration // the same for its answer to hello

	seed, game uint64
	turn       int
	lost       *Forfeit // why it has lost this game
	process    *process // nil while none runs
	closed     bool
	theirs     wire.Hello
	legal      [4]board.Direction
}

func buildExec(b *builder, s *spec.Spec) (Maker, error) {
	a := b.args(s)
	if !b.caps.Exec {
		return Maker{}, fmt.Errorf("%s: programs may not be started here: want a player of Afterstate's own", a.name)
	}
	p := bot{spec: b.spec, words: a.command("cmd")}
	p.time = a.duration("time", 0)
	p.timeout = a.duration("timeout", p.time+usualTimeout)
	p.startup = a.duration("startup", usualStartup)
	if p.timeout != 0 && p.timeout < p.time {
		a.fail("timeout=%v is less than time=%v: want more", p.timeout, p.time)
	}
	return Maker{TimeLimited: p.time > 0, New: func() Player {
		p := p
		return &p
	}}, a.finish()
}

// command reads a command line and finds its program.
func (a *args) command(key string) []string {
	const want = `a program and its arguments such as "python3 bot.py"`
	v, ok := a.get(key)
	if a.err != nil {
		return nil
	}
	if !ok || v.Call != nil {
		a.fail("%s is missing: want %s=%s", key, key, want)
		return nil
	}
	words, err := splitCommand(v.Text)
	if err != nil || len(words) == 0 {
		a.fail("%s=%v: want %s, quotes closed", key, v, want)
		return nil
	}
	if words[0], err = exec.LookPath(words[0]); err != nil {
		var cause *exec.Error
		if errors.As(err, &cause) {
			a.fail("%s=%v: the program %s cannot be started: %w", key, v, cause.Name, cause.Err)
		}
		a.fail("%s=%v: %w", key, v, err)
		return nil
	}
	return words
}

// splitCommand splits a command line at spaces outside of quotes, single or double
// ones. There is no shell: nothing else has a meaning.
func splitCommand(text string) ([]string, error) {
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
func (p *bot) Start(seed, game uint64) {
	p.seed, p.game, p.turn, p.lost = seed, game, 0, nil
}

// Prepare starts the program and shakes hands, unless that has been done. The program
// learns the size, so that what it loads for it counts as startup.
func (p *bot) Prepare(ctx context.Context, size board.Size) error {
	if p.lost != nil {
		return p.named()
	}
	if p.process != nil {
		return nil
	}
	if p.closed {
		return fmt.Errorf("%s is closed", p.spec)
	}
	started, err := startProcess(p.words)
	if err != nil {
		return p.lose(&Forfeit{"it cannot be started", err.Error()})
	}
	p.process = started
	p.theirs = wire.Hello{}
	hello := wire.Hello{Name: "afterstate", Protocol: wire.Protocol, Size: size}
	if err := p.process.ask(ctx, p.startup, wire.MethodHello, hello, p.theirs.ReadResult); err != nil {
		return p.lose(err)
	}
	if p.theirs.Protocol != wire.Protocol {
		return p.lose(&Forfeit{fmt.Sprintf("it speaks protocol %d: want %d", p.theirs.Protocol, wire.Protocol), ""})
	}
	return nil
}

// Decide asks the bot for its move.
func (p *bot) Decide(ctx context.Context, q search.Query) (Decision, error) {
	d := Decision{Board: q.Board, Player: p.spec, Unit: eval.Heuristic, Source: "bot"}
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
		return d, p.lose(&Forfeit{fmt.Sprintf("it does not play %v", size), ""})
	}
	p.turn++
	params := wire.BestMove{
		Board: q.Board, Score: q.Score, Legal: legal, Turn: p.turn,
		TimeMS: float64(p.time) / float64(time.Millisecond),
	}
	if p.theirs.WantsSeed {
		params.Seed, params.Game = &p.seed, &p.game
	}
	var answer wire.Move
	if err := p.process.ask(ctx, p.timeout, wire.MethodBestMove, params, answer.ReadResult); err != nil {
		return d, p.lose(err)
	}
	d.Move, d.OK = *answer.Move, true
	if !d.Moves[d.Move].Legal {
		return d, p.lose(&Forfeit{"an illegal move", fmt.Sprintf("%v changes nothing on %v", d.Move, q.Board)})
	}
	return d, nil
}

// lose ends the program. A fault of the program's own loses the game, and what it
// wrote to stderr is told with it; other errors (the end of a context) pass.
func (p *bot) lose(err error) error {
	var exit, stderr string
	if p.process != nil {
		exit, stderr = p.process.end()
		p.process = nil
	}
	fault, ok := err.(*Forfeit)
	if !ok {
		return err
	}
	lost := *fault
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
func (p *bot) named() error { return fmt.Errorf("%s: %w", p.spec, p.lost) }

// Close says bye and ends the program for good.
func (p *bot) Close() error {
	p.closed = true
	if p.process != nil {
		p.process.bye()
		p.process.end()
		p.process = nil
	}
	return nil
}
