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
	turn
	// ring holds the moves whose afterstates are still to be updated; its length is the horizon.
	// lambda is Options.Lambda.
	ring   []move
	lambda float32
	spawn  rand.PCG // of the game
	other  rand.PCG // for all other random choices
	// merged is called with the post-spawn board when reward >= late; math.MaxInt32 and nil: never.
	late   int32
	merged func(b bitboard.Board)
	passed int // the last milestone of the game, -1 before the first
	// trace, unless nil, is called with every post-spawn board.
	trace func(b bitboard.Board)
}

// features are the stage of an afterstate and the indices of its weights.
type features struct {
	stage int
	at    []ntuple.SymIndices
}

// move is a move of the game in progress.
type move struct {
	features // of its afterstate
	reward   float32
}

// newWorker returns a worker that learns by TD(0).
func newWorker(net *ntuple.Network, learn learner) *worker {
	w := &worker{
		rules: rulesOf(net.Size), net: net, learn: learn, turn: turn{batch: net.NewBatch()},
		late: math.MaxInt32,
	}
	w.setReturn(0, 1)
	return w
}

// setReturn sets Options.Lambda and Options.Horizon.
func (w *worker) setReturn(lambda float64, horizon int) {
	w.lambda, w.ring = float32(lambda), make([]move, horizon)
	for i := range w.ring {
		w.ring[i].at = make([]ntuple.SymIndices, len(w.net.Patterns))
	}
}

// outcome is the result of one game.
type outcome struct {
	score int64
	moves int
	from  uint64 // pool.sum of the milestone it started from; 0: an empty board
	final bitboard.Board
}

// seed sets the random generators for game number index of a seed; spawns are those of package
// game.
func (w *worker) seed(seed, index uint64) {
	w.spawn.Seed(seed, index)
	w.other.Seed(^seed, index)
}

// fresh returns the start of a game: an empty board with two spawns.
func (w *worker) fresh() bitboard.Board {
	return w.rules.spawn(w.rules.spawn(0, w.spawn.Uint64()), w.spawn.Uint64())
}

// play plays a game from a post-spawn board to its end and learns: after each choice it updates the
// oldest afterstate in the ring. Its weights are still in the cache and their indices known.
func (w *worker) play(b bitboard.Board) (o outcome) {
	at := 0 // the oldest move's place in the ring, where the next one goes
	for ; ; o.moves++ {
		if w.trace != nil {
			w.trace(b)
		}
		if !w.begin(&w.rules, w.net, b) {
			w.finish(at, min(o.moves, len(w.ring)))
			o.final = b
			return o
		}
		best, value := w.best(w.net)
		m := &w.ring[at]
		if o.moves >= len(w.ring) {
			w.learn.update(&m.features, w.target(at, value))
		}
		o.score += int64(w.points[best])
		m.reward, m.stage = float32(w.rewards[best]), w.batch.Stages[best]
		m.at, w.batch.At[best] = w.batch.At[best], m.at
		if at++; at == len(w.ring) {
			at = 0
		}
		w.learn.prefetch(&w.ring[at].features)
		b = w.rules.spawn(w.batch.Boards[best], w.spawn.Uint64())
		if w.points[best] >= w.late {
			w.merged(b)
		}
	}
}
