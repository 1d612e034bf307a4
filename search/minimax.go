package search

import (
	"context"
	"math"
	"time"

	"afterstate/board"
	"afterstate/eval"
)

// MinimaxOptions describe a minimax search. Only Eval is required.
type MinimaxOptions struct {
	Eval eval.Evaluator
	// Layers below the root's move, the opponent's and the player's one each, the
	// opponent's first; 0 judges the root's afterstates.
	Layers int
	// AlphaBeta leaves out what cannot change the best value.
	AlphaBeta bool
	// Time limits a move: the search then deepens layer by layer up to Layers
	// (0: no limit) and the deepest level that was finished and left a choice decides.
	Time time.Duration
}

// Minimax supposes that the worst tile spawns: a 2 or a 4 on any empty cell.
// It is for one goroutine at a time.
type Minimax struct {
	o      MinimaxOptions
	points bool
	dead   float64
	limits limits
	clock  clock
	asked  eval.Position
	layers int                  // of the level that decided
	killer [maxLayers]spawnTile // the placement that last refuted a move, by layers left
}

// maxLayers is as deep as deepening goes without another limit.
const maxLayers = 128

// NewMinimax makes a search from options.
func NewMinimax(o MinimaxOptions) *Minimax {
	m := &Minimax{o: o, points: o.Eval.Unit() == eval.Points}
	if !m.points {
		m.dead = math.Inf(-1)
	}
	return m
}

// Search answers a query. It fails only when ctx ends before the first level is done.
func (m *Minimax) Search(ctx context.Context, q Query) (Result, error) {
	m.limits.begin(ctx, m.o.Time, 0, false)
	m.killer = [maxLayers]spawnTile{} // what was asked before must not show in the answer
	first, last := m.o.Layers, m.o.Layers
	if m.o.Time > 0 {
		first = 0
		if last == 0 {
			last = maxLayers - 1
		}
	}
	r, order := newResult(&q.Position)
	if !m.level(&q, first, &r, order) {
		return Result{}, ctx.Err()
	}
	m.layers = first
	for layers := first + 1; r.OK && layers <= last && m.limits.another(); layers++ {
		deeper, order := newResult(&q.Position)
		orderBy(order, &r)
		if !m.level(&q, layers, &deeper, order) {
			break
		}
		if math.IsInf(deeper.Best(), -1) {
			break // every move may lose: this level and deeper ones leave no choice
		}
		r, m.layers = deeper, layers
	}
	r.Nodes = m.limits.spent.Load()
	return r, nil
}

func (m *Minimax) level(q *Query, layers int, r *Result, order []board.Direction) bool {
	m.clock.begin(&m.limits, lookEvery)
	defer m.clock.end()
	alpha := math.Inf(-1)
	for _, d := range order {
		after, reward, _ := q.Board.Slide(d)
		next := eval.Position{Board: after, Score: q.Score + reward}
		m.clock.count(1)
		gain := m.gain(reward)
		from := alpha
		if q.All {
			from = math.Inf(-1)
		}
		low, high := below(gain, from, math.Inf(1))
		v := gain + m.spawn(&next, layers, low, high)
		if m.clock.stopped {
			return false
		}
		r.Moves[d].Value = v
		r.Moves[d].Bound = m.o.AlphaBeta && v < from
		alpha = max(alpha, v)
	}
	if r.choose(); r.OK {
		r.Plies = 1 + layers/2
	}
	return true
}

// below is the window under a move that gains so many points. It is a little wider
// than the window above, for a bound just outside must not round to a tie inside.
func below(gain, alpha, beta float64) (low, high float64) {
	if gain == 0 {
		return alpha, beta
	}
	return alpha - gain - slack*(gain+finiteSize(alpha)), beta - gain + slack*(gain+finiteSize(beta))
}

func (m *Minimax) gain(reward int64) float64 {
	if m.points {
		return float64(reward)
	}
	return 0
}

// value asks the evaluator, with a copy that lives in the search: what is given
// to an interface's method would otherwise move to the heap.
func (m *Minimax) value(p *eval.Position) float64 {
	m.asked = *p
	return m.o.Eval.Value(&m.asked)
}

// spawn is the opponent's turn on an afterstate. With alpha-beta a value within
// [alpha, beta] is exact, one below alpha an upper and one above beta a lower
// bound; windows are closed, so that ties are found out exactly.
func (m *Minimax) spawn(p *eval.Position, layers int, alpha, beta float64) float64 {
	if layers == 0 {
		return m.value(p)
	}
	worst := math.Inf(1)
	placed := *p
	killer := m.killer[layers%maxLayers]
	tried := m.o.AlphaBeta && killer.exponent != 0 && killer.cell < p.Board.Size().Cells() && p.Board.Cell(killer.cell) == 0
	if tried {
		placed.Board.Set(killer.cell, killer.exponent)
		if worst = m.move(&placed, layers-1, alpha, beta); worst < alpha || math.IsInf(worst, -1) {
			return worst
		}
		placed.Board.Set(killer.cell, 0)
	}
	for i := range p.Board.Size().Cells() {
		if p.Board.Cell(i) != 0 {
			continue
		}
		for exponent := uint8(1); exponent <= 2; exponent++ {
			if tried && i == killer.cell && exponent == killer.exponent {
				continue
			}
			placed.Board.Set(i, exponent)
			v := m.move(&placed, layers-1, alpha, min(beta, worst))
			if m.clock.stopped {
				return 0
			}
			worst = min(worst, v)
			if m.o.AlphaBeta && (worst < alpha || math.IsInf(worst, -1)) {
				m.killer[layers%maxLayers] = spawnTile{cell: i, exponent: exponent}
				return worst
			}
		}
		placed.Board.Set(i, 0)
	}
	return worst
}

// move is the player's turn after a spawn.
func (m *Minimax) move(p *eval.Position, layers int, alpha, beta float64) float64 {
	if m.clock.count(1) {
		return 0
	}
	if layers == 0 {
		if p.Board.Dead() {
			return m.dead
		}
		return m.value(p)
	}
	best := math.Inf(-1)
	legal := false
	var all [4]board.Afterstate
	p.Board.Afterstates(&all)
	for d := range all {
		after := &all[d]
		if !after.Moved {
			continue
		}
		legal = true
		m.clock.count(1)
		gain := m.gain(after.Reward)
		next := eval.Position{Board: after.Board, Score: p.Score + after.Reward}
		low, high := below(gain, max(alpha, best), beta)
		best = max(best, gain+m.spawn(&next, layers-1, low, high))
		if m.o.AlphaBeta && best > beta {
			break
		}
	}
	if !legal {
		return m.dead
	}
	return best
}
