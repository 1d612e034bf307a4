package catalog

import (
	"context"
	"math/rand/v2"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/levels"
	"github.com/afterstate2048/afterstate/player/spec"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// levelPlayer plays as people of a strength do. It is the plain form of learn.Rollouts that slip
// (TestLevelPlaysAsRollouts).
type levelPlayer struct {
	spec string
	levelArgs

	size   board.Size // of level and judge
	level  levels.Level
	judge  *levels.Judge
	random rand.PCG
}

func buildLevel(b *builder, s *spec.Spec) (Maker, error) {
	a := b.args(s, keysOf[levelArgs]())
	var read levelArgs
	a.read(&read)
	return Maker{New: func() player.Player {
		p := &levelPlayer{spec: b.spec, levelArgs: read}
		p.Start(0, 0)
		return p
	}}, a.finish()
}

func (p *levelPlayer) Start(seed, game uint64) { p.random.Seed(^seed, game) }

// Prepare loads the network of the level. It fails with a *player.BoardError for sizes without it.
func (p *levelPlayer) Prepare(_ context.Context, size board.Size) error {
	if p.size == size {
		return nil
	}
	level, err := levels.Parse(p.Mean, size)
	if err != nil {
		return &player.BoardError{Err: err}
	}
	p.judge, err = levels.NewJudge(level, levels.Options{Playouts: p.Playouts, Threads: 1})
	if err == nil {
		p.size, p.level = size, level
	}
	return err
}

// Decide slips. Asked for the exact values of all moves it does not: it plays on after each of them
// (levels.Judge).
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
		d.Source = "playouts"
		for dir, m := range points.Moves {
			d.Moves[dir] = search.MoveValue{Legal: m.Legal, Value: m.Mean}
			d.Errors[dir] = m.LossCI.Half()
		}
		d.Move, d.OK = points.Best, points.OK
		return d, nil
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
