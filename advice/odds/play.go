package odds

import (
	"cmp"
	"context"
	"errors"
	"sync"

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
	network  *ntuple.Network // plays the games; if nil, the rollout player plays them
	playedBy string
	threads  []*thread
}

// thread plays games in one goroutine.
type thread struct {
	e      *Engine
	c      *collector
	driver *player.Driver // nil until prepare
	future *foreseen      // the coming spawns of the current game, for players that know them
	fast   *learn.Rollouts
}

// New returns an engine. It loads the network of m. If m has no network, or if the board does not fit into a word, it
// starts rollout players of m. It returns the error of loading the network; errors of the players come from
// [Engine.Play].
func New(ctx context.Context, m catalog.Maker, at eval.Position, o Options) (*Engine, error) {
	o.fill(&at)
	e := &Engine{o: o, maker: m, at: at, playedBy: "the player"}
	if limits := m.Limits(at.Board.Size()); limits != "" {
		e.playedBy += " with " + limits
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
	for range e.o.Threads {
		t := &thread{e: e}
		if e.network != nil {
			e.playedBy = "the network, greedily"
			t.fast = learn.NewRollouts(e.network, learn.Lanes, e.o.P4)
		} else {
			t.prepare(ctx)
		}
		e.threads = append(e.threads, t)
	}
	return e, nil
}

// Close closes the players, which may hold resources other than memory.
func (e *Engine) Close() {
	for _, t := range e.threads {
		if t.driver != nil {
			_ = t.driver.Close() // ignored: the results are complete already
		}
	}
}

// Play plays until Options.Games is reached or ctx ends. It always returns the result so far, even if it also returns
// an error: ctx.Err() or the player's error.
func (e *Engine) Play(ctx context.Context) (*Odds, error) {
	c := &collector{o: &e.o, result: newOdds(e.at, &e.o), legal: e.at.Board.Legal()}
	c.result.PlayedBy = e.playedBy
	for _, t := range e.threads {
		t.c = c
	}
	err := workers.Try(ctx, len(e.threads), func(ctx context.Context, k int) error { return e.threads[k].play(ctx) })
	return c.result, cmp.Or(ctx.Err(), err)
}

// play plays games until none is left or ctx ends.
func (t *thread) play(ctx context.Context) error {
	if t.fast != nil {
		return t.playFast(ctx)
	}
	for ctx.Err() == nil {
		number, move, ok := t.c.take()
		if !ok {
			return nil
		}
		g, random := t.e.begin(number, move)
		if err := t.finish(ctx, number, move, &g, random); err != nil {
			return err
		}
	}
	return nil
}

// unfinished is a game in progress, at an afterstate.
type unfinished struct {
	at       eval.Position
	moves    int
	stopTile uint8 // exponent of the tile that ends the game, but not before Soon moves; 0 means no tile
}

// begin returns a game after its first move, and the generator of its spawns.
func (e *Engine) begin(number uint64, move board.Direction) (unfinished, *game.Random) {
	after, reward, _ := e.at.Board.Slide(move)
	g := unfinished{at: eval.Position{Board: after, Score: e.at.Score + reward}, moves: 1}
	if !e.o.whole(number) {
		g.stopTile = e.o.Tiles[len(e.o.Tiles)-1]
	}
	return g, game.NewRandom(e.o.Seed, number, e.o.P4)
}

// finish lets the player play a game to its end and delivers the outcome, unless ctx ends first.
func (t *thread) finish(ctx context.Context, number uint64, move board.Direction, g *unfinished, random *game.Random) error {
	t.prepare(ctx)
	t.future.Random = random
	t.driver.Start(t.e.o.Seed, number, nil)
	for {
		yield.Point()
		over, ended := g.spawn(random, t.e.o.SlowHorizon)
		if ended {
			t.c.deliver(number, move, g.outcome(over))
			return nil
		}
		d, err := t.driver.Decide(ctx, search.Query{Position: g.at})
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

// spawn adds a tile, unless the game has ended at its afterstate. ended reports that the game has ended, and
// over that it ended because no move is legal.
func (g *unfinished) spawn(random *game.Random, horizon int) (over, ended bool) {
	if g.stopTile != 0 && g.moves >= Soon && g.at.Board.Largest() >= g.stopTile {
		return false, true
	}
	random.Place(&g.at.Board, random.Draw())
	over = g.at.Board.Terminal()
	return over, over || g.moves == horizon
}

func (g *unfinished) outcome(over bool) outcome {
	return outcome{score: g.at.Score, moves: g.moves, largest: g.at.Board.Largest(), over: over}
}

// prepare creates and starts the player of the thread, unless it exists already.
func (t *thread) prepare(ctx context.Context) {
	if t.driver != nil {
		return
	}
	t.future = new(foreseen)
	t.driver = &player.Driver{Player: t.e.maker.Rollout()}
	t.driver.Start(t.e.o.Seed, 0, t.future)
	_ = t.driver.Prepare(ctx, t.e.at.Board.Size()) // ignored: the player's first decision returns the same error
}

// foreseen is the [search.Oracle] of the current game of a thread.
type foreseen struct{ *game.Random }

func (f *foreseen) Foresee() (game.Random, bool) {
	if f.Random == nil {
		return game.Random{}, false
	}
	return *f.Random, true
}

// outcome is the result of one game.
type outcome struct {
	score   int64
	moves   int
	largest uint8
	over    bool // the game ended without a legal move
}

// round holds the outcomes of the games of one round.
type round struct {
	games   [4]outcome
	missing int
}

// collector hands out games, and adds the outcomes of complete rounds to the result in round order.
type collector struct {
	o     *Options
	legal []board.Direction

	mu      sync.Mutex
	result  *Odds
	started uint64  // number of games handed out
	pending []round // rounds that are not in result yet, starting with round number result.Games
}

// whole reports whether the games of a round are played to the end.
func (o *Options) whole(round uint64) bool {
	return o.WholeEvery > 0 && round%uint64(o.WholeEvery) == 0
}

// take returns the next game: the number of its round and its move. ok is false when no game is left.
func (c *collector) take() (number uint64, move board.Direction, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := uint64(len(c.legal))
	if n == 0 || c.o.Games > 0 && c.started >= n*uint64(c.o.Games) {
		return 0, 0, false
	}
	number, move = c.started/n, c.legal[c.started%n]
	c.started++
	return number, move, true
}

// deliver records the outcome of a game.
func (c *collector) deliver(number uint64, move board.Direction, x outcome) {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := int(number) - c.result.Games
	for len(c.pending) <= i {
		c.pending = append(c.pending, round{missing: len(c.legal)})
	}
	c.pending[i].games[move] = x
	c.pending[i].missing--
	done := 0
	for done < len(c.pending) && c.pending[done].missing == 0 {
		c.add(&c.pending[done])
		done++
	}
	c.pending = c.pending[:copy(c.pending, c.pending[done:])]
}

// add adds the next round to the result.
func (c *collector) add(r *round) {
	o := c.result
	whole := c.o.whole(uint64(o.Games))
	o.Games++
	if whole {
		o.Whole++
	}
	limit := o.Requested[len(o.Requested)-1]
	for k, d := range c.legal {
		m, x := &o.Moves[d], &r.games[d]
		for i, e := range o.Tiles {
			if x.largest >= e && (whole || e <= limit) {
				m.Made[i]++
			}
		}
		if whole && x.largest >= limit {
			m.Whole++
		}
		if x.over && x.moves <= Soon {
			m.SoonOver++
		}
		if whole {
			m.Score.add(float64(x.score))
			m.Length.add(float64(x.moves))
		}
		for _, other := range c.legal[k+1:] {
			o.pairs[d][other].add(x, &r.games[other], o.Goal(), whole)
		}
	}
}

func (p *pair) add(a, b *outcome, goal uint8, whole bool) {
	switch first, other := a.largest >= goal, b.largest >= goal; {
	case first && other:
		p.both++
	case first:
		p.first++
	case other:
		p.other++
	default:
		p.neither++
	}
	if whole {
		p.score.add(float64(a.score - b.score))
	}
}

// playFast plays games with the network. If a game gets tiles that do not fit into a bitboard, the player
// finishes it, with the same moves as the network.
func (t *thread) playFast(ctx context.Context) (err error) {
	finish := func(number uint64, move board.Direction, g *unfinished, random *game.Random) {
		if err == nil {
			err = t.finish(ctx, number, move, g, random)
		}
	}
	stop := func() bool {
		yield.Point()
		return err != nil || ctx.Err() != nil
	}
	next := func(r *learn.Rollout) bool {
		for !stop() {
			number, move, ok := t.c.take()
			if !ok {
				return false
			}
			g, random := t.e.begin(number, move)
			if r.Board, ok = ntuple.Pack(&g.at.Board); !ok {
				finish(number, move, &g, random)
				continue
			}
			r.Spawn, r.Score, r.Moves = random.State().PCG, g.at.Score, g.moves
			r.Until, r.Least = g.stopTile, Soon
			r.Tag = number<<2 | uint64(move)
			return true
		}
		return false
	}
	done := func(r *learn.Rollout) {
		number, move := r.Tag>>2, board.Direction(r.Tag&3)
		g := unfinished{at: eval.Position{Board: ntuple.Unpack(r.Board, t.e.network.Size), Score: r.Score}, moves: r.Moves, stopTile: r.Until}
		if r.End != learn.TooLarge {
			t.c.deliver(number, move, g.outcome(r.End == learn.GameOver))
			return
		}
		random := game.NewRandom(t.e.o.Seed, number, t.e.o.P4)
		random.Restore(game.State{PCG: r.Spawn})
		finish(number, move, &g, random)
	}
	t.fast.Play(stop, next, done)
	return err
}
