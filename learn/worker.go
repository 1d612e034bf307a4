package learn

import (
	"math"
	"math/rand/v2"

	"afterstate/bitboard"
	"afterstate/ntuple"
)

// worker plays and learns in one goroutine.
type worker struct {
	rules rules
	net   *ntuple.Network
	learn learner
	batch *ntuple.Batch
	last  place    // where the last afterstate reads its weights
	spawn rand.PCG // of the game
	other rand.PCG // for all else
	// A reward of late or more can have made a late tile. stored is told the board
	// then; math.MaxInt32 and nil if nobody cares.
	late   int32
	stored func(b bitboard.Board)
	// trace, if any, sees every board and move: for proofs.
	trace func(b bitboard.Board)
}

// place is where an afterstate reads its weights.
type place struct {
	stage int
	at    []ntuple.Octet
}

func newWorker(net *ntuple.Network, learn learner) *worker {
	return &worker{
		rules: rulesOf(net.Size), net: net, learn: learn, batch: net.NewBatch(),
		last: place{at: make([]ntuple.Octet, len(net.Patterns))},
		late: math.MaxInt32,
	}
}

// outcome is one game.
type outcome struct {
	score     int64
	moves     int
	restarted bool // from a stored board
	final     bitboard.Board
}

// seed begins game number index: its spawns are those of package game.
func (w *worker) seed(seed, index uint64) {
	w.spawn.Seed(seed, index)
	w.other.Seed(^seed, index)
}

// fresh is the start of a game: two spawns.
func (w *worker) fresh() bitboard.Board {
	return w.rules.spawn(w.rules.spawn(0, w.spawn.Uint64()), w.spawn.Uint64())
}

// play plays from a board after its spawn to the end, and learns: after each choice
// the value of the afterstate before it moves towards the reward of the move and the
// value that followed, at the end towards nothing. Two facts make that cheap: the
// weights of the afterstate before are still in the cache, and where they lie is
// known.
func (w *worker) play(b bitboard.Board) (o outcome) {
	var after [4]bitboard.Afterstate
	var rewards [4]int32
	for batch := w.batch; ; o.moves++ {
		if w.trace != nil {
			w.trace(b)
		}
		w.rules.afterstates(b, &after)
		n := 0
		for d := range after {
			if after[d].Moved {
				batch.Boards[n], rewards[n&3] = after[d].Board, after[d].Reward
				n++
			}
		}
		batch.N = n
		w.net.Evaluate(batch)
		best, value := 0, float32(0)
		for i := range n {
			if v := batch.Values[i] + float32(rewards[i]); i == 0 || v > value {
				best, value = i, v
			}
		}
		if o.moves > 0 {
			w.learn.towards(&w.last, value)
		}
		if n == 0 {
			o.final = b
			return o
		}
		o.score += int64(rewards[best])
		w.last.stage = batch.Stages[best]
		w.last.at, batch.At[best] = batch.At[best], w.last.at
		w.learn.expect(&w.last)
		before := b
		b = w.rules.spawn(batch.Boards[best], w.spawn.Uint64())
		if rewards[best] >= w.late && largest(b) > largest(before) {
			w.stored(b)
		}
	}
}
