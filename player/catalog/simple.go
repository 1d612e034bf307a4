package catalog

import (
	"context"
	"math/rand/v2"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/spec"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// random plays a uniformly random legal move.
type random struct {
	spec string
	draw *rand.Rand
}

func buildRandom(b *builder, s *spec.Spec) (Maker, error) {
	a := b.args(s, nil)
	return Maker{New: func() player.Player {
		p := &random{spec: b.spec}
		p.Start(0, 0)
		return p
	}}, a.finish()
}

func (p *random) Start(seed, game uint64) { p.draw = rand.New(rand.NewPCG(^seed, game)) }

func (p *random) Decide(_ context.Context, q search.Query) (player.Decision, error) {
	d := player.Decision{Board: q.Board, Player: p.spec, Unit: eval.Heuristic, Source: "random"}
	var legal [4]board.Direction
	n := 0
	for _, dir := range board.Directions {
		if _, _, moved := q.Board.Slide(dir); moved {
			d.Moves[dir].Legal = true
			legal[n] = dir
			n++
		}
	}
	if n > 0 {
		d.Move, d.OK = legal[p.draw.IntN(n)], true
	}
	return d, nil
}

// greedy plays the move with the largest immediate reward.
type greedy struct{ spec string }

func buildGreedy(b *builder, s *spec.Spec) (Maker, error) {
	a := b.args(s, nil)
	p := &greedy{b.spec}
	return Maker{New: func() player.Player { return p }}, a.finish()
}

func (*greedy) Start(_, _ uint64) {}

func (p *greedy) Decide(_ context.Context, q search.Query) (player.Decision, error) {
	d := player.Decision{Board: q.Board, Player: p.spec, Unit: eval.Points, Source: "reward"}
	for _, dir := range board.Directions {
		_, reward, moved := q.Board.Slide(dir)
		if !moved {
			continue
		}
		d.Moves[dir] = search.MoveValue{Legal: true, Value: float64(reward)}
		if !d.OK || float64(reward) > d.Best() {
			d.Move, d.OK = dir, true
		}
	}
	if d.OK {
		d.Plies = 1
	}
	return d, nil
}
