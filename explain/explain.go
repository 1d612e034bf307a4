// Package explain says why a move is best, in terms that a person can use: what
// each move loses against the best one, how games go on from it, the line to
// expect, and the evaluator's terms for the board after it.
//
//	reasons, err := explain.Explain(ctx, maker, query, explain.Options{Time: time.Second})
//	fmt.Println(reasons.Moves[board.Left].Dead) // the chance to be dead within 50 moves
//
// Rollouts are games that the player plays on, in a quicker form if it is slow,
// from the board after each move and with tiles from a seed, the same for every
// move. They stop after
// [Horizon] moves: the question is what the move in hand leads to, not who wins in
// the end. How many there are follows from the time given.
package explain

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"afterstate/board"
	"afterstate/eval"
	"afterstate/game"
	"afterstate/player"
	"afterstate/player/catalog"
	"afterstate/search"
	"afterstate/stats"
)

// Horizon is how many moves a rollout looks ahead, the move in question included.
const Horizon = 50

// Reasons say what speaks for and against each move.
type Reasons struct {
	Decision      player.Decision // with the exact value of every move
	RolloutLimits string          // what makes the rollouts' players quicker; "" if nothing
	NextTile      int64           // what rollouts try to reach: twice the largest tile
	Rollouts      int             // played from each move
	Moves         [4]Move         // by direction; those of illegal moves are empty
	Line          []Step          // the expected line, the best move first
}

// Move is what speaks for and against one move.
type Move struct {
	Reached   int         // rollouts that reached NextTile
	GameOvers int         // rollouts that ended
	Terms     []eval.Part // of the evaluator's value for the afterstate; none without one
}

// Step is one move of the expected line.
type Step struct {
	Move  board.Direction
	Board board.Board // after the move and the tile that is expected
}

// Options bound the work. The zero value is half a second on all cores.
type Options struct {
	Time    time.Duration // for everything together; 0: 500 ms
	Seed    uint64        // of the rollouts' tiles
	Workers int           // 0: GOMAXPROCS
	P4      float64       // probability of a 4; 0: the usual one
	// Oracle is given to a player that knows the tiles to come.
	Oracle search.Oracle
}

// Explain asks a player for its decision and its reasons. It answers within the
// time given, unless the decision alone takes longer.
func Explain(ctx context.Context, m catalog.Maker, q search.Query, o Options) (Reasons, error) {
	if o.Time == 0 {
		o.Time = 500 * time.Millisecond
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.P4 == 0 {
		o.P4 = game.P4
	}
	x := &explainer{Options: o, maker: m, query: q}
	q.All = true
	p := x.driver(ctx, m.New, o.Oracle)
	defer p.Close()
	for range o.Workers {
		future := &foreseen{}
		x.drivers = append(x.drivers, roller{x.driver(ctx, x.quick(), future), future})
		defer x.drivers[len(x.drivers)-1].driver.Close()
	}
	start := time.Now() // the time is for thinking, not for starting programs
	d, err := p.Ask(ctx, q)
	if err != nil {
		return Reasons{}, err
	}
	r := Reasons{Decision: d, RolloutLimits: m.QuickAs, NextTile: 2 * board.Tile(q.Board.Largest())}
	if !d.OK {
		return r, nil
	}
	x.terms(&r)
	// A quarter of the time is for the line, the rest for rollouts.
	lineTime, cancel := context.WithDeadline(ctx, start.Add(d.Elapsed+(o.Time-d.Elapsed)/4))
	r.Line = x.line(lineTime, p, d.Move)
	cancel()
	rest, cancel := context.WithDeadline(ctx, start.Add(o.Time))
	defer cancel()
	x.rollouts(rest, &r)
	return r, ctx.Err()
}

type explainer struct {
	Options
	maker   catalog.Maker
	query   search.Query
	drivers []roller // one for each worker
}

// roller plays rollouts; its future is told to a player that knows it.
type roller struct {
	driver *player.Driver
	future *foreseen
}

// quick makes the players of rollouts.
func (x *explainer) quick() func() player.Player {
	if x.maker.Quick != nil {
		return x.maker.Quick
	}
	return x.maker.New
}

// driver has a new player, which may know the tiles to come.
func (x *explainer) driver(ctx context.Context, make func() player.Player, o search.Oracle) *player.Driver {
	d := &player.Driver{Player: make()}
	d.Start(x.Seed, 0, o)
	_ = d.Prepare(ctx, x.query.Board.Size()) // what is wrong with it Ask will say
	return d
}

// terms fills in what the evaluator says about the afterstates.
func (x *explainer) terms(r *Reasons) {
	if x.maker.Evaluator == nil {
		return
	}
	name, e := x.maker.Evaluator(x.query.Board.Size())
	for d := range r.Moves {
		after, reward, moved := x.query.Board.Slide(board.Direction(d))
		if moved {
			r.Moves[d].Terms = eval.Parts(name, e, &eval.Position{Board: after, Score: x.query.Score + reward})
		}
	}
}

// rollouts plays rounds of one rollout from each move until the time is up. Only
// whole rounds count, so that all moves met the same tiles equally often.
func (x *explainer) rollouts(ctx context.Context, r *Reasons) {
	var next atomic.Uint64
	var mu sync.Mutex
	var workers sync.WaitGroup
	var panicked any // a worker's panic, for the caller's goroutine, where it can be recovered
	for _, c := range x.drivers {
		workers.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					mu.Lock()
					panicked = p
					mu.Unlock()
				}
			}()
			for ctx.Err() == nil {
				round, ok := x.round(ctx, c.driver, c.future, next.Add(1)-1, r.NextTile)
				if !ok {
					return
				}
				mu.Lock()
				r.Rollouts++
				for d := range round {
					r.Moves[d].Reached += round[d].Reached
					r.Moves[d].GameOvers += round[d].GameOvers
				}
				mu.Unlock()
			}
		})
	}
	workers.Wait()
	if panicked != nil {
		panic(panicked)
	}
}

// round plays one rollout from each legal move; ok is false when it was cut short.
func (x *explainer) round(ctx context.Context, p *player.Driver, future *foreseen, index uint64, goal int64) (round [4]Move, ok bool) {
	for d := range round {
		after, reward, moved := x.query.Board.Slide(board.Direction(d))
		if !moved {
			continue
		}
		random := game.NewRandom(x.Seed, index, x.P4)
		future.Random = random
		p.Start(x.Seed, index, nil)
		at := eval.Position{Board: after, Score: x.query.Score + reward}
		reached, died, err := rollout(ctx, p, random, at, goal)
		if err != nil {
			return round, false
		}
		if reached {
			round[d].Reached = 1
		}
		if died {
			round[d].GameOvers = 1
		}
	}
	return round, true
}

// rollout plays on from an afterstate.
func rollout(ctx context.Context, p *player.Driver, random *game.Random, at eval.Position, goal int64) (reached, died bool, err error) {
	for move := 1; ; move++ {
		reached = reached || board.Tile(at.Board.Largest()) >= goal
		random.Place(&at.Board, random.Draw())
		switch {
		case at.Board.Dead():
			return reached, true, nil
		case move == Horizon:
			return reached, false, nil
		}
		d, err := p.Decide(ctx, search.Query{Position: at})
		if err != nil {
			return false, false, err
		}
		if ctx.Err() != nil {
			return false, false, ctx.Err()
		}
		after, reward, moved := at.Board.Slide(d.Move)
		if !d.OK || !moved {
			return false, false, errors.New("the player made no legal move")
		}
		at = eval.Position{Board: after, Score: at.Score + reward}
	}
}

// foreseen is the future of a rollout, for players that are told it.
type foreseen struct{ *game.Random }

func (f *foreseen) Foresee() (game.Random, bool) {
	if f.Random == nil {
		return game.Random{}, false
	}
	return *f.Random, true
}

// Reach and Death are the chances to reach the next tile and to be dead within the
// horizon, with their intervals.
func (r *Reasons) Reach(d board.Direction) (share float64, ci stats.Interval) {
	return chance(r.Moves[d].Reached, r.Rollouts)
}

// GameOver is the chance to be dead within the horizon.
func (r *Reasons) GameOver(d board.Direction) (share float64, ci stats.Interval) {
	return chance(r.Moves[d].GameOvers, r.Rollouts)
}

func chance(hits, n int) (float64, stats.Interval) {
	if n == 0 {
		return 0, stats.Wilson(0, 0)
	}
	return float64(hits) / float64(n), stats.Wilson(hits, n)
}
