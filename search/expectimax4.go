package search

import (
	"context"
	"math"

	"afterstate/bitboard"
	"afterstate/board"
	"afterstate/eval"
	"afterstate/ntuple"
)

// Expectimax4 is Expectimax for 4x4 boards on one uint64, for two kinds of
// evaluators: sums over lines, looked up in tables, and pattern networks. With the
// same options it gives the values that Expectimax gives, many times faster; Prune is
// not needed and ignored. Boards that its nibbles cannot hold go to Expectimax (see
// bitboard.Pack), so it takes every board.
//
// It counts five nodes for a board after a spawn: it and its four slides.
//
// It is for one goroutine at a time; Threads of its own may help it.
type Expectimax4 struct {
	o         ExpectimaxOptions
	reference *Expectimax
	plain     *Lines // for boards without tiles above 32768; nil: a network's
	table     *table4
	limits    limits
	searchers []*searcher4
}

// NewExpectimax4 makes a search from options; lines is what CompileLines made of
// their evaluator.
func NewExpectimax4(o ExpectimaxOptions, lines *Lines) *Expectimax4 {
	s := newExpectimax4(o)
	s.plain = lines
	for _, w := range s.searchers {
		w.lines = lines
	}
	return s
}

// NewNetwork4 makes a search that values leaves by a network for 4x4 boards, which
// takes the place of the options' evaluator.
func NewNetwork4(o ExpectimaxOptions, n *ntuple.Network) *Expectimax4 {
	o.Eval = ntuple.Evaluator{Network: n}
	o.NewEval = func() eval.Evaluator { return o.Eval }
	s := newExpectimax4(o)
	for _, w := range s.searchers {
		w.net = newNetLeaves(n)
	}
	return s
}

func newExpectimax4(o ExpectimaxOptions) *Expectimax4 {
	s := &Expectimax4{o: o, reference: NewExpectimax(o)}
	if o.TT > 0 {
		s.table = newTable4(o.TT)
		s.table.any = o.TTLifetime == LifetimeGame
		s.table.exact = o.TTExact
	}
	for range max(1, o.Threads) {
		s.searchers = append(s.searchers, &searcher4{
			table: s.table, dead: s.reference.dead, p2: s.reference.p2, p4: s.reference.p4,
			minProb: o.MinProb, pruneMargin: o.PruneMargin, leafSpawn: o.Leaf == LeafSpawn,
		})
	}
	return s
}

// Forget ends the time of all entries in the table, as before a new game.
func (s *Expectimax4) Forget() {
	if s.table != nil && s.table.generation > 0 {
		clear(s.table.buckets)
		s.table.generation = 0
	}
	s.reference.Forget()
}

// Search answers a query as Expectimax does.
func (s *Expectimax4) Search(ctx context.Context, q Query) (Result, error) {
	deepest := s.reference.deepest(&q.Position)
	b, ranks, ok := s.pack(&q.Position)
	if !ok {
		return s.reference.Search(ctx, q)
	}
	s.use(ranks)
	alike := s.reference.likeness(&q)
	if s.table != nil {
		s.table.age()
	}
	first := deepest
	if s.reference.anytime {
		first = 1
	}
	s.limits.begin(ctx, s.o.Time, s.o.Nodes, s.o.SoftLimit)
	r, ok := s.level(b, first, alike)
	if !ok {
		return Result{}, ctx.Err()
	}
	for plies := first + 1; r.OK && plies <= deepest && s.cutShort() && s.limits.another(); plies++ {
		deeper, ok := s.level(b, plies, alike)
		if !ok || math.IsInf(deeper.Best(), -1) {
			break // out of time, or no choice left: every move may lose
		}
		r = deeper
	}
	r.Nodes = s.limits.spent.Load()
	return r, nil
}

// pack puts a board into nibbles, if they can hold what a search will meet.
func (s *Expectimax4) pack(p *eval.Position) (bitboard.Board, bitboard.Ranks, bool) {
	moves := s.reference.deepest(p) + 1
	if s.plain != nil {
		return bitboard.Pack(&p.Board, moves)
	}
	return fit(&p.Board, moves, s.reference.viewer != nil)
}

// use makes the searchers value boards whose nibbles have these ranks.
func (s *Expectimax4) use(ranks bitboard.Ranks) {
	if s.plain == nil {
		return
	}
	for _, w := range s.searchers {
		if w.lines.ranks == ranks {
			continue
		}
		if lines := s.searchers[0].lines; lines.ranks == ranks {
			w.lines = lines
		} else if s.plain.ranks == ranks {
			w.lines = s.plain
		} else {
			w.lines = compileLines(s.plain.source, ranks)
		}
		s.Forget() // what it knew was about other tiles
	}
}

// cutShort reports whether a line of the last level ended for want of plies alone.
// If none did, going deeper would only find the same again.
func (s *Expectimax4) cutShort() bool {
	for _, w := range s.searchers {
		if w.cutShort {
			return true
		}
	}
	return false
}

// level searches all moves to a depth; it returns false when it was stopped.
func (s *Expectimax4) level(b bitboard.Board, plies int, alike likeness) (r Result, ok bool) {
	for _, w := range s.searchers {
		w.begin(&s.limits)
	}
	var after [4]bitboard.Afterstate
	s.searchers[0].afterstates(b, &after)
	s.searchers[0].clock.count(4)
	var legal []int
	for d := range after {
		if after[d].Moved && alike[d] == board.Direction(d) {
			legal = append(legal, d)
			r.Moves[d].Legal = true
		}
	}
	if s.table == nil || s.o.TTLifetime != LifetimeRootMove {
		s.moves(&after, legal, plies, &r)
	} else {
		for i := range legal {
			s.table.age()
			s.moves(&after, legal[i:i+1], plies, &r)
		}
	}
	for _, d := range legal {
		r.Moves[d].Value += s.searchers[0].gain(after[d].Reward)
	}
	for _, w := range s.searchers {
		w.clock.end()
	}
	alike.complete(&r)
	if r.choose(); r.OK {
		r.Plies = plies
	}
	return r, !s.limits.stopped.Load()
}
