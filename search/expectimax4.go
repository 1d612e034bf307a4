package search

import (
	"context"
	"slices"

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
// It is not safe for concurrent use; ExpectimaxOptions.Threads makes it search with several
// goroutines.
type Expectimax4 struct {
	o         ExpectimaxOptions
	reference *Expectimax
	plain     *Lines // line tables for boards without tiles above 32768; nil with a network
	table     *table4
	limits    limits
	searchers []*searcher4
}

// NewExpectimax4 returns a search that evaluates leaves by line tables; lines is the result of
// CompileLines for o.Eval.
func NewExpectimax4(o ExpectimaxOptions, lines *Lines) *Expectimax4 {
	s := newExpectimax4(o)
	s.plain = lines
	for _, w := range s.searchers {
		w.lines = lines
	}
	return s
}

// NewNetwork4 returns a search that evaluates leaves by a network for 4x4 boards; o.Eval is
// ignored. The network must stay open while the search is used.
func NewNetwork4(o ExpectimaxOptions, n *ntuple.Network) *Expectimax4 {
	o.Eval = ntuple.Evaluator{Network: n}
	o.NewEval = func() eval.Evaluator { return o.Eval }
	s := newExpectimax4(o)
	for _, w := range s.searchers {
		w.net = newNetLeaves(n, knownBits(&o))
	}
	return s
}

func newExpectimax4(o ExpectimaxOptions) *Expectimax4 {
	s := &Expectimax4{o: o, reference: NewExpectimax(o)}
	if o.TT > 0 {
		s.table = newTable4(o.TT)
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

// Search answers a query as Expectimax.Search does, and returns the same errors.
func (s *Expectimax4) Search(ctx context.Context, q Query) (Result, error) {
	deepest := s.reference.deepest(&q.Position)
	b, ranks, ok := s.pack(&q.Position)
	if !ok {
		return s.reference.Search(ctx, q)
	}
	s.use(ranks)
	alike := s.reference.moveClasses(&q)
	if s.table != nil {
		s.table.age()
	}
	first := deepest
	if s.reference.anytime {
		first = 1
	}
	s.limits.begin(ctx, s.o.Time, s.o.Nodes, s.o.SoftLimit)
	s.limits.clear = s.o.ClearMargin
	r, _, err := s.limits.deepen(first, deepest, func(plies int, _ *Result) (Result, bool) { return s.level(b, plies, alike) }, s.cutShort)
	if err == nil {
		r.survive(ctx, &q.Position, s.o.P4)
	}
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

// use gives the searchers line tables for these ranks.
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
	}
}

// cutShort reports whether a line of the last level ended at the depth limit.
func (s *Expectimax4) cutShort() bool {
	return slices.ContainsFunc(s.searchers, func(w *searcher4) bool { return w.cutShort })
}

// level searches all root moves to the depth plies; ok is false if the search was stopped.
func (s *Expectimax4) level(b bitboard.Board, plies int, alike moveClasses) (r Result, ok bool) {
	for _, w := range s.searchers {
		w.begin(&s.limits)
	}
	var after [4]bitboard.Afterstate
	s.searchers[0].afterstates(b, &after)
	s.searchers[0].clock.count(4)
	legal := make([]board.Direction, 0, len(after))
	for d := range after {
		if after[d].Moved && alike[d] == board.Direction(d) {
			legal = append(legal, board.Direction(d))
			r.Moves[d].Legal = true
		}
	}
	if s.table == nil || !s.o.TTRootMove {
		s.moves(&after, legal, plies, &r)
	} else {
		for i := range legal {
			s.table.age()
			s.moves(&after, legal[i:i+1], plies, &r)
		}
	}
	for _, d := range legal {
		r.Moves[d].Value += float64(after[d].Reward)
	}
	for _, w := range s.searchers {
		w.clock.end()
	}
	alike.complete(&r)
	if r.Move, r.OK = BestMove(&r.Moves); r.OK {
		r.Plies = plies
	}
	return r, !s.limits.stopped.Load()
}
