package search

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// MinimaxOptions configures a minimax search. Only Eval is required.
type MinimaxOptions struct {
	Eval eval.Evaluator
	// Layers is the depth below the root's move. Each spawn of the opponent and each move of the player is
	// one layer, beginning with a spawn. If Layers is 0, the search evaluates the afterstates of the root
	// moves.
	Layers int `key:"depth" unit:"layers" range:"0:64" without:"4, or no limit with time" help:"layers below the first move: spawns and moves in turn"`
	// AlphaBeta prunes lines that cannot change the best value.
	AlphaBeta bool `key:"prune" range:"none|alphabeta" default:"none" help:"alpha-beta pruning, which changes no value"`
	// Time is the time limit of a search. With a limit, the search deepens layer by layer, up to Layers if
	// that is not 0. The result comes from the deepest completed iteration in which not all moves are lost.
	Time time.Duration `key:"time" unit:"duration" range:"0|1us:1h" default:"0" help:"time limit of a decision: the search deepens until it is reached"`
}

// Minimax assumes the worst spawn: a 2 or a 4 on any empty cell. With alpha-beta it first tries the spawn
// that refuted the last move at the same depth (killer heuristic). It is not safe for concurrent use.
type Minimax struct {
	o        MinimaxOptions
	points   bool
	dead     float64
	limits   limits
	clock    clock
	position eval.Position
	layers   int                   // depth of the iteration that the last result comes from
	killer   [maxLayers]game.Spawn // the spawn that last refuted a move, by remaining layers
}

// maxLayers limits iterative deepening: the deepest iteration has maxLayers-1 layers.
const maxLayers = 128

// NewMinimax returns a minimax search with the given options.
func NewMinimax(o MinimaxOptions) *Minimax {
	m := &Minimax{o: o, points: o.Eval.Unit() == eval.Points}
	if !m.points {
		m.dead = math.Inf(-1)
	}
	return m
}

// Search answers a query. It returns an error only if ctx ends before the first iteration completes.
func (m *Minimax) Search(ctx context.Context, q Query) (Result, error) {
	m.limits.begin(ctx, m.o.Time, 0, false)
	m.killer = [maxLayers]game.Spawn{} // earlier queries must not affect the result
	first, last := m.o.Layers, m.o.Layers
	if m.o.Time > 0 {
		first = 0
		if last == 0 {
			last = maxLayers - 1
		}
	}
	r, layers, err := m.limits.deepen(first, last, func(layers int, before *Result) (Result, bool) {
		return m.iteration(&q, layers, before)
	}, func() bool { return true })
	m.layers = layers
	if err == nil {
		r.survive(ctx, &q.Position, 0)
	}
	return r, err
}

func (m *Minimax) iteration(q *Query, layers int, before *Result) (r Result, ok bool) {
	r, order := newResult(&q.Position)
	orderBy(order, before)
	m.clock.begin(&m.limits, checkEvery)
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
			return r, false
		}
		r.Moves[d].Value = v
		r.Moves[d].Bound = m.o.AlphaBeta && v < from
		alpha = max(alpha, v)
	}
	if r.Move, r.OK = BestMove(&r.Moves); r.OK {
		r.Plies = 1 + layers/2
	}
	return r, true
}

// below returns the window for the afterstate of a move with the given gain: [alpha, beta] minus
// the gain. The window is widened slightly, because rounding could otherwise make a value just
// outside the window look like a tie at its edge.
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

// value calls the evaluator with a copy of p that belongs to the search, since arguments of interface
// methods escape to the heap.
func (m *Minimax) value(p *eval.Position) float64 {
	m.position = *p
	return m.o.Eval.Value(&m.position)
}

// spawn searches a minimizing node: the spawns on an afterstate. With alpha-beta a value within [alpha,
// beta] is exact, a value below alpha is an upper bound and a value above beta a lower bound. The window
// includes alpha and beta, so ties are exact.
func (m *Minimax) spawn(p *eval.Position, layers int, alpha, beta float64) float64 {
	if layers == 0 {
		return m.value(p)
	}
	worst := math.Inf(1)
	placed := *p
	killer := m.killer[layers%maxLayers]
	tried := m.o.AlphaBeta && killer.Exponent != 0 && killer.Cell < p.Board.Size().Cells() && p.Board.Cell(killer.Cell) == 0
	if tried {
		placed.Board.Set(killer.Cell, killer.Exponent)
		if worst = m.move(&placed, layers-1, alpha, beta); worst < alpha || math.IsInf(worst, -1) {
			return worst
		}
		placed.Board.Set(killer.Cell, 0)
	}
	for i := range p.Board.Size().Cells() {
		if p.Board.Cell(i) != 0 {
			continue
		}
		for exponent := uint8(1); exponent <= 2; exponent++ {
			if tried && i == killer.Cell && exponent == killer.Exponent {
				continue
			}
			placed.Board.Set(i, exponent)
			v := m.move(&placed, layers-1, alpha, min(beta, worst))
			if m.clock.stopped {
				return 0
			}
			worst = min(worst, v)
			if m.o.AlphaBeta && (worst < alpha || math.IsInf(worst, -1)) {
				m.killer[layers%maxLayers] = game.Spawn{Cell: i, Exponent: exponent}
				return worst
			}
		}
		placed.Board.Set(i, 0)
	}
	return worst
}

// move searches a maximizing node: the moves on a post-spawn board.
func (m *Minimax) move(p *eval.Position, layers int, alpha, beta float64) float64 {
	if m.clock.count(1) {
		return 0
	}
	if layers == 0 {
		if p.Board.Terminal() {
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

// Adversary is a game.Spawner that searches for the worst spawn for the player: a 2 or a 4 on any
// empty cell, valued by minimax over the player's next Plies moves. With Friendly it chooses the best
// spawn. Ties go to the lowest cell, then to the 2, so it is deterministic.
type Adversary struct {
	Eval     eval.Evaluator // nil: the evaluator gradient
	Plies    int            `key:"plies" unit:"plies" range:"1:8" guest:"2" default:"1" help:"depth of the search for the tile: number of the player's moves"` // search depth in the player's moves; 0: 1
	Friendly bool
	search   *Minimax
}

// Spawn returns the worst spawn for the player, or with Friendly the best. It returns an error if
// the board has no empty cell.
func (a *Adversary) Spawn(b *board.Board) (game.Spawn, error) {
	if b.Empty() == 0 {
		return game.Spawn{}, errors.New("no empty cell to spawn on")
	}
	if a.search == nil {
		e := a.Eval
		if e == nil {
			var err error
			if e, err = eval.New("gradient"); err != nil {
				return game.Spawn{}, err
			}
		}
		a.search = NewMinimax(MinimaxOptions{Eval: e, AlphaBeta: true})
	}
	m := a.search
	m.limits.begin(context.Background(), 0, 0, false)
	m.clock.begin(&m.limits, checkEvery)
	layers := 2*max(a.Plies, 1) - 1
	inf := math.Inf(1)
	var chosen game.Spawn
	extreme := 0.0
	p := eval.Position{Board: *b}
	for i := range b.Size().Cells() {
		if b.Cell(i) != 0 {
			continue
		}
		for exponent := uint8(1); exponent <= 2; exponent++ {
			p.Board.Set(i, exponent)
			v := m.move(&p, layers, -inf, inf)
			if a.Friendly {
				v = -v
			}
			if chosen.Exponent == 0 || v < extreme {
				chosen, extreme = game.Spawn{Cell: i, Exponent: exponent}, v
			}
		}
		p.Board.Set(i, 0)
	}
	return chosen, nil
}

// Skip does nothing: an Adversary has no state.
func (a *Adversary) Skip() {}

// State returns an empty state: the choice depends on the board alone.
func (a *Adversary) State() game.State { return game.State{} }

// Restore does nothing: an Adversary has no state.
func (a *Adversary) Restore(game.State) {}
