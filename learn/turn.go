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

// turn is a post-spawn board whose afterstates a network evaluates.
type turn struct {
	batch           *ntuple.Batch
	rewards, points [4]int64 // of the batch's boards: as the network sees them, and as they are
	won             uint8    // bit i: the game ends at board i, with a score and a value of 1
}

// begin makes the moves on a board and prefetches the weights of the afterstates. It returns false
// if there is no legal move.
func (t *turn) begin(r *rules, n *ntuple.Network, b bitboard.Board) bool {
	var after, viewed [4]bitboard.Afterstate
	r.afterstates(b, &after)
	seen := &after
	if v := n.DowngradeBoard(b); v != b {
		seen = &viewed
		r.afterstates(v, seen)
	}
	moves := 0
	for d := range after {
		if after[d].Moved {
			t.batch.Boards[moves], t.points[moves&3], t.rewards[moves&3] = after[d].Board, int64(after[d].Reward), int64(seen[d].Reward)
			moves++
		}
	}
	t.batch.N = moves
	n.Prefetch(t.batch)
	return moves > 0
}

// beginWide is begin for boards that do not fit into a word; b is the batch of t.
func (t *turn) beginWide(batch *ntuple.WideBatch, n *ntuple.Network, b *board.Board) bool {
	var after, viewed [4]board.Afterstate
	b.Afterstates(&after)
	seen := &after
	if v := n.DowngradeWide(*b); v != *b {
		seen = &viewed
		v.Afterstates(seen)
	}
	moves := 0
	for d := range after {
		if after[d].Moved {
			batch.Boards[moves], t.points[moves&3], t.rewards[moves&3] = after[d].Board, after[d].Reward, seen[d].Reward
			moves++
		}
	}
	batch.N = moves
	n.PrefetchWide(batch)
	return moves > 0
}

// best evaluates the afterstates and returns the index of the best one in the batch, and its reward
// + value. Ties are broken as by search.BestMove, see TestPlay.
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

// kind plays on boards of type B: words, or those that do not fit into one. It has the turn in progress.
type kind[B any] interface {
	// fresh returns the start of a game.
	fresh(spawn, other *rand.PCG) B
	// begin makes the moves on a board and prefetches the weights of the afterstates. It returns false if there is
	// no legal move.
	begin(b B) bool
	// next returns an afterstate with the tile that the random number u selects, as game.Random does.
	next(i int, u uint64) B
	full(b B) board.Board
}

// onWords plays on boards in words.
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

// onBoards plays on boards of more than 16 cells.
type onBoards struct {
	*turn
	net    *ntuple.Network
	boards *ntuple.WideBatch // the batch of turn
	random *game.Random      // for its rule
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

// newWorker returns a worker on words that learns by TD(0).
func newWorker(net *ntuple.Network, learn learner) *worker[bitboard.Board] {
	t := &turn{batch: net.NewBatch()}
	return workerOn(net, learn, t, &onWords{t, net, rulesOf(net.Size)})
}

// newWideWorker is newWorker for boards that do not fit into a word.
func newWideWorker(net *ntuple.Network, learn learner) *worker[board.Board] {
	batch := net.NewWideBatch()
	t := &turn{batch: &batch.Batch}
	return workerOn(net, learn, t, &onBoards{t, net, batch, game.NewRandom(0, 0, game.P4)})
}

// rules are the slides and spawns for boards of at most 16 cells in the layout of ntuple.Pack. Up to
// 4x4, a smaller board lies in the top left corner of the bitboard; slides to the right and down shift
// it to that wall first.
type rules struct {
	size        board.Size
	lines       *bitboard.Lines // of a size with a side above four, else nil
	cells       uint64          // the lowest bit of every nibble that is a cell
	right, down uint            // how far, in bits, the board is from these walls
	fours       uint64          // lower halves of a random number below it make a 4
}

func rulesOf(size board.Size) rules { return rulesWith(size, game.P4) }

// rulesWith are the rules with another probability of a 4.
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
