package search

import (
	"context"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Expectimax4 is a fast Expectimax for 4x4 boards packed into a uint64, with two kinds of
// evaluators: sums over lines, looked up in tables, and pattern networks. With equal options it
// returns the values of Expectimax, many times faster (TestExpectimax4IsExpectimax,
// TestNetworkIsExpectimax). It accepts every board: boards that do not fit into nibbles (see
// bitboard.Pack) are passed to Expectimax.
//
// It counts five nodes for a post-spawn board: the board and its four slides.
//
// It is not safe for concurrent use.
type Expectimax4 struct {
	o         ExpectimaxOptions
	reference *Expectimax
	plain     *Lines // line tables for boards without tiles above 32768; nil with a network
	table     *table4
	limits    limits
	searcher  searcher4
}

// NewExpectimax4 returns a search that evaluates leaves by line tables; lines is the result of
// CompileLines for o.Eval.
func NewExpectimax4(o ExpectimaxOptions, lines *Lines) *Expectimax4 {
	s := newExpectimax4(o)
	s.plain, s.searcher.lines = lines, lines
	return s
}

// NewNetwork4 returns a search that evaluates leaves by a network for 4x4 boards; o.Eval is
// ignored. The network must stay open while the search is used.
func NewNetwork4(o ExpectimaxOptions, n *ntuple.Network) *Expectimax4 {
	o.Eval = ntuple.Evaluator{Network: n}
	s := newExpectimax4(o)
	s.searcher.net = newNetLeaves(n, knownBits(&o))
	return s
}

func newExpectimax4(o ExpectimaxOptions) *Expectimax4 {
	s := &Expectimax4{o: o, reference: NewExpectimax(o)}
	if o.TT > 0 {
		s.table = newTable4(o.TT)
		s.table.exact = o.TTExact
	}
	s.searcher = searcher4{
		table: s.table, dead: s.reference.dead, p2: s.reference.p2, p4: s.reference.p4,
		minProb: o.MinProb, pruneMargin: o.PruneMargin, leafSpawn: o.Leaf == LeafSpawn,
	}
	return s
}

// Search answers a query as Expectimax.Search does, and returns the same errors.
func (s *Expectimax4) Search(ctx context.Context, q Query) (Result, error) {
	return s.reference.canonically(ctx, q, s.search)
}

// search does what Search does, without mapping the board to its canonical image.
func (s *Expectimax4) search(ctx context.Context, q Query) (Result, error) {
	deepest := s.reference.deepest(&q.Position)
	b, ranks, ok := s.pack(&q.Position)
	if !ok {
		return s.reference.search(ctx, q)
	}
	s.use(ranks)
	classes := s.reference.moveClasses(&q)
	if s.table != nil {
		s.table.age()
	}
	first := deepest
	if s.reference.anytime {
		first = 1
	}
	s.limits.begin(ctx, s.o.Time, s.o.Nodes, s.o.SoftLimit)
	s.limits.clear = s.o.ClearMargin
	r, _, err := s.limits.deepen(first, deepest, func(plies int, _ *Result) (Result, bool) {
		return s.iteration(b, plies, classes)
	}, func() bool { return s.searcher.cutShort })
	return r, err
}

// pack packs a board into nibbles; ok is false if nibbles cannot hold all boards that the search can
// reach.
func (s *Expectimax4) pack(p *eval.Position) (bitboard.Board, bitboard.Ranks, bool) {
	moves := s.reference.deepest(p) + 1
	if s.plain != nil {
		return bitboard.Pack(&p.Board, moves)
	}
	return fit(&p.Board, moves, s.reference.viewer != nil)
}

// use sets the searcher's line tables to those for the given ranks, and compiles them if necessary.
func (s *Expectimax4) use(ranks bitboard.Ranks) {
	w := &s.searcher
	switch {
	case s.plain == nil || w.lines.ranks == ranks:
	case s.plain.ranks == ranks:
		w.lines = s.plain
	default:
		w.lines = compileLines(s.plain.source, ranks)
	}
}

// iteration searches all root moves to the depth plies; ok is false if the search was stopped.
func (s *Expectimax4) iteration(b bitboard.Board, plies int, classes moveClasses) (r Result, ok bool) {
	w := &s.searcher
	w.begin(&s.limits)
	var after [4]bitboard.Afterstate
	w.afterstates(b, &after)
	w.clock.count(4)
	legal := make([]board.Direction, 0, len(after))
	for d := range after {
		if after[d].Moved && classes[d] == board.Direction(d) {
			legal = append(legal, board.Direction(d))
			r.Moves[d].Legal = true
		}
	}
	if s.table == nil || !s.o.TTRootMove {
		w.rootMoves(&after, legal, plies, &r)
	} else {
		for i := range legal {
			s.table.age()
			w.rootMoves(&after, legal[i:i+1], plies, &r)
		}
	}
	for _, d := range legal {
		r.Moves[d].Value += float64(after[d].Reward)
	}
	w.clock.end()
	classes.complete(&r)
	if r.Move, r.OK = BestMove(&r.Moves); r.OK {
		r.Plies = plies
	}
	return r, !s.limits.stopped
}

// rootMoves searches the legal root moves and sets their values, without the rewards of these moves.
func (w *searcher4) rootMoves(after *[4]bitboard.Afterstate, legal []board.Direction, plies int, r *Result) {
	if plies == 1 && w.net != nil && !w.leafSpawn {
		w.cutShort = len(legal) > 0
		w.net.leaves(after, legal, r)
		return
	}
	for _, d := range legal {
		r.Moves[d].Value = w.after(after[d].Board, plies-1, 1)
	}
}
