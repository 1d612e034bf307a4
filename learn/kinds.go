package learn

import (
	"math/rand/v2"

	"afterstate/bitboard"
	"afterstate/board"
	"afterstate/game"
	"afterstate/ntuple"
)

// kind plays on boards of type B: words, or those that do not fit into one. It has the turn in progress.
type kind[B any] interface {
	// fresh returns the start of a game.
	fresh(spawn, other *rand.PCG) B
	// begin makes the moves on a board and prefetches the weights of the afterstates. It returns false if there is
	// no legal move.
	begin(b B) bool
	// best evaluates the afterstates and returns the index of the best one in the batch, and its reward + value.
	best() (best int, value float32)
	// after returns an afterstate; won: the game ends there, with a score and a value of 1.
	after(i int) (b B, won bool)
	// spawn places the tile that the random number u selects, as game.Random does.
	spawn(b B, u uint64) B
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

func (k *onWords) begin(b bitboard.Board) bool                     { return k.turn.begin(&k.rules, k.net, b) }
func (k *onWords) best() (best int, value float32)                 { return k.turn.best(k.net) }
func (k *onWords) after(i int) (b bitboard.Board, won bool)        { return k.batch.Boards[i], false }
func (k *onWords) spawn(b bitboard.Board, u uint64) bitboard.Board { return k.rules.spawn(b, u) }
func (k *onWords) full(b bitboard.Board) board.Board               { return ntuple.Unpack(b, k.net.Size) }

// onBoards plays on boards of more than 16 cells.
type onBoards struct {
	*turn
	net    *ntuple.Network
	boards *ntuple.WideBatch // the batch of turn
	random *game.Random      // for its rule
}

func (k *onBoards) fresh(spawn, _ *rand.PCG) board.Board {
	return k.spawn(k.spawn(board.New(k.net.Size), spawn.Uint64()), spawn.Uint64())
}

func (k *onBoards) begin(b board.Board) bool              { return k.beginWide(k.boards, k.net, &b) }
func (k *onBoards) best() (best int, value float32)       { return k.turn.best(k.net) }
func (k *onBoards) after(i int) (b board.Board, won bool) { return k.boards.Boards[i], false }
func (k *onBoards) full(b board.Board) board.Board        { return b }

func (k *onBoards) spawn(b board.Board, u uint64) board.Board {
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
