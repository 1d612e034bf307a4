package catalog

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/levels"
	"github.com/afterstate2048/afterstate/player/spec"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// levelPlayer plays like a person of a given strength. learn.Rollouts with slips plays the same moves, but faster
// (TestLevelPlaysAsRollouts).
type levelPlayer struct {
	spec string
	levelArgs
	// strong creates plays and loads the network of judge. It is set only for the level levels.Strong.
	strong *Maker

	size   board.Size // the board size that level and judge are for
	level  levels.Level
	judge  *levels.Judge
	random rand.PCG
	plays  player.Player // chooses the moves if strong is set
}

// strongest is the spec of the player for levels.Strong.
const strongest = "ntuple(plies=1,endings=none)"

func buildLevel(b *builder, s *spec.Spec) (Maker, error) {
	a := b.args(s, keysOf[levelArgs]())
	var read levelArgs
	a.read(&read)
	var strong *Maker
	if read.Mean == levels.Strong {
		m, err := Parse(strongest, b.caps)
		if err != nil {
			a.fail("mean=%s: %w", read.Mean, err)
		}
		strong = &m
	}
	return Maker{P4: p4Option(read.P4), New: func() player.Player { return newLevelPlayer(b.spec, read, strong) }}, a.finish()
}

func newLevelPlayer(spec string, a levelArgs, strong *Maker) *levelPlayer {
	p := &levelPlayer{spec: spec, levelArgs: a, strong: strong}
	if strong != nil {
		p.plays = strong.New()
	}
	p.Start(0, 0)
	return p
}

func (p *levelPlayer) Start(seed, game uint64) { p.random.Seed(^seed, game) }

// Prepare loads the network of the level. It returns a *player.BoardError for board sizes that the level does not
// support.
func (p *levelPlayer) Prepare(ctx context.Context, size board.Size) error {
	if p.size == size {
		return nil
	}
	level, err := p.open(ctx, size)
	if err != nil {
		return err
	}
	p.judge, err = levels.NewJudge(level, levels.Options{Playouts: p.Playouts, P4: p4Option(p.P4), Threads: 1})
	if err == nil {
		p.size, p.level = size, level
	}
	return err
}

// open loads the level for a size.
func (p *levelPlayer) open(ctx context.Context, size board.Size) (level levels.Level, err error) {
	if p.strong == nil {
		if level, err = levels.Parse(p.Mean, size); err != nil {
			err = &player.BoardError{Err: err}
		}
		return level, err
	}
	n, err := p.strong.Network(ctx, size)
	switch {
	case err != nil:
		return level, err
	case n == nil:
		return level, &player.BoardError{Err: fmt.Errorf("%v boards have no level strong: see docs/review.md", size)}
	}
	return levels.Strongest(n), player.Prepare(ctx, p.plays, size)
}

// AtLevel returns a copy of m whose players also measure the moves by playouts of a level, and store the result in
// player.Decision.Level. They do this only for queries that ask for the values of all moves, and only on boards whose
// tiles the level knows. If level is nil, AtLevel returns m.
func AtLevel(m Maker, level *levels.Level) Maker {
	if level == nil {
		return m
	}
	build := m.New
	m.New = func() player.Player {
		a := levelArgs{level.Name, autoArgs{game.ChanceOf4(m.P4)}, levels.Playouts}
		return &graded{build(), newLevelPlayer(WithP4(levels.Spec(a.Mean, a.Playouts), a.P4), a, nil)}
	}
	return m
}

// graded is a player that adds the decision of a level to each of its decisions. The grades of the moves are then
// based on the level's values.
type graded struct {
	player.Player
	level *levelPlayer
}

func (g *graded) Unwrap() player.Player { return g.Player }

// Decide returns the decision of the player, with the level's decision in Level. It does not query the level if the
// values are exact.
func (g *graded) Decide(ctx context.Context, q search.Query) (player.Decision, error) {
	d, err := g.Player.Decide(ctx, q)
	if err != nil || !q.All || !d.OK || d.Source == player.Exact {
		return d, err
	}
	level, err := g.level.Decide(ctx, q)
	if bad := new(player.BoardError); errors.As(err, &bad) {
		return d, nil
	}
	d.Level = &level
	return d, err
}

// Decide chooses a move as the level does, including slips. If the query asks for the values of all moves, Decide
// measures them by playouts (levels.Judge) and chooses the best move.
func (p *levelPlayer) Decide(ctx context.Context, q search.Query) (player.Decision, error) {
	d := player.Decision{Board: q.Board, Player: p.spec, Unit: eval.Points, Source: "search"}
	if err := p.Prepare(ctx, q.Board.Size()); err != nil {
		return d, err
	}
	if q.All {
		points, err := p.judge.Points(ctx, q.Board)
		if ctx.Err() != nil {
			return d, ctx.Err()
		}
		if err != nil {
			return d, &player.BoardError{Err: err}
		}
		d.Source, d.Playouts = "playouts", &player.Playouts{Expected: points.Expected}
		for dir, m := range points.Moves {
			d.Moves[dir] = search.MoveValue{Legal: m.Legal, Value: m.Mean}
			d.Playouts.CIs[dir], d.Playouts.Errors[dir] = m.CI, m.LossCI.Half()
		}
		d.Move, d.OK = points.Best, points.OK
		return d, nil
	}
	if p.plays != nil {
		d, err := p.plays.Decide(ctx, q)
		d.Player = p.spec
		return d, err
	}
	values, err := p.level.Moves(&q.Board)
	if err != nil {
		return d, &player.BoardError{Err: err}
	}
	legal := q.Board.Legal()
	if len(legal) == 0 {
		return d, nil
	}
	for i, dir := range legal {
		d.Moves[dir] = search.MoveValue{Legal: true, Value: float64(values[i])}
	}
	d.Plies, d.Nodes = 1, int64(len(legal))
	d.Move, d.OK = legal[learn.Slip(values, p.level.Slips, p.random.Uint64())], true
	return d, nil
}
