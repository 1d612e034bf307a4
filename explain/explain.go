// Package explain gives reasons for a move: the loss of each move against the best one, how games
// continue from it, the expected line, and the evaluator's terms for the board after it.
//
//	reasons, err := explain.Explain(ctx, maker, query, explain.Options{Time: time.Second})
//	share, ci := reasons.GameOver(board.Left) // probability that the game is over within 50 moves
//
// Rollouts are games from the board after each move, played by the player itself, or by a faster
// variant if it is slow. The tiles come from a seed and are the same for every move (common random
// numbers). A rollout ends after [Horizon] moves: it estimates the consequences of the move, not
// the final score. The number of rollouts depends on the time limit.
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

// Horizon is the length of a rollout in moves, the move in question included.
const Horizon = 50

// Reasons are the reasons for and against each move.
type Reasons struct {
	Decision      player.Decision // with the exact value of every move
	RolloutLimits string          // what makes the rollouts' players faster; "" if nothing
	NextTile      int64           // the tile of Reached: twice the largest tile
	Rollouts      int             // number of rollouts of each move
	Moves         [4]Move         // by direction; zero for illegal moves
	Line          []Step          // the expected line, the best move first
}

// Move holds the reasons for and against one move.
type Move struct {
	Reached   int         // number of rollouts that reached NextTile
	GameOvers int         // number of rollouts in which the game ended
	Terms     []eval.Part // summands of the evaluator's value for the afterstate; nil without an evaluator
}

// Step is one move of the expected line.
type Step struct {
	Move  board.Direction
	Board board.Board // after the move and the expected spawn
}

// Options limits the work. The zero value is half a second on all cores.
type Options struct {
	Time    time.Duration // total; 0: 500 ms
	Seed    uint64        // of the rollouts' tiles
	Workers int           // 0: GOMAXPROCS
	P4      float64       // probability of a 4; 0: game.P4
	// Oracle is given to players that know the spawns to come.
	Oracle search.Oracle
}

// Explain asks a player for its decision and collects reasons. It returns within Options.Time
// unless the decision alone takes longer. Errors are those of the player and of ctx; with the
// latter it returns the reasons so far.
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
	if d, ok, err := x.unsearched(ctx, q); ok || err != nil {
		return Reasons{Decision: d, RolloutLimits: m.RolloutLimits, NextTile: 2 * board.Tile(q.Board.Largest())}, err
	}
	p := x.driver(ctx, m.New, o.Oracle)
	defer p.Close()
	for range o.Workers {
		future := &foreseen{}
		x.drivers = append(x.drivers, roller{x.driver(ctx, x.quick(), future), future})
		defer x.drivers[len(x.drivers)-1].driver.Close()
	}
	start := time.Now() // the limit does not include starting programs
	d, err := p.Ask(ctx, q)
	if err != nil {
		return Reasons{}, err
	}
	r := Reasons{Decision: d, RolloutLimits: m.RolloutLimits, NextTile: 2 * board.Tile(q.Board.Largest())}
	if !d.OK {
		return r, nil
	}
	x.terms(&r)
	// A quarter of the remaining time is for the line, the rest for rollouts.
	lineTime, cancel := context.WithDeadline(ctx, start.Add(d.Elapsed+(o.Time-d.Elapsed)/4))
	r.Line = x.line(lineTime, p, d.Move)
	cancel()
	rest, cancel := context.WithDeadline(ctx, start.Add(o.Time))
	defer cancel()
	x.rollouts(rest, &r)
	return r, ctx.Err()
}

// unsearched returns the decision on a board without a legal move, and on one with a single move if
// the player would have to load something for the reasons; ok is false on other boards.
func (x *explainer) unsearched(ctx context.Context, q search.Query) (d player.Decision, ok bool, err error) {
	r, ok := search.Unsearched(&q.Position)
	if !ok {
		return d, false, nil
	}
	p := player.Driver{Player: x.maker.New()}
	defer p.Close()
	if ready, err := player.Ready(p.Player, q.Board.Size()); r.OK && (ready || err != nil) {
		return d, false, err
	}
	p.Start(x.Seed, 0, x.Oracle)
	d, err = p.Ask(ctx, q)
	return d, true, err
}

type explainer struct {
	Options
	maker   catalog.Maker
	query   search.Query
	drivers []roller // one for each worker
}

// roller plays rollouts; future holds their spawns, for players that know them.
type roller struct {
	driver *player.Driver
	future *foreseen
}

// quick returns the function that makes the players of rollouts.
func (x *explainer) quick() func() player.Player {
	if x.maker.NewRollout != nil {
		return x.maker.NewRollout
	}
	return x.maker.New
}

// driver starts a new player, with o if it knows the spawns to come.
func (x *explainer) driver(ctx context.Context, make func() player.Player, o search.Oracle) *player.Driver {
	d := &player.Driver{Player: make()}
	d.Start(x.Seed, 0, o)
	_ = d.Prepare(ctx, x.query.Board.Size()) // Ask returns the error again
	return d
}

// terms sets the evaluator's terms for the afterstates.
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

// rollouts plays rounds of one rollout from each move until ctx ends. Only complete rounds count,
// so all moves had the same tiles.
func (x *explainer) rollouts(ctx context.Context, r *Reasons) {
	var next atomic.Uint64
	var mu sync.Mutex
	var workers sync.WaitGroup
	var panicked any // a worker's panic, raised again in the caller's goroutine, where it can be recovered
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

// round plays one rollout from each legal move; ok is false if it did not complete.
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

// rollout plays from an afterstate for Horizon moves or to the end of the game.
func rollout(ctx context.Context, p *player.Driver, random *game.Random, at eval.Position, goal int64) (reached, died bool, err error) {
	for move := 1; ; move++ {
		reached = reached || board.Tile(at.Board.Largest()) >= goal
		random.Place(&at.Board, random.Draw())
		switch {
		case at.Board.Terminal():
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

// foreseen is the Oracle of a rollout.
type foreseen struct{ *game.Random }

func (f *foreseen) Foresee() (game.Random, bool) {
	if f.Random == nil {
		return game.Random{}, false
	}
	return *f.Random, true
}

// Reach returns the share of rollouts of a move that reached NextTile, with its 95 % Wilson
// interval.
func (r *Reasons) Reach(d board.Direction) (share float64, ci stats.Interval) {
	return chance(r.Moves[d].Reached, r.Rollouts)
}

// GameOver returns the share of rollouts of a move in which the game ended, with its 95 % Wilson
// interval.
func (r *Reasons) GameOver(d board.Direction) (share float64, ci stats.Interval) {
	return chance(r.Moves[d].GameOvers, r.Rollouts)
}

func chance(hits, n int) (float64, stats.Interval) {
	if n == 0 {
		return 0, stats.Wilson(0, 0)
	}
	return float64(hits) / float64(n), stats.Wilson(hits, n)
}
