package search

import (
	"math"
	"math/bits"

	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// searcher4 searches the tree of Expectimax4.
//
// Its nodes are afterstates, valued by the average over spawns, and post-spawn boards, valued by
// their best move. Most nodes are in the last layer of the tree. There lastMoves handles an
// afterstate with all its spawns and all moves after them at once.
type searcher4 struct {
	lines       *Lines
	net         *netLeaves // if not nil, used in place of lines
	table       *table4    // nil: no table
	dead        float64
	p2, p4      float64
	minProb     float64
	pruneMargin float64
	leafSpawn   bool

	choices []*netChoices // scratch memory of netSpawns, by plies
	moves   []*linesMoves // scratch memory of linesSpawns, by plies

	clock    clock
	cutShort bool // a line ended at the depth limit

	_ [cacheLine]byte // padding: other goroutines' searches must not share a cache line with the fields above
}

// cacheLine is at least the size of a cache line in bytes. If one goroutine writes to a cache line that another one
// uses, the line moves between the caches of their cores at each access (false sharing).
const cacheLine = 128

// linesMoves holds the afterstates of all moves after all spawns on one afterstate, indexed by tile (2, 4), empty
// cell and direction.
type linesMoves [2][16][4]bitboard.Board

func (w *searcher4) begin(l *limits) {
	w.clock.begin(l, checkEvery4)
	w.cutShort = false
}

// after returns the value of an afterstate that is reached with probability q, with plies further
// moves of the player to search.
func (w *searcher4) after(b bitboard.Board, plies int, q float64) float64 {
	if plies == 0 || q < w.minProb {
		w.cutShort = w.cutShort || q >= w.minProb
		return w.leaf(b)
	}
	if w.table == nil {
		return w.spawns(b, plies, q)
	}
	h := hash(b)
	if v, short, ok := w.table.get(h, plies, q); ok {
		w.cutShort = w.cutShort || short
		return v
	}
	before := w.cutShort
	w.cutShort = false
	v := w.spawns(b, plies, q)
	if !w.clock.stopped {
		w.table.put(h, plies, q, v, w.cutShort)
	}
	w.cutShort = w.cutShort || before
	return v
}

// tileSpawns describes the spawns of one tile, a 2 or a 4, on the empty cells of an afterstate.
type tileSpawns struct {
	q      float64 // probability of the line to each of the post-spawn boards
	sum    float64 // sum of the values of the post-spawn boards
	deeper bool    // the post-spawn boards must still be searched
}

// spawns averages over the spawns on an afterstate that is not a leaf.
func (w *searcher4) spawns(b bitboard.Board, plies int, q float64) float64 {
	if w.clock.stopped {
		return 0
	}
	free := b.EmptyMask()
	n := bits.OnesCount64(free)
	two := tileSpawns{q: q * w.p2 / float64(n), deeper: w.p2 > 0}
	four := tileSpawns{q: q * w.p4 / float64(n), deeper: w.p4 > 0}
	w.clock.count(int64(10 * n)) // per empty cell: a 2 and a 4, each with a board and its four slides
	// Lines through a 4, the rarer tile, fall below MinProb first.
	if !w.leafSpawn && (plies == 1 || four.q < w.minProb) {
		two, four = w.lastMoves(b, free, plies, two, four)
	}
	switch {
	case !two.deeper && !four.deeper:
	case w.net != nil:
		tiles := [2]tileSpawns{two, four}
		w.netSpawns(b, free, plies, &tiles)
		two, four = tiles[0], tiles[1]
	default:
		two.sum, four.sum = w.linesSpawns(b, free, plies, two, four)
	}
	return mean(w.p2, two.sum, w.p4, four.sum, n)
}

// lastMoves values the spawns that are followed by the last move before the leaves: the 4s, and the 2s if plies is 1
// or their lines are below minProb. It sets cutShort if a line through a live board ends there at the depth limit. It
// takes and returns tileSpawns by value, so that they stay in registers.
func (w *searcher4) lastMoves(b bitboard.Board, free uint64, plies int, two, four tileSpawns) (_, _ tileSpawns) {
	twos := plies == 1 || two.q < w.minProb
	var dead2, dead4 int
	switch {
	case w.net != nil:
		sum2, sum4 := w.net.lastMoves(b, free, twos)
		two.sum, dead2, four.sum, dead4 = sum2.sum, sum2.dead, sum4.sum, sum4.dead
	case w.lines.even != nil:
		sum2, sum4 := w.lines.even.lastMoves(b, b.Transpose(), twos)
		two.sum, dead2, four.sum, dead4 = w.total(sum2), sum2.dead, w.total(sum4), sum4.dead
	default:
		return two, four
	}
	if plies == 1 && !w.cutShort {
		n := bits.OnesCount64(free)
		w.cutShort = two.deeper && two.q >= w.minProb && dead2 < n || four.deeper && four.q >= w.minProb && dead4 < n
	}
	two.deeper, four.deeper = two.deeper && !twos, false
	return two, four
}

// total returns the sum over all boards of a leafSum. Each dead board adds w.dead.
func (w *searcher4) total(s leafSum) float64 {
	if s.dead == 0 {
		return float64(s.sum)
	}
	return float64(s.sum) + float64(s.dead)*w.dead
}

// choice returns the value of the best move on a post-spawn board; plies includes this move.
func (w *searcher4) choice(b bitboard.Board, plies int, q float64) float64 {
	if w.net == nil {
		var after [4]bitboard.Board
		w.slides(b, plies, q, &after)
		return w.linesBest(b, plies, q, &after)
	}
	var c moveChoice
	w.afterstates(b, &c.after)
	if w.prunesMoves(plies, q) {
		c.leaves = c.after
		w.prune(&c)
	}
	return w.bestOf(&c.after, plies, q)
}

// linesSpawns does with line tables what netSpawns does with a network. It returns two.sum and four.sum with the
// searched values added.
func (w *searcher4) linesSpawns(b bitboard.Board, free uint64, plies int, two, four tileSpawns) (sum2, sum4 float64) {
	for len(w.moves) <= plies {
		w.moves = append(w.moves, new(linesMoves))
	}
	moves := w.moves[plies]
	for i, t := range [2]*tileSpawns{&two, &four} {
		if !t.deeper {
			continue
		}
		for f, k := free, 0; f != 0; f, k = f&(f-1), k+1 {
			w.slides(b|bitboard.Board(f&-f)<<i, plies, t.q, &moves[i][k&15])
		}
	}
	sum2, sum4 = two.sum, four.sum
	for f, k := free, 0; f != 0; f, k = f&(f-1), k+1 {
		tile := bitboard.Board(f & -f)
		if two.deeper {
			sum2 += w.linesBest(b|tile, plies, two.q, &moves[0][k&15])
		}
		if four.deeper {
			sum4 += w.linesBest(b|tile<<1, plies, four.q, &moves[1][k&15])
		}
	}
	return sum2, sum4
}

// slides makes the moves on a post-spawn board and prefetches their table entries. It computes no rewards, which
// speeds the whole search up by a tenth. An afterstate that equals b marks an illegal or a pruned move.
func (w *searcher4) slides(b bitboard.Board, plies int, q float64, after *[4]bitboard.Board) {
	b.Slides(after)
	if w.prunesMoves(plies, q) {
		w.pruneBoards(b, after)
	}
	if w.table != nil && plies > 1 && q >= w.minProb {
		for _, a := range after {
			if a != b {
				w.table.prefetch(hash(a))
			}
		}
	}
}

// linesBest returns the value of the best move on b, given the afterstates that slides made.
func (w *searcher4) linesBest(b bitboard.Board, plies int, q float64, after *[4]bitboard.Board) float64 {
	best, legal := w.dead, false
	for _, a := range after {
		if a == b {
			continue
		}
		if v := w.after(a, plies-1, q); v > best || !legal {
			best, legal = v, true
		}
	}
	return best
}

// pruneBoards marks the moves on b whose value is more than pruneMargin below the best: it sets their afterstate to b.
func (w *searcher4) pruneBoards(b bitboard.Board, after *[4]bitboard.Board) {
	var worth [4]float64
	top := math.Inf(-1)
	for d, a := range after {
		if a != b {
			worth[d] = w.lines.value(a, a.Transpose())
			top = max(top, worth[d])
		}
	}
	for d := range after {
		if worth[d] < top-w.pruneMargin {
			after[d] = b
		}
	}
}

// leaf evaluates an afterstate at which a line ends: directly or, with leafSpawn, as the mean over its post-spawn
// boards.
func (w *searcher4) leaf(b bitboard.Board) float64 {
	if !w.leafSpawn {
		return w.value(b)
	}
	free := b.EmptyMask()
	n := bits.OnesCount64(free)
	w.clock.count(int64(2 * n))
	var sum2, sum4 float64
	for ; free != 0; free &= free - 1 {
		if w.p2 > 0 {
			sum2 += w.alive(b | bitboard.Board(free&-free))
		}
		if w.p4 > 0 {
			sum4 += w.alive(b | bitboard.Board(free&-free)<<1)
		}
	}
	return mean(w.p2, sum2, w.p4, sum4, n)
}

// alive returns the value of a post-spawn board, or w.dead if it has no legal move.
func (w *searcher4) alive(b bitboard.Board) float64 {
	if b.Terminal() {
		return w.dead
	}
	return w.value(b)
}

// value evaluates a board with the network or the line tables.
func (w *searcher4) value(b bitboard.Board) float64 {
	if w.net != nil {
		return float64(w.net.value(b))
	}
	return w.lines.value(b, b.Transpose())
}
