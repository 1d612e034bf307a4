// Package explain gives reasons for a move: the loss of each move against the best one, how games
// continue from it, the expected line, and the evaluator's terms for the board after it.
//
//	reasons, err := explain.Explain(ctx, maker, query, explain.Options{Time: time.Second})
//	share, ci := reasons.Rollouts.SoonOver(board.Left) // probability that the game is over within 50 moves
//
// Rollouts are the games of package odds, played by the player itself, or by a faster variant if it
// is slow. Those of players with a network are played until the next tile is made or the game is over;
// those of others end after [Horizon] moves. The number of rollouts depends on the time limit.
package explain

import (
	"context"
	"math"
	"runtime"
	"time"

	"github.com/afterstate2048/afterstate/advice/odds"
	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// Horizon is the number of moves within which ends of games are counted, the move in question
// included.
const Horizon = odds.Soon

// Reasons are the reasons for and against each move.
type Reasons struct {
	Decision      player.Decision // with the exact value of every move
	RolloutLimits string          // what makes the rollouts' players faster; "" if nothing
	NextTile      int64           // the tile of Reach: twice the largest tile
	Rollouts      odds.Odds       // the rollouts; without Games there are none
	Terms         [4][]eval.Part  // by direction: summands of the evaluator's value for the afterstate; nil without an evaluator
	Line          []Step          // the expected line, the best move first
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
	r := Reasons{RolloutLimits: m.Limits(q.Board.Size()), NextTile: 2 * board.Tile(q.Board.Largest())}
	d, ok, err := x.unsearched(ctx, q)
	if r.Decision = d; ok || err != nil {
		return r, err
	}
	p := x.driver(ctx, m.New(), o.Oracle)
	defer p.Close()
	x.quickly = x.driver(ctx, m.Rollout(), search.Future{})
	defer x.quickly.Close()
	games, err := odds.New(ctx, m, q.Position, odds.Options{
		Tiles: []uint8{q.Board.Largest() + 1}, Games: math.MaxInt32, Seed: o.Seed, Workers: o.Workers, P4: o.P4,
		WholeEvery: -1, SlowHorizon: Horizon, Exact: true,
	})
	if err != nil {
		return Reasons{}, err
	}
	defer games.Close()
	start := time.Now() // the limit does not include starting programs
	if d, err = p.Ask(ctx, q); err != nil {
		return Reasons{}, err
	}
	if r.Decision = d; !d.OK {
		return r, nil
	}
	x.terms(&r)
	// A quarter of the remaining time is for the line, the rest for rollouts.
	lineTime, cancel := context.WithDeadline(ctx, start.Add(d.Elapsed+(o.Time-d.Elapsed)/4))
	r.Line = x.line(lineTime, p, d.Move)
	cancel()
	rest, cancel := context.WithDeadline(ctx, start.Add(o.Time))
	defer cancel()
	played, _ := games.Play(rest) // without the games of a player that fails there are still other reasons
	r.Rollouts = *played
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
	quickly *player.Driver // of the rollouts' player
}

// driver starts a player, with o if it knows the spawns to come.
func (x *explainer) driver(ctx context.Context, p player.Player, o search.Oracle) *player.Driver {
	d := &player.Driver{Player: p}
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
	if e == nil {
		return
	}
	for d := range r.Terms {
		after, reward, moved := x.query.Board.Slide(board.Direction(d))
		if moved {
			r.Terms[d] = eval.Parts(name, e, &eval.Position{Board: after, Score: x.query.Score + reward})
		}
	}
}

// Reach returns the share of rollouts of a move that reached NextTile, NaN without any, with its 95 %
// Wilson interval.
func (r *Reasons) Reach(d board.Direction) (share float64, ci stats.Interval) {
	if r.Rollouts.Games == 0 {
		return math.NaN(), stats.Unknown
	}
	share, ci, _ = r.Rollouts.Chance(d, r.Rollouts.Goal())
	return share, ci
}
