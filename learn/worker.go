package learn

import (
	"math"
	"math/rand/v2"

	"afterstate/bitboard"
	"afterstate/board"
	"afterstate/ntuple"
)

// player is what plays and learns in one goroutine: a worker, or a wideWorker for boards that do not fit
// into a word.
type player interface {
	// seed sets the random generators for game number index of a seed; spawns are those of package
	// game.
	seed(seed, index uint64)
	// playFresh plays a game from an empty board.
	playFresh() outcome
	common() *learning
}

// newPlayer returns a player that learns by TD(0).
func newPlayer(net *ntuple.Network, learn learner) player {
	switch {
	case net.Walls > 0:
		return newEndingWorker(net, learn)
	case net.Wide():
		return newWideWorker(net, learn)
	}
	return newWorker(net, learn)
}

// learning is what all players have in common.
type learning struct {
	net   *ntuple.Network
	learn learner
	// ring holds the moves whose afterstates are still to be updated; its length is the horizon.
	// lambda is Options.Lambda.
	ring   []move
	lambda float32
	spawn  rand.PCG // of the game
	other  rand.PCG // for all other random choices
	late   int32    // see merged
	passed int      // the last milestone of the game, -1 before the first
	// looked, unless nil, is called with the afterstates of every choice.
	looked func(*ntuple.Batch)
}

// worker plays and learns on boards in words.
type worker struct {
	learning
	rules rules
	turn
	// merged is called with the post-spawn board when reward >= late; math.MaxInt32 and nil: never.
	merged func(b bitboard.Board)
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
		learning: learning{net: net, learn: learn, late: math.MaxInt32}, rules: rulesOf(net.Size), turn: turn{batch: net.NewBatch()},
	}
	w.setReturn(0, 1)
	return w
}

func (w *learning) common() *learning { return w }

// setReturn sets Options.Lambda and Options.Horizon.
func (w *learning) setReturn(lambda float64, horizon int) {
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
	final board.Board
}

func (w *learning) seed(seed, index uint64) {
	w.spawn.Seed(seed, index)
	w.other.Seed(^seed, index)
}

// fresh returns the start of a game: an empty board with two spawns.
func (w *worker) fresh() bitboard.Board {
	return w.rules.spawn(w.rules.spawn(0, w.spawn.Uint64()), w.spawn.Uint64())
}

func (w *worker) playFresh() outcome { return w.play(w.fresh()) }

// play plays a game from a post-spawn board to its end and learns: after each choice it updates the
// oldest afterstate in the ring. Its weights are still in the cache and their indices known.
func (w *worker) play(b bitboard.Board) (o outcome) {
	at := 0 // the oldest move's place in the ring, where the next one goes
	for ; ; o.moves++ {
		if w.trace != nil {
			w.trace(b)
		}
		if !w.begin(&w.rules, w.net, b) {
			w.finish(at, min(o.moves, len(w.ring)), 0)
			o.final = ntuple.Unpack(b, w.net.Size)
			return o
		}
		if w.looked != nil {
			w.looked(w.batch)
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
