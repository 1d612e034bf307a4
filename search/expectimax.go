package search

import (
	"context"
	"math"
	"time"

	"afterstate/board"
	"afterstate/eval"
)

// Leaf says where the evaluator is asked.
type Leaf uint8

const (
	// LeafAfterstate asks it about the board after the last move.
	LeafAfterstate Leaf = iota
	// LeafSpawn asks it about every board after the last move and its spawn.
	LeafSpawn
)

// Prune says how much of an expectimax tree may be left out. None of it changes
// the best move or its value.
type Prune uint8

const (
	// PruneNone searches everything: the plain twin.
	PruneNone Prune = iota
	// PruneStar1 leaves a chance node when the bounds of its unseen spawns decide it.
	PruneStar1
	// PruneStar2 first probes one move below each spawn for better lower bounds.
	PruneStar2
)

// maxPlies is as deep as iterative deepening goes without another limit.
const maxPlies = 64

// ExpectimaxOptions describe an expectimax search. Only Eval is required.
type ExpectimaxOptions struct {
	Eval  eval.Evaluator
	Plies int // depth; 0: 3, or with Time or Nodes no limit
	Leaf  Leaf
	Prune Prune
	// Time and Nodes limit a move. With either the search deepens ply by ply and
	// the deepest level finished decides; the first level is always finished. A
	// level at which all moves are lost leaves no choice: the one before it decides.
	Time  time.Duration
	Nodes int64
	P4    float64 // probability of a 4; 0: 0.1 (for never a 4, negative)
	// Dead is the worth of a dead position for heuristics; nil: minus infinity.
	Dead *float64
}

// Expectimax averages over the spawns. It is for one goroutine at a time.
type Expectimax struct {
	o        ExpectimaxOptions
	eval     eval.Evaluator
	bounder  eval.Bounder // nil: none
	points   bool
	dead     float64
	p2, p4   float64
	clock    clock
	anytime  bool
	maxDepth int
	asked    eval.Position
	// hints are the moves that were best last, by plies left. The boards below one
	// chance node differ by one tile, so the same move is often best again; tried
	// first, it lets windows cut the others.
	hints [maxPlies + 1]uint8
}

// NewExpectimax makes a search from options.
func NewExpectimax(o ExpectimaxOptions) *Expectimax {
	s := &Expectimax{o: o, eval: o.Eval, points: o.Eval.Unit() == eval.Points, maxDepth: o.Plies}
	s.bounder, _ = o.Eval.(eval.Bounder)
	s.anytime = o.Time > 0 || o.Nodes > 0
	switch {
	case s.anytime && o.Plies == 0:
		s.maxDepth = maxPlies
	case o.Plies == 0:
		s.maxDepth = 3
	}
	switch {
	case s.points:
	case o.Dead != nil:
		s.dead = *o.Dead
	default:
		s.dead = math.Inf(-1)
	}
	s.p4 = o.P4
	if o.P4 == 0 {
		s.p4 = 0.1
	}
	s.p4 = max(s.p4, 0)
	s.p2 = 1 - s.p4
	return s
}

// Search answers a query. It fails only when ctx ends before the first level is
// done; later it answers with what it has.
func (s *Expectimax) Search(ctx context.Context, q Query) (Result, error) {
	s.clock = newClock(ctx, s.o.Time, s.o.Nodes)
	s.hints = [maxPlies + 1]uint8{} // what was asked before must not show in the answer
	first := 1
	if !s.anytime {
		first = s.maxDepth
	}
	// The first level runs to its end whatever the limits say.
	deadline, limit := s.clock.deadline, s.clock.limit
	s.clock.deadline, s.clock.limit = time.Time{}, math.MaxInt64
	r, order := newResult(&q.Position)
	if s.o.Prune != PruneNone && first > 1 {
		if !s.level(&q, 1, &r, order) { // only for the order
			return Result{}, ctx.Err()
		}
		orderBy(order, &r)
	}
	r, _ = newResult(&q.Position)
	if !s.level(&q, first, &r, order) {
		return Result{}, ctx.Err()
	}
	s.clock.deadline, s.clock.limit = deadline, limit
	for plies := first + 1; r.OK && plies <= s.maxDepth; plies++ {
		if s.clock.look(); s.clock.stopped {
			break
		}
		deeper, order := newResult(&q.Position)
		orderBy(order, &r)
		if !s.level(&q, plies, &deeper, order) {
			break
		}
		if math.IsInf(deeper.Best(), -1) {
			break // every move may lose: this level and deeper ones leave no choice
		}
		r = deeper
	}
	r.Nodes = s.clock.nodes
	return r, nil
}

// newResult is a result with the legal moves marked, and those moves in order.
func newResult(p *eval.Position) (r Result, order []board.Direction) {
	for _, d := range board.Directions {
		if _, _, moved := p.Board.Slide(d); moved {
			r.Moves[d] = MoveValue{Legal: true, Value: math.NaN()}
			order = append(order, d)
		}
	}
	return r, order
}

// orderBy puts the best move of an earlier result first.
func orderBy(order []board.Direction, earlier *Result) {
	for i, d := range order {
		if d == earlier.Move {
			copy(order[1:i+1], order[:i])
			order[0] = d
		}
	}
}

// level searches all moves to a depth; it returns false when it was stopped.
func (s *Expectimax) level(q *Query, plies int, r *Result, order []board.Direction) bool {
	inf := math.Inf(1)
	alpha := -inf // the best value so far
	narrow := !q.All && s.prunes(&q.Position, plies)
	for _, d := range order {
		var v float64
		switch {
		case !narrow || math.IsInf(alpha, -1):
			v = s.move(&q.Position, d, plies, -inf, inf)
		case s.o.Prune == PruneStar1:
			v = s.move(&q.Position, d, plies, alpha, inf)
		default:
			// Nobody in the tree wants low values, so nothing lies above a window that
			// is open above, and probes have nothing to find. Ask first only whether
			// the move is as good as the best one.
			if v = s.move(&q.Position, d, plies, alpha, alpha); v > alpha {
				v = s.move(&q.Position, d, plies, alpha, inf)
			}
		}
		r.Moves[d].Bound = narrow && v < alpha
		if s.clock.stopped {
			return false
		}
		r.Moves[d].Value = v
		alpha = max(alpha, v)
	}
	if r.choose(); r.OK {
		r.Plies = plies
	}
	return true
}

// move is the value of one move that is legal, or minus infinity.
func (s *Expectimax) move(p *eval.Position, d board.Direction, plies int, alpha, beta float64) float64 {
	after, reward, moved := p.Board.Slide(d)
	if !moved {
		return math.Inf(-1)
	}
	next := eval.Position{Board: after, Score: p.Score + reward}
	if s.clock.count(1) {
		return 0
	}
	gain := 0.0
	if s.points {
		gain = float64(reward)
	}
	return gain + s.after(&next, plies-1, alpha-gain, beta-gain)
}

// after is the value of an afterstate with so many more of the player's moves to
// look at. A value within [alpha, beta] is exact; one below alpha is an upper
// bound, one above beta a lower bound.
func (s *Expectimax) after(p *eval.Position, plies int, alpha, beta float64) float64 {
	switch {
	case plies == 0 && s.o.Leaf == LeafAfterstate:
		return s.value(p)
	case s.o.Prune == PruneNone || s.bounder == nil:
		return s.average(p, plies)
	default:
		return s.star(p, plies, alpha, beta)
	}
}

// value asks the evaluator. What an interface's method is given moves to the heap,
// so it is given the search's own copy and positions stay on the stack.
func (s *Expectimax) value(p *eval.Position) float64 {
	s.asked = *p
	return s.eval.Value(&s.asked)
}

// average is a chance node without pruning. Its window for moves below is open,
// so with PruneNone the whole tree is searched: the plain twin of star.
func (s *Expectimax) average(p *eval.Position, plies int) float64 {
	sum := 0.0
	n := 0
	placed := *p
	for i := range p.Board.Size().Cells() {
		if p.Board.Cell(i) != 0 {
			continue
		}
		n++
		if s.p2 > 0 {
			placed.Board.Set(i, 1)
			sum += float64(s.p2 * s.spawned(&placed, plies, math.Inf(-1), math.Inf(1)))
		}
		if s.p4 > 0 {
			placed.Board.Set(i, 2)
			sum += float64(s.p4 * s.spawned(&placed, plies, math.Inf(-1), math.Inf(1)))
		}
		placed.Board.Set(i, 0)
		if s.clock.stopped {
			return 0
		}
	}
	return sum / float64(n)
}

// spawned is the value of a board after a spawn with so many more moves to look at.
func (s *Expectimax) spawned(p *eval.Position, plies int, alpha, beta float64) float64 {
	if s.clock.count(1) {
		return 0
	}
	if plies == 0 {
		if p.Board.Dead() {
			return s.dead
		}
		return s.value(p)
	}
	return s.choice(p, plies, alpha, beta, noMove, math.Inf(-1))
}

// noMove says that no move's value is known.
const noMove = 4

// choice is the value of the best move on a board that is not a leaf. The value of
// one move may be known already.
func (s *Expectimax) choice(p *eval.Position, plies int, alpha, beta float64, known uint8, best float64) float64 {
	legal := known != noMove
	if best > beta {
		return best
	}
	var all [4]board.Afterstate
	p.Board.Afterstates(&all)
	hint := s.hints[plies]
	for i := range all {
		d := (hint + uint8(i)) & 3
		after := &all[d]
		if !after.Moved || d == known {
			continue
		}
		legal = true
		if s.clock.count(1) {
			return 0
		}
		gain := 0.0
		if s.points {
			gain = float64(after.Reward)
		}
		next := eval.Position{Board: after.Board, Score: p.Score + after.Reward}
		if v := gain + s.after(&next, plies-1, max(alpha, best)-gain, beta-gain); v > best {
			best, s.hints[plies] = v, d
		}
		if best > beta {
			break
		}
	}
	if !legal {
		return s.dead
	}
	return best
}
