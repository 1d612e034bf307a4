// Package explain gives reasons for a move: the results of games that start with each legal move, a comparison of these
// results with the player's own values, and the evaluator's terms for the board after each move.
//
//	reasons, err := explain.Explain(ctx, maker, query, explain.Options{Tiles: []uint8{11}})
//	over, ci := reasons.Odds.SoonOver(board.Left)          // probability that the game is over within 50 moves
//	share, ci, games := reasons.Odds.Chance(board.Left, 11) // chance of a 2048
//
// Package odds plays the games: with the player's network, or else with the player itself or a faster variant of it.
// If Options.Tiles is empty, a game ends when it has made the next tile. If, in addition, the player has no network,
// a game ends after at most [Horizon] moves, so that enough games finish in time.
package explain

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/afterstate2048/afterstate/advice/odds"
	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
	"github.com/afterstate2048/afterstate/search/solve"
)

// Horizon is the number of moves, including the first one, within which a game must end to count as over soon.
const Horizon = odds.Soon

// Reasons holds a decision and what speaks for and against each move: the results of games, exact chances and the
// evaluator's terms.
type Reasons struct {
	Decision player.Decision // has a value for every legal move
	Odds     odds.Odds       // results of the games after each move; Odds.Games is 0 if there are none
	// Chances holds, for each goal tile that is solved (package solve), the exact maximum chance of making
	// it after each move. This chance assumes play that aims at the tile alone, so it is at least as high as
	// the chance in the games, apart from sampling error.
	Chances []solve.Goal
	// Terms holds the terms of the evaluator's value of each afterstate, by direction; nil if the player has no
	// evaluator.
	Terms [4][]eval.Part
}

// DefaultTime is the value of Options.Time if both Options.Games and Options.Time are 0.
const DefaultTime = time.Second

// Options configures the games that follow the decision.
type Options struct {
	// Tiles are the exponents of the tiles whose chances are estimated. A game ends once it has made the largest of
	// these tiles and has lasted at least Horizon moves, except in every eighth round, which is played to the end. If
	// Tiles is empty, see the package documentation.
	Tiles   []uint8
	Games   int           // maximum number of games after each move; 0 means no limit
	Time    time.Duration // time limit of all games together; 0 means no limit if Games is set, else DefaultTime
	Seed    uint64        // seed of the spawns
	Threads int           // number of threads; 0 means GOMAXPROCS
	P4      float64       // probability of a 4; 0 means the player's own assumption, a negative value means no 4s
}

// fill replaces zero options with their defaults for the player m.
func (o *Options) fill(m *catalog.Maker) {
	if o.Games == 0 {
		o.Time = cmp.Or(o.Time, DefaultTime)
	}
	o.P4 = cmp.Or(o.P4, m.P4)
}

// Explain asks a player for its decision and then collects reasons, for up to Options.Time. It returns the
// player's error, or ctx.Err() with the reasons so far.
func Explain(ctx context.Context, m catalog.Maker, q search.Query, o Options) (r Reasons, err error) {
	o.fill(&m)
	x := &explainer{Options: o, maker: m, query: q.Exact()}
	r.Odds = odds.None(q.Position, x.games())
	d, ok, err := x.unsearched(ctx)
	if r.Decision = d; ok || err != nil {
		return r, err
	}
	p := player.Driver{Player: m.New()}
	defer p.Close()
	p.Start(x.Seed, 0, nil)
	if d, err = p.Ask(ctx, x.query); err != nil {
		return r, err
	}
	d.Player = m.Spec
	if r.Decision = d; !d.OK {
		return r, nil
	}
	x.terms(&r)
	if r.Chances, err = catalog.Chances(ctx, q.Board, game.ChanceOf4(o.P4)); err != nil {
		return r, err
	}
	err = x.play(ctx, &r)
	return r, err
}

// play adds the results of the games to r. Options.Time does not include loading a network or starting a
// player's program.
func (x *explainer) play(ctx context.Context, r *Reasons) error {
	games, err := odds.New(ctx, x.maker, x.query.Position, x.games())
	if err != nil {
		return err
	}
	defer games.Close()
	limited := ctx
	if x.Time > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, x.Time)
		defer cancel()
	}
	played, err := games.Play(limited)
	if r.Odds = *played; ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		err = nil // Options.Time is over, which is a normal end
	}
	return err
}

func (x *explainer) games() odds.Options {
	o := odds.Options{Tiles: x.Tiles, Games: x.Games, Seed: x.Seed, Threads: x.Threads, P4: x.P4}
	if len(x.Tiles) == 0 {
		o.WholeEvery, o.SlowHorizon = -1, Horizon
	}
	return o
}

// unsearched returns the decision for boards that get no reasons: boards without a legal move, and boards with
// a single one if Options.Tiles is empty and the player would first have to load data. ok is false for other boards.
func (x *explainer) unsearched(ctx context.Context) (d player.Decision, ok bool, err error) {
	r, ok := search.Unsearched(&x.query.Position)
	if !ok || r.OK && len(x.Tiles) > 0 {
		return d, false, nil
	}
	p := player.Driver{Player: x.maker.New()}
	defer p.Close()
	if ready, err := player.Ready(p.Player, x.query.Board.Size()); r.OK && (ready || err != nil) {
		return d, false, err
	}
	p.Start(x.Seed, 0, nil)
	d, err = p.Ask(ctx, x.query)
	d.Player = x.maker.Spec
	return d, true, err
}

type explainer struct {
	Options
	maker catalog.Maker
	query search.Query
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

// Scores returns the exact expected final score after each move under optimal play; ok is false where the
// decision has no exact values in points.
func (r *Reasons) Scores() (scores [4]float64, ok bool) {
	if r.Decision.Source != player.Exact || r.Decision.Unit != eval.Points {
		return scores, false
	}
	for d := range scores {
		scores[d] = float64(r.Odds.Position.Score) + r.Decision.Moves[d].Value
	}
	return scores, true
}

// Verdict compares the decision with the games. ok is false if there are no games, if at most one move is legal,
// or if games end after Horizon moves, because making a tile soon does not show that a move is good. A decision
// with exact values is trusted: another move may make a tile more often, but does not gain more points. If the
// games prefer a move with the same exact value, this counts as agreement: v.Games is the decision's move.
func (r *Reasons) Verdict() (v odds.Verdict, ok bool) {
	if !r.Decision.OK || r.Odds.Horizon > 0 || len(r.Decision.Board.Legal()) < 2 {
		return v, false
	}
	v, ok = r.Odds.Compare(r.Decision.Move)
	if !ok || r.Decision.Source != player.Exact {
		return v, ok
	}
	moves := &r.Decision.Moves
	if moves[v.Games].Value == moves[v.Advice].Value {
		return odds.Verdict{Advice: v.Advice, Games: v.Advice, Trusted: v.Advice}, true
	}
	v.Trusted = v.Advice
	return v, true
}
