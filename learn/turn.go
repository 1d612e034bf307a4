package learn

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// turn holds the afterstates of one post-spawn board, for a network to evaluate.
type turn struct {
	batch *ntuple.Batch
	// rewards holds the reward of each move on the downgraded board, points the actual reward. Both are in
	// the order of the batch.
	rewards, points [4]int64
	won             uint8 // bit i is set if afterstate i ends the game, with a score and a value of 1
}

// begin computes the afterstates of a board and prefetches their weights. It returns false if there
// is no legal move.
func (t *turn) begin(r *rules, n *ntuple.Network, b bitboard.Board) bool {
	var after, viewed [4]bitboard.Afterstate
	r.afterstates(b, &after)
	observed := &after
	if v := n.DowngradeBoard(b); v != b {
		observed = &viewed
		r.afterstates(v, observed)
	}
	moves := 0
	for d := range after {
		if after[d].Moved {
			t.batch.Boards[moves], t.points[moves&3], t.rewards[moves&3] = after[d].Board, int64(after[d].Reward), int64(observed[d].Reward)
			moves++
		}
	}
	t.batch.N = moves
	n.Prefetch(t.batch)
	return moves > 0
}

// beginWide is like begin, for boards that do not fit into a word. t.batch must be batch.Batch.
func (t *turn) beginWide(batch *ntuple.WideBatch, n *ntuple.Network, b *board.Board) bool {
	var after, viewed [4]board.Afterstate
	b.Afterstates(&after)
	observed := &after
	if v := n.DowngradeWide(*b); v != *b {
		observed = &viewed
		v.Afterstates(observed)
	}
	moves := 0
	for d := range after {
		if after[d].Moved {
			batch.Boards[moves], t.points[moves&3], t.rewards[moves&3] = after[d].Board, after[d].Reward, observed[d].Reward
			moves++
		}
	}
	batch.N = moves
	n.PrefetchWide(batch)
	return moves > 0
}

// best evaluates the afterstates and returns the index of the best one in the batch and its reward
// + value. It breaks ties as search.BestMove does (TestPlay).
func (t *turn) best(n *ntuple.Network) (best int, value float32) {
	n.Sums(t.batch)
	for i := range t.batch.N {
		v := t.batch.Values[i] + float32(t.rewards[i])
		if t.won>>i&1 != 0 {
			v = 1
		}
		if i == 0 || v > value {
			best, value = i, v
		}
	}
	return best, value
}

// kind implements the rules for one representation B of boards: bitboard.Board for boards that fit into a
// 64-bit word, board.Board for larger ones. Implementations embed the turn in progress.
type kind[B any] interface {
	// fresh returns the first board of a new game.
	fresh(spawn, other *rand.PCG) B
	// begin computes the afterstates of a board and prefetches their weights. It returns false if there is
	// no legal move.
	begin(b B) bool
	// next returns afterstate i with the tile that the random number u selects, as game.Random does.
	next(i int, u uint64) B
	full(b B) board.Board
}

// onWords implements kind for boards that fit into a word.
type onWords struct {
	*turn
	net   *ntuple.Network
	rules rules
}

func (k *onWords) fresh(spawn, _ *rand.PCG) bitboard.Board {
	return k.rules.spawn(k.rules.spawn(0, spawn.Uint64()), spawn.Uint64())
}

func (k *onWords) begin(b bitboard.Board) bool         { return k.turn.begin(&k.rules, k.net, b) }
func (k *onWords) next(i int, u uint64) bitboard.Board { return k.rules.spawn(k.batch.Boards[i], u) }
func (k *onWords) full(b bitboard.Board) board.Board   { return ntuple.Unpack(b, k.net.Size) }

// onBoards implements kind for boards of more than 16 cells.
type onBoards struct {
	*turn
	net    *ntuple.Network
	boards *ntuple.WideBatch // embeds turn.batch
	random *game.Random      // only its method Place is used
}

func (k *onBoards) fresh(spawn, _ *rand.PCG) board.Board {
	b := board.New(k.net.Size)
	k.random.Place(&b, spawn.Uint64())
	k.random.Place(&b, spawn.Uint64())
	return b
}

func (k *onBoards) begin(b board.Board) bool       { return k.beginWide(k.boards, k.net, &b) }
func (k *onBoards) full(b board.Board) board.Board { return b }

func (k *onBoards) next(i int, u uint64) board.Board {
	b := k.boards.Boards[i]
	k.random.Place(&b, u)
	return b
}

// newThread returns a thread for boards that fit into a word. The thread learns by TD(0).
func newThread(net *ntuple.Network, learn learner) *thread[bitboard.Board] {
	t := &turn{batch: net.NewBatch()}
	return threadOn(net, learn, t, &onWords{t, net, rulesOf(net.Size)})
}

// newWideThread is like newThread, for boards that do not fit into a word.
func newWideThread(net *ntuple.Network, learn learner) *thread[board.Board] {
	batch := net.NewWideBatch()
	t := &turn{batch: &batch.Batch}
	return threadOn(net, learn, t, &onBoards{t, net, batch, game.NewRandom(0, 0, game.P4)})
}

// rules implements slides and spawns for boards of at most 16 cells in the layout of ntuple.Pack. A
// board with sides of at most four occupies the top left corner of the bitboard; slides to the right
// and down first shift it to that edge.
type rules struct {
	size        board.Size
	lines       *bitboard.Lines // for sizes with a side above four, else nil
	cells       uint64          // the lowest bit of every nibble that is a cell
	right, down uint            // numbers of bits that shift the board to the right or bottom edge
	fours       uint64          // a spawn is a 4 if the lower half of its random number is below fours
}

func rulesOf(size board.Size) rules { return rulesWith(size, game.P4) }

// rulesWith returns the rules with the given probability of a 4.
func rulesWith(size board.Size, p4 float64) rules {
	r := rules{size: size, fours: game.Fours(p4)}
	if size.Rows > 4 || size.Cols > 4 {
		r.lines = bitboard.NewLines(size)
		r.cells = 0x1111111111111111 >> (64 - 4*size.Cells())
		return r
	}
	r.right, r.down = uint(4*(4-size.Cols)), uint(16*(4-size.Rows))
	for i := range size.Cells() {
		r.cells |= 1 << (4 * (4*(i/size.Cols) + i%size.Cols))
	}
	return r
}

// afterstates computes all four slides.
func (r *rules) afterstates(b bitboard.Board, out *[4]bitboard.Afterstate) {
	if r.lines != nil {
		r.lines.Afterstates(b, out)
		return
	}
	if r.right|r.down == 0 {
		b.Afterstates(out)
		return
	}
	slide := func(d board.Direction, shift uint) {
		after, reward, moved := (b << shift).Slide(d)
		out[d] = bitboard.Afterstate{Board: after >> shift, Reward: reward, Moved: moved}
	}
	slide(board.Left, 0)
	slide(board.Up, 0)
	slide(board.Right, r.right)
	slide(board.Down, r.down)
}

// spawn places the tile that the random number u selects, as game.Random does. The board must have
// an empty cell.
func (r *rules) spawn(b bitboard.Board, u uint64) bitboard.Board {
	free := b.EmptyMask() & r.cells
	n := (u >> 32) * uint64(bits.OnesCount64(free)) >> 32
	for ; n > 0; n-- {
		free &= free - 1
	}
	free &= -free
	if u&math.MaxUint32 < r.fours {
		free <<= 1
	}
	return b | bitboard.Board(free)
}
