package learn

import (
	"math/rand/v2"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

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
