package odds

import (
	"context"
	"errors"
	"runtime"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/workers"
	"github.com/afterstate2048/afterstate/internal/yield"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// Engine plays the games of one position. Its methods must not be called concurrently.
type Engine struct {
	o        Options
	maker    catalog.Maker
	at       eval.Position
	network  *ntuple.Network // nil: the player plays
	playedBy string
	workers  []*worker
}

// worker plays games in one goroutine.
type worker struct {
	e      *Engine
	c      *collector
	driver *player.Driver // nil: not made yet
	future *foreseen      // the spawns of its game, for players that know them
	fast   *learn.Rollouts
}

// New loads or starts what plays the games. Errors are those of the player and of ctx.
func New(ctx context.Context, m catalog.Maker, at eval.Position, o Options) (*Engine, error) {
	e := &Engine{o: o.options(&at), maker: m, at: at, playedBy: "the player"}
	if limits := m.Limits(at.Board.Size()); limits != "" {
		e.playedBy += " with " + limits
	}
	if e.o.Workers <= 0 {
		e.o.Workers = runtime.GOMAXPROCS(0)
	}
	if at.Board.Terminal() {
		return e, nil
	}
	if _, ok := ntuple.Pack(&at.Board); ok && m.Network != nil {
		var err error
		if e.network, err = m.Network(ctx, at.Board.Size()); err != nil {
			return nil, err
		}
	}
	switch {
	case e.network != nil:
		e.o.SlowHorizon = 0
	case e.o.SlowHorizon > 0:
		e.o.WholeEvery = -1
	}
	for range e.o.Workers {
		w := &worker{e: e}
		if e.network != nil {
			e.playedBy = "the network, greedily"
			w.fast = learn.NewRollouts(e.network, learn.Lanes, e.o.P4)
		} else {
			w.prepare(ctx)
		}
		e.workers = append(e.workers, w)
	}
	return e, nil
}

// Close releases what the players hold besides memory.
func (e *Engine) Close() {
	for _, w := range e.workers {
		if w.driver != nil {
			_ = w.driver.Close() // its games have been counted
		}
	}
}

// Play plays until a limit, the early stop, or the end of ctx, and returns the result, also with an
// error. Errors are those of the player, and of ctx if it ended before Options.Time.
func (e *Engine) Play(ctx context.Context) (*Odds, error) {
	c := &collector{o: &e.o, result: newOdds(e.at, &e.o)}
	c.result.PlayedBy = e.playedBy
	c.legal = e.at.Board.Legal()
	limited := ctx
	if e.o.Time > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, e.o.Time)
		defer cancel()
	}
	for _, w := range e.workers {
		w.c = c
	}
	err := workers.Try(limited, len(e.workers), func(ctx context.Context, k int) error { return e.workers[k].play(ctx) })
	switch {
	case c.result.Stopped == "" && err != nil:
		c.result.Stopped = TimeUp
	case c.result.Stopped == "":
		c.result.Stopped = EnoughGames
	}
	switch {
	case ctx.Err() != nil:
		return c.result, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return c.result, nil
	}
	return c.result, err
}

// play plays games until there are none or ctx ends.
func (w *worker) play(ctx context.Context) error {
	if w.fast != nil {
		return w.playFast(ctx)
	}
	for ctx.Err() == nil {
		number, move, ok := w.c.take()
		if !ok {
			return nil
		}
		g, random := w.e.begin(number, move)
		if err := w.finish(ctx, number, move, &g, random); err != nil {
			return err
		}
	}
	return nil
}

// unfinished is a game on an afterstate.
type unfinished struct {
	at    eval.Position
	moves int
	until uint8 // exponent of the tile that ends it after at least Soon moves; 0: none
}

// begin returns a game after its first move.
func (e *Engine) begin(number uint64, move board.Direction) (unfinished, *game.Random) {
	after, reward, _ := e.at.Board.Slide(move)
	g := unfinished{at: eval.Position{Board: after, Score: e.at.Score + reward}, moves: 1}
	if !e.o.whole(number) {
		g.until = e.o.Tiles[len(e.o.Tiles)-1]
	}
	return g, game.NewRandom(e.o.Seed, number, e.o.P4)
}

// finish plays a game to its end by the player and delivers it, unless it is not wanted any more.
func (w *worker) finish(ctx context.Context, number uint64, move board.Direction, g *unfinished, random *game.Random) error {
	w.prepare(ctx)
	w.future.Random = random
	w.driver.Start(w.e.o.Seed, number, nil)
	for {
		yield.Point()
		over, ended := g.spawn(random, w.e.o.SlowHorizon)
		switch {
		case ended:
			w.c.deliver(number, move, g.outcome(over))
			return nil
		case w.c.over():
			return nil
		}
		d, err := w.driver.Decide(ctx, search.Query{Position: g.at})
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		after, reward, moved := g.at.Board.Slide(d.Move)
		if !d.OK || !moved {
			return errNoMove
		}
		g.at = eval.Position{Board: after, Score: g.at.Score + reward}
		g.moves++
	}
}

var errNoMove = errors.New("the player made no legal move")

// spawn adds a tile, unless the game has ended already; over: it ended without a legal move.
func (g *unfinished) spawn(random *game.Random, horizon int) (over, ended bool) {
	if g.until != 0 && g.moves >= Soon && g.at.Board.Largest() >= g.until {
		return false, true
	}
	random.Place(&g.at.Board, random.Draw())
	over = g.at.Board.Terminal()
	return over, over || g.moves == horizon
}

func (g *unfinished) outcome(over bool) outcome {
	return outcome{score: g.at.Score, moves: g.moves, largest: g.at.Board.Largest(), over: over}
}

// prepare makes the player of a worker.
func (w *worker) prepare(ctx context.Context) {
	if w.driver != nil {
		return
	}
	w.future = new(foreseen)
	w.driver = &player.Driver{Player: w.e.maker.Rollout()}
	w.driver.Start(w.e.o.Seed, 0, w.future)
	_ = w.driver.Prepare(ctx, w.e.at.Board.Size()) // Decide returns the error again
}

// foreseen is the Oracle of a game.
type foreseen struct{ *game.Random }

func (f *foreseen) Foresee() (game.Random, bool) {
	if f.Random == nil {
		return game.Random{}, false
	}
	return *f.Random, true
}
