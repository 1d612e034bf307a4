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
	"cmp"
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/afterstate2048/afterstate/advice/odds"
	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
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

// Expected are the moves of Line as text.
func (r *Reasons) Expected() string {
	return strings.Join(each.Of(r.Line, func(s Step) string { return s.Move.String() }), ", ")
}

// Options limits the work. The zero value is half a second on all cores.
type Options struct {
	Time    time.Duration // total; 0: 500 ms
	Seed    uint64        // of the rollouts' tiles
	Threads int           // 0: GOMAXPROCS
	P4      float64       // probability of a 4; 0: game.P4
	// Oracle is given to players that know the spawns to come.
	Oracle search.Oracle

	games int // limit of the rollouts of each move, so that tests need not wait for the time; 0: none
}

// Explain asks a player for its decision and collects reasons. It returns within Options.Time
// unless the decision alone takes longer. Errors are those of the player and of ctx; with the
// latter it returns the reasons so far.
func Explain(ctx context.Context, m catalog.Maker, q search.Query, o Options) (Reasons, error) {
	o.Time = cmp.Or(o.Time, 500*time.Millisecond)
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
		Tiles: []uint8{q.Board.Largest() + 1}, Games: cmp.Or(o.games, math.MaxInt32), Seed: o.Seed, Threads: o.Threads, P4: o.P4,
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
	for _, d := range x.query.Board.Legal() {
		after, reward, _ := x.query.Board.Slide(d)
		r.Terms[d] = eval.Parts(name, e, &eval.Position{Board: after, Score: x.query.Score + reward})
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

// lineLength is the maximal number of moves of the expected line.
const lineLength = 6

// line follows the player's best moves. If the spawns to come are known it uses those. Otherwise
// each spawn is a 2, the more probable tile, on the cell whose value for the player's fast variant
// is the median.
func (x *explainer) line(ctx context.Context, p *player.Driver, move board.Direction) (line []Step) {
	at := x.query.Position
	future, known := x.future()
	for range lineLength {
		after, reward, moved := at.Board.Slide(move)
		if !moved {
			break
		}
		at = eval.Position{Board: after, Score: at.Score + reward}
		if known {
			future.Place(&at.Board, future.Draw())
		} else if !medianTile(ctx, x.quickly, &at) {
			break
		}
		line = append(line, Step{move, at.Board})
		if known {
			player.See(p.Player, search.Future{Random: future, OK: true})
		}
		d, err := p.Decide(ctx, search.Query{Position: at})
		if err != nil || ctx.Err() != nil || !d.OK {
			break
		}
		move = d.Move
	}
	return line
}

// future returns the real spawns to come, for a player that knows them.
func (x *explainer) future() (game.Random, bool) {
	if x.Oracle == nil || !x.maker.Foresees {
		return game.Random{}, false
	}
	return x.Oracle.Foresee()
}

// medianTile places a 2 on an afterstate. It returns false if time ran out.
func medianTile(ctx context.Context, p *player.Driver, at *eval.Position) bool {
	type place struct {
		cell  int
		value float64
	}
	var places []place
	for i := range at.Board.Size().Cells() {
		if at.Board.Cell(i) != 0 {
			continue
		}
		with := *at
		with.Board.Set(i, 1)
		d, err := p.Decide(ctx, search.Query{Position: with})
		if err != nil || ctx.Err() != nil {
			return false
		}
		value := 0.0
		if d.OK {
			value = d.Best()
		}
		places = append(places, place{i, value})
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(a.value, b.value) })
	at.Board.Set(places[len(places)/2].cell, 1)
	return true
}

// MarshalJSON returns the object of [Reasons.Wire].
func (r Reasons) MarshalJSON() ([]byte, error) { return json.Marshal(r.Wire()) }

// Wire returns the reasons as a protocol message.
func (r *Reasons) Wire() protocol.Reasons {
	why := protocol.RolloutReasons{
		Rollouts: r.Rollouts.Games, RolloutLimits: r.RolloutLimits, Horizon: Horizon, ReachHorizon: r.Rollouts.Horizon, NextTile: r.NextTile,
		Moves: map[board.Direction]protocol.MoveReasons{}, Line: []protocol.LineStep{},
	}
	for _, d := range r.Decision.Board.Legal() {
		m := protocol.MoveReasons{Reach: asShare(r.Reach(d)), GameOver: asShare(r.Rollouts.SoonOver(d))}
		for _, p := range r.Terms[d] {
			m.Terms = append(m.Terms, protocol.Term(p))
		}
		why.Moves[d] = m
	}
	for _, s := range r.Line {
		why.Line = append(why.Line, protocol.LineStep(s))
	}
	return protocol.Reasons{Decision: r.Decision.Wire(), Why: why}
}

func asShare(share float64, ci stats.Interval) protocol.Share {
	return protocol.Share{Share: stats.Figure(share), CI: ci}
}
