package search

import (
	"math"
	"math/bits"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// netLeaves evaluates leaves by a pattern network.
//
// Random reads of the large weight tables take most of the time. So netLeaves computes the indices
// of a leaf and prefetches its weights while it still waits for earlier leaves: a ring holds a
// batch of afterstates for each of the last post-spawn boards. It also caches recent leaves: all
// spawns in one gap of a row lead to the same board when the row slides.
type netLeaves struct {
	net     *ntuple.Network
	ring    [ringSize]netSpawn
	next    int // index in ring of the next post-spawn board
	pending int // number of pending boards in ring
	known   []knownLeaf
	shift   uint // bits to shift a hash right to get an index into known
	chances bool // values are probabilities, so rewards are not added

	// Sums for the current afterstate; they are fields to save allocations. rated is for moves that are
	// evaluated only to prune them. No code reads it: pruning uses the cached values.
	two, four, rated netLeafSum
}

// ringSize is the largest number of pending boards. Larger values are not faster.
const ringSize = 4

// Minimum and maximum of the binary logarithm of the number of cached leaves. The minimum takes 128 KiB
// and is fastest for small searches; the maximum takes 1 MiB.
const (
	minKnownBits = 13
	maxKnownBits = 16
)

// knownBits returns the binary logarithm of the number of leaves to cache. With a node limit the cache has room for
// half a leaf to one leaf per node, within minKnownBits and maxKnownBits.
func knownBits(o *ExpectimaxOptions) int {
	switch {
	case o.Plies == 1 && o.Leaf != LeafSpawn && o.Time == 0 && o.Nodes == 0 && o.DepthByTiles == nil:
		return 3 // the only leaves are the afterstates of the root moves: at most four, all different
	case o.Nodes > 0:
		return min(max(bits.Len64(uint64(o.Nodes))-1, minKnownBits), maxKnownBits)
	case o.Time > 0 || o.Plies > 3 || o.DepthByTiles != nil:
		return maxKnownBits
	}
	return minKnownBits
}

// knownLeaf is a cached leaf. Cached values never expire, so the network must not change.
type knownLeaf struct {
	board bitboard.Board // 0: unused
	value float32
	ready bool // false: the value is still being computed
}

// netSpawn is a post-spawn board whose last move is being chosen.
type netSpawn struct {
	batch   *ntuple.Batch
	rewards [4]int32
	// late holds the moves to leaves that belong to the batch of an earlier board in the ring.
	late  [4]bitboard.Afterstate
	lates int
	best  float64 // best value of the moves with cached leaves
	into  *netLeafSum
}

// netLeafSum is a sum over the spawns of one tile: for each spawn, the value after the best last move.
// Boards without a legal move add nothing to sum; dead counts them.
type netLeafSum struct {
	sum  float64
	dead int
}

func newNetLeaves(n *ntuple.Network, knownBits int) *netLeaves {
	l := &netLeaves{net: n, chances: n.Walls > 0, known: make([]knownLeaf, 1<<knownBits), shift: uint(64 - knownBits)}
	for i := range l.ring {
		l.ring[i].batch = n.NewBatch()
	}
	return l
}

// lastMoves searches the last move before the leaves: for every spawn of a 4 on b, and if twos is
// set also for every spawn of a 2, it adds the value after the best move.
func (l *netLeaves) lastMoves(b bitboard.Board, free uint64, twos bool) (two, four netLeafSum) {
	l.two, l.four = netLeafSum{}, netLeafSum{}
	view2, limit2 := l.viewSpawn(b, 1)
	view4, limit4 := l.viewSpawn(b, 2)
	for f := free; f != 0; f &= f - 1 {
		tile := bitboard.Board(f & -f)
		if twos {
			l.start(b|tile, view2|tile, limit2, &l.two)
		}
		l.start(b|tile<<1, view4|tile<<1, limit4, &l.four)
	}
	l.drain()
	return l.two, l.four
}

// viewSpawn returns the network's view of b after a spawn of 2^exponent. The view does not contain the
// spawned tile, so it is the same for every cell. If a move has a reward below limit on the view, its
// afterstate on the view is the view of its afterstate on the real board.
func (l *netLeaves) viewSpawn(b bitboard.Board, exponent uint8) (view bitboard.Board, limit int32) {
	view, gap := l.net.DowngradeAfterSpawn(b, exponent)
	if view == b {
		return b, math.MaxInt32
	}
	return view, 1 << gap
}

// start starts the evaluation of the moves on post-spawn board b, whose view is given; see viewSpawn.
func (l *netLeaves) start(b, view bitboard.Board, limit int32, into *netLeafSum) {
	var leaves [4]bitboard.Afterstate
	l.viewedMoves(b, view, limit, &leaves)
	l.push(&leaves, into)
}

// viewedMoves makes the moves on post-spawn board b, with the rewards of its view. It takes an
// afterstate from the view if the network gives it the same value (see viewSpawn), otherwise from
// b.
func (l *netLeaves) viewedMoves(b, view bitboard.Board, limit int32, leaves *[4]bitboard.Afterstate) {
	view.Afterstates(leaves)
	if l.chances {
		noRewards(leaves)
		return
	}
	for d := range leaves {
		if a := &leaves[d]; a.Reward >= limit {
			a.Board, _, _ = b.Slide(board.Direction(d))
		}
	}
}

func noRewards(after *[4]bitboard.Afterstate) {
	for d := range after {
		after[d].Reward = 0
	}
}

// push starts the evaluation of these leaves, one for each move on a post-spawn board; finish later
// adds the best value to into.
func (l *netLeaves) push(leaves *[4]bitboard.Afterstate, into *netLeafSum) {
	if l.pending == ringSize {
		l.finish()
	}
	s := &l.ring[l.next]
	s.batch.N, s.lates, s.best, s.into = 0, 0, math.Inf(-1), into
	legal := false
	for d := range leaves {
		if a := &leaves[d]; a.Moved {
			legal = true
			l.add(s, a)
		}
	}
	if !legal {
		into.dead++
		return
	}
	l.net.Prefetch(s.batch)
	l.next = (l.next + 1) % ringSize
	l.pending++
}

// drain completes all pending boards.
func (l *netLeaves) drain() {
	for l.pending > 0 {
		l.finish()
	}
}

// add adds the cached value of a move's leaf to s. A leaf that is not cached joins a batch.
func (l *netLeaves) add(s *netSpawn, a *bitboard.Afterstate) {
	switch k := l.at(a.Board); {
	case k.board != a.Board:
		*k = knownLeaf{board: a.Board}
		n := s.batch.N & 3
		s.batch.Boards[n], s.rewards[n] = a.Board, a.Reward
		s.batch.N++
	case k.ready:
		s.best = better(s.best, a.Reward, k.value)
	default:
		s.late[s.lates&3] = *a
		s.lates++
	}
}

// at returns the cache slot of a leaf.
func (l *netLeaves) at(b bitboard.Board) *knownLeaf {
	return &l.known[hash(b)>>(l.shift&63)]
}

// finish completes the oldest pending board.
func (l *netLeaves) finish() {
	s := &l.ring[(l.next-l.pending+ringSize)%ringSize]
	l.pending--
	l.net.Sums(s.batch)
	best := s.best
	for i := range s.batch.N {
		b, v := s.batch.Boards[i&3], s.batch.Values[i&3]
		if k := l.at(b); k.board == b {
			k.value, k.ready = v, true
		}
		best = better(best, s.rewards[i&3], v)
	}
	for i := range s.lates {
		a := &s.late[i&3]
		best = better(best, a.Reward, l.value(a.Board))
	}
	s.into.sum += best
}

// better returns the larger of best and the value of a move. It does not use the built-in max,
// which compiles to a function call in WebAssembly.
func better(best float64, reward int32, value float32) float64 {
	if v := float64(reward) + float64(value); v > best {
		return v
	}
	return best
}

// leaves sets the values of the legal root moves when their afterstates are leaves. It evaluates
// them in one batch, so that memory reads overlap.
func (l *netLeaves) leaves(after *[4]bitboard.Afterstate, legal []board.Direction, r *Result) {
	batch := l.ring[0].batch
	batch.N = len(legal)
	for i, d := range legal {
		batch.Boards[i&3] = after[d].Board
	}
	l.net.Evaluate(batch)
	for i, d := range legal {
		r.Moves[d].Value = float64(batch.Values[i&3])
	}
}

// value returns the value of a leaf and caches it.
func (l *netLeaves) value(b bitboard.Board) float32 {
	k := l.at(b)
	if k.board != b || !k.ready {
		*k = knownLeaf{b, l.net.Value(b), true}
	}
	return k.value
}

// moveChoice holds the moves on a post-spawn board of the tree that is searched further.
type moveChoice struct {
	after [4]bitboard.Afterstate // the moves, with the rewards of the board's view
	// leaves are the same moves made on the view. The network gives the two afterstates of a move
	// the same value.
	leaves [4]bitboard.Afterstate
	pruned bool // moves far below the best are dropped, see pruneMargin
}

// netChoices holds the post-spawn boards of one afterstate: a 2 and a 4 on each empty cell.
type netChoices [32]moveChoice

// afterstates makes all moves on a board. With a network in points it takes the rewards from the board's view;
// otherwise they are 0.
func (w *searcher4) afterstates(b bitboard.Board, after *[4]bitboard.Afterstate) {
	if w.net == nil || w.net.chances {
		var boards [4]bitboard.Board
		b.Slides(&boards)
		for d, a := range boards {
			after[d] = bitboard.Afterstate{Board: a, Moved: a != b}
		}
		return
	}
	b.Afterstates(after)
	if view := w.net.net.DowngradeBoard(b); view != b {
		var seen [4]bitboard.Afterstate
		view.Afterstates(&seen)
		for d := range after {
			after[d].Reward = seen[d].Reward
		}
	}
}

// prunesMoves reports whether pruneMargin applies to the moves on a post-spawn board.
func (w *searcher4) prunesMoves(plies int, q float64) bool {
	return w.pruneMargin > 0 && plies > 1 && q >= w.minProb
}

// netSpawns searches spawns on b with a network: those of each tile whose field deeper is set. It adds
// their values to the sum of the tile.
//
// First it makes the moves after all these spawns. If pruneMargin applies, the network evaluates
// these moves in batches, so that memory reads overlap. Then netSpawns prefetches the table entries
// that the search will look up.
func (w *searcher4) netSpawns(b bitboard.Board, free uint64, plies int, tiles *[2]tileSpawns) {
	choices := w.makeChoices(b, free, plies, tiles)
	for f := free; f != 0; f &= f - 1 {
		for i := range tiles {
			if t := &tiles[i]; t.deeper {
				t.sum += w.bestOf(&choices[0].after, plies, t.q)
				choices = choices[1:]
			}
		}
	}
}

// makeChoices makes the moves after these spawns and prunes them. The result is in the order of cells, with the 2
// before the 4 on each cell.
func (w *searcher4) makeChoices(b bitboard.Board, free uint64, plies int, tiles *[2]tileSpawns) []moveChoice {
	for len(w.choices) <= plies {
		w.choices = append(w.choices, new(netChoices))
	}
	choices := w.choices[plies][:0]
	var views [2]bitboard.Board
	var limits [2]int32
	var prunes [2]bool
	for i := range tiles {
		views[i], limits[i] = w.net.viewSpawn(b, uint8(i+1))
		prunes[i] = w.prunesMoves(plies, tiles[i].q)
	}
	for f := free; f != 0; f &= f - 1 {
		for i := range tiles {
			if !tiles[i].deeper {
				continue
			}
			tile := bitboard.Board(f&-f) << i
			choices = choices[:len(choices)+1]
			c := &choices[len(choices)-1]
			c.make(w.net, b|tile, views[i]|tile, limits[i])
			if c.pruned = prunes[i]; c.pruned {
				w.net.push(&c.leaves, &w.net.rated)
			}
		}
	}
	w.net.drain()
	for i := range choices {
		if choices[i].pruned {
			w.prune(&choices[i])
		}
	}
	if w.table != nil && plies > 1 {
		w.prefetch(choices)
	}
	return choices
}

// prefetch prefetches the table entries of all moves.
func (w *searcher4) prefetch(choices []moveChoice) {
	for i := range choices {
		for d := range choices[i].after {
			if a := &choices[i].after[d]; a.Moved {
				w.table.prefetch(hash(a.Board))
			}
		}
	}
}

// make sets c to the moves on post-spawn board b, whose view is given; see viewSpawn.
func (c *moveChoice) make(l *netLeaves, b, view bitboard.Board, limit int32) {
	b.Afterstates(&c.after)
	if l.chances {
		noRewards(&c.after)
	}
	c.leaves = c.after
	if view != b {
		l.viewedMoves(b, view, limit, &c.leaves)
		for d := range c.after {
			c.after[d].Reward = c.leaves[d].Reward
		}
	}
}

// prune clears Moved of the moves whose value is more than pruneMargin below the best.
func (w *searcher4) prune(c *moveChoice) {
	var worth [4]float64
	top := math.Inf(-1)
	for d := range c.leaves {
		if a := &c.leaves[d]; a.Moved {
			worth[d] = float64(a.Reward) + w.value(a.Board)
			top = max(top, worth[d])
		}
	}
	for d := range c.after {
		c.after[d].Moved = c.after[d].Moved && worth[d] >= top-w.pruneMargin
	}
}

// bestOf returns the value of the best move in after.
func (w *searcher4) bestOf(after *[4]bitboard.Afterstate, plies int, q float64) float64 {
	best, legal := w.dead, false
	for d := range after {
		a := &after[d]
		if !a.Moved {
			continue
		}
		if v := float64(a.Reward) + w.after(a.Board, plies-1, q); v > best || !legal {
			best, legal = v, true
		}
	}
	return best
}
