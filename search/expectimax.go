package search

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Expectimax maximizes over moves and averages over spawns. It is not safe for concurrent use.
type Expectimax struct {
	o         ExpectimaxOptions
	eval      eval.Evaluator
	bounder   eval.Bounder // nil: nothing is pruned
	table     *table       // nil: no table, or not created yet
	points    bool
	viewer    eval.Downgrader // nil: no views
	symmetric bool            // the evaluator is invariant under the board's symmetries
	ranks     *bitboard.Ranks // ranks of the packed board that is searched; nil: the query's board is searched
	dead      float64
	p2, p4    float64
	limits    limits
	clock     clock
	anytime   bool
	maxDepth  int
	cutShort  bool // a line of this iteration ended at the depth limit, or may have
	position  eval.Position
	// hints holds, by remaining plies, the best move of the board searched last. Boards below one
	// chance node differ by one tile, so the same move is often best again; searched first, it
	// narrows the window.
	hints [maxPlies + 1]uint8
}

// NewExpectimax returns an expectimax search with the given options.
func NewExpectimax(o ExpectimaxOptions) *Expectimax {
	s := &Expectimax{o: o, eval: o.Eval, points: o.Eval.Unit() == eval.Points, symmetric: eval.IsSymmetric(o.Eval), maxDepth: o.Plies}
	if v, ok := o.Eval.(eval.Downgrader); ok && v.Downgrades() {
		s.viewer = v
	}
	if o.Star1 && o.TT == 0 && !s.points {
		s.bounder, _ = o.Eval.(eval.Bounder)
	}
	s.anytime = o.Time > 0 || o.Nodes > 0
	switch {
	case s.anytime && o.Plies == 0:
		s.maxDepth = maxPlies
	case o.Plies == 0:
		s.maxDepth = 3
	}
	switch {
	case o.Eval.Unit() != eval.Heuristic:
	case o.DeathValue != nil:
		s.dead = *o.DeathValue
	default:
		s.dead = math.Inf(-1)
	}
	s.p4 = game.ChanceOf4(o.P4)
	s.p2 = 1 - s.p4
	return s
}

// Search answers a query. It returns an error only if ctx ends before the first iteration completes;
// after that it returns the deepest completed iteration.
func (s *Expectimax) Search(ctx context.Context, q Query) (Result, error) {
	return s.canonically(ctx, q, s.search)
}

// search does what Search does, without mapping the board to its canonical image.
func (s *Expectimax) search(ctx context.Context, q Query) (Result, error) {
	s.begin(ctx)
	classes := s.moveClasses(&q)
	deepest := s.deepest(&q.Position)
	s.fit(&q.Board, deepest)
	q.Position = s.searched(&q.Position)
	first := 1
	if !s.anytime {
		first = deepest
	}
	r, _, err := s.limits.deepen(first, deepest, func(plies int, before *Result) (Result, bool) {
		return s.iteration(&q, plies, before, classes)
	}, func() bool { return s.cutShort })
	return r, err
}

// begin resets the search. Earlier queries must not affect the result.
func (s *Expectimax) begin(ctx context.Context) {
	s.limits.begin(ctx, s.o.Time, s.o.Nodes, s.o.SoftLimit)
	s.limits.clear = s.o.ClearMargin
	s.hints = [maxPlies + 1]uint8{}
	if s.table == nil && s.o.TT > 0 {
		s.table = newTable(s.o.TT, s.o.TTExact)
	}
	if s.table != nil {
		s.table.age()
	}
}

// deepest returns the maximal depth of a search of this position.
func (s *Expectimax) deepest(p *eval.Position) int {
	if s.o.DepthByTiles == nil {
		return s.maxDepth
	}
	var different uint64
	for i := range p.Board.Size().Cells() {
		different |= 1 << (p.Board.Cell(i) & 63)
	}
	byPhase := bits.OnesCount64(different&^1) - *s.o.DepthByTiles
	return min(max(s.o.Plies, byPhase, 1), maxPlies)
}

// iteration searches all root moves to the depth plies, starting with the best move of the previous iteration, if
// any. ok is false if the search was stopped.
func (s *Expectimax) iteration(q *Query, plies int, before *Result, classes moveClasses) (r Result, ok bool) {
	if before == nil && plies > 1 && s.bounder != nil {
		one, ok := s.iteration(q, 1, nil, classes) // for move ordering only
		if !ok {
			return r, false
		}
		before = &one
	}
	r, order := newResult(&q.Position)
	order = slices.DeleteFunc(order, func(d board.Direction) bool { return classes[d] != d })
	orderBy(order, before)
	s.cutShort = false
	s.clock.begin(&s.limits, checkEvery)
	s.tryMoves(q, plies, &r, order)
	if s.clock.end(); s.clock.stopped {
		return r, false
	}
	classes.complete(&r)
	if r.Move, r.OK = BestMove(&r.Moves); r.OK {
		r.Plies = plies
	}
	return r, true
}

// tryMoves searches the moves in order, one after another, and sets their values. It returns early
// if the search is stopped.
func (s *Expectimax) tryMoves(q *Query, plies int, r *Result, order []board.Direction) {
	inf := math.Inf(1)
	alpha := -inf // the best value so far
	narrow := !q.All && s.prunes(&q.Position, plies)
	for _, d := range order {
		if s.table != nil && s.o.TTRootMove {
			s.table.age()
		}
		low := alpha
		if !narrow {
			low = -inf
		}
		v := s.move(&q.Position, d, plies, 1, low, inf)
		if s.clock.stopped {
			return
		}
		r.Moves[d].Bound = narrow && v < alpha
		r.Moves[d].Value = v
		alpha = max(alpha, v)
	}
}

// move returns the value of a move, minus infinity if it is illegal.
func (s *Expectimax) move(p *eval.Position, d board.Direction, plies int, q, alpha, beta float64) float64 {
	after, reward, moved := p.Board.Slide(d)
	if !moved {
		return math.Inf(-1)
	}
	next := eval.Position{Board: after, Score: p.Score + reward}
	if s.clock.count(1) {
		return 0
	}
	gain := s.gain(&p.Board, d, reward)
	return gain + s.after(&next, plies-1, q, alpha-gain, beta-gain)
}

// after returns the value of an afterstate that is reached with probability q, with plies further
// moves of the player to search. A value within [alpha, beta] is exact; a value below alpha is an
// upper bound, a value above beta a lower bound.
func (s *Expectimax) after(p *eval.Position, plies int, q, alpha, beta float64) float64 {
	switch {
	case plies == 0 || q < s.o.MinProb:
		s.cutShort = s.cutShort || q >= s.o.MinProb
		if s.o.Leaf == LeafAfterstate {
			return s.value(p)
		}
		return s.star(p, 0, q, alpha, beta)
	case s.table != nil:
		return s.lookup(p, plies, q)
	default:
		return s.star(p, plies, q, alpha, beta)
	}
}

// lookup returns the value of an afterstate that is not a leaf: from the table if it has a usable
// entry, otherwise by a search.
func (s *Expectimax) lookup(p *eval.Position, plies int, q float64) float64 {
	if s.o.MinProb == 0 {
		q = 1 // without MinProb, the probability of a line does not affect its value
	}
	h := hashPosition(p)
	if v, short, ok := s.table.get(p, h, plies, q); ok {
		s.cutShort = s.cutShort || short
		return v
	}
	before := s.cutShort
	s.cutShort = false
	v := s.average(p, plies, q)
	if !s.clock.stopped {
		s.table.put(p, h, plies, q, v, s.cutShort)
	}
	s.cutShort = s.cutShort || before
	return v
}

// value calls the evaluator with a copy of p that belongs to the search. Arguments of interface
// methods escape to the heap; with the copy, positions stay on the stack.
func (s *Expectimax) value(p *eval.Position) float64 {
	s.position = *p
	return s.eval.Value(&s.position)
}

// average searches a chance node without pruning. Windows below it are open, so without Star1 the whole tree is
// searched. average is the reference implementation for star (TestStarEqualsItsReference).
func (s *Expectimax) average(p *eval.Position, plies int, q float64) float64 {
	var twos, fours float64
	n := p.Board.Empty()
	q2, q4 := q*s.p2/float64(n), q*s.p4/float64(n)
	placed := *p
	for i := range p.Board.Size().Cells() {
		if p.Board.Cell(i) != 0 {
			continue
		}
		if s.p2 > 0 {
			placed.Board.Set(i, 1)
			twos += s.spawned(&placed, plies, q2, math.Inf(-1), math.Inf(1))
		}
		if s.p4 > 0 {
			placed.Board.Set(i, 2)
			fours += s.spawned(&placed, plies, q4, math.Inf(-1), math.Inf(1))
		}
		placed.Board.Set(i, 0)
		if s.clock.stopped {
			return 0
		}
	}
	return mean(s.p2, twos, s.p4, fours, n)
}

// mean returns (p2*twos + p4*fours) / n. A tile of probability 0 adds nothing, even if its sum is
// infinite.
func mean(p2, twos, p4, fours float64, n int) (sum float64) {
	if p2 > 0 {
		sum = float64(p2 * twos)
	}
	if p4 > 0 {
		sum += float64(p4 * fours)
	}
	return sum / float64(n)
}

// spawned returns the value of a post-spawn board, with plies moves of the player to search.
func (s *Expectimax) spawned(p *eval.Position, plies int, q, alpha, beta float64) float64 {
	if s.clock.count(1) {
		return 0
	}
	if plies == 0 {
		if p.Board.Terminal() {
			return s.dead
		}
		return s.value(p)
	}
	return s.choice(p, plies, q, alpha, beta)
}

// choice returns the value of the best move on a board that is not a leaf.
func (s *Expectimax) choice(p *eval.Position, plies int, q, alpha, beta float64) float64 {
	best, legal := math.Inf(-1), false
	var all [4]board.Afterstate
	p.Board.Afterstates(&all)
	gains := s.gains(&p.Board, &all)
	if s.prunesMoves(plies, q) {
		s.pruneMoves(p, &all, &gains)
	}
	hint := s.hints[plies]
	for i := range all {
		d := (hint + uint8(i)) & 3
		after := &all[d]
		if !after.Moved {
			continue
		}
		legal = true
		if s.clock.count(1) {
			return 0
		}
		gain := gains[d]
		next := eval.Position{Board: after.Board, Score: p.Score + after.Reward}
		if v := gain + s.after(&next, plies-1, q, max(alpha, best)-gain, beta-gain); v > best {
			best, s.hints[plies] = v, d
		}
		if best > beta {
			s.cutShort = true // one of the moves skipped here may lead to a line that ends at the depth limit
			break
		}
	}
	if !legal {
		return s.dead
	}
	return best
}
