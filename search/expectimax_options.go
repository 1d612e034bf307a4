package search

import (
	"time"

	"afterstate/eval"
)

// Leaf says where the evaluator is asked.
type Leaf uint8

const (
	// LeafAfterstate asks it about the board after the last move.
	LeafAfterstate Leaf = iota
	// LeafSpawn asks it about every board after the last move and its spawn.
	LeafSpawn
)

// Prune says how much of an expectimax tree may be left out. None of it changes
// the best move or its value.
type Prune uint8

const (
	// PruneNone searches everything: the reference.
	PruneNone Prune = iota
	// PruneStar1 leaves a chance node when the bounds of its unseen spawns decide it.
	PruneStar1
	// PruneStar2 first probes one move below each spawn for better lower bounds.
	PruneStar2
)

// maxPlies is as deep as iterative deepening goes without another limit.
const maxPlies = 64

// ExpectimaxOptions describe an expectimax search. Only Eval is required.
type ExpectimaxOptions struct {
	Eval  eval.Evaluator
	Plies int // depth; 0: 3, or with Time or Nodes no limit
	Leaf  Leaf
	Prune Prune // not used with TT, which leaves out more
	// Time and Nodes limit a move. With either the search deepens ply by ply and
	// the deepest level finished decides; the first level is always finished. A
	// level at which all moves are lost leaves no choice: the one before it decides.
	// It ends where no line of a level ended for want of plies, for deeper levels
	// would find the same again (where Prune left something out, nobody knows).
	Time  time.Duration
	Nodes int64
	// SoftLimit ends a search under limits where the next level would probably not be
	// finished, by what the levels before took.
	SoftLimit bool
	P4        float64 // probability of a 4; 0: 0.1 (for never a 4, negative)
	// DeathValue is the worth of a dead position for heuristics; nil: minus infinity.
	DeathValue *float64

	// DepthByTiles, if not nil, sets the depth by the state of the game: as many plies as
	// there are different tiles on the board less DepthByTiles, at least Plies.
	DepthByTiles *int
	// MinProb ends lines that are not likely to happen: an afterstate that is reached
	// with a lower probability than this, given the player's moves, is a leaf. 0: none.
	MinProb float64
	// PruneMargin leaves out moves that look bad: below the first move, where there is
	// more to look at than leaves, the evaluator is asked about every afterstate, and
	// those that are worth less than the best one by more than PruneMargin are not
	// searched. 0: none. This and MinProb make trees much smaller and do change values.
	PruneMargin float64
	// TT is the memory of a transposition table in bytes, rounded down to a power
	// of two entries but not below MinTT. 0: none.
	TT int64
	// TTLifetime says for how long the table's entries answer.
	TTLifetime TTLifetime
	// TTExact lets an entry answer only for the plies it was searched with, and only for
	// lines that are just as likely, so that a table changes no value. In Expectimax4 the
	// entry's line must be at least as likely (to a quarter of an octave and down to
	// 2^-16): with MinProb, values there depend a little on what was searched first. Without
	// TTExact whatever was searched at least as deep answers, even if MinProb ended its lines
	// earlier.
	TTExact bool
	// Threads search one position together: they share out the spawns after each first
	// move. 0: one. With several, who fills the table first depends on time, so values
	// may differ a little from run to run unless the table is off, or TTExact is on and
	// MinProb is off. Limits of nodes may be passed by some hundred for each thread.
	// Expectimax uses them only with NewEval, and not where Prune leaves something out:
	// what can be left out at a spawn depends on the spawns before it.
	Threads int
	// NewEval makes another evaluator like Eval, for each thread of Expectimax beyond
	// the first, since an evaluator is for one goroutine at a time.
	NewEval func() eval.Evaluator
}

// TTLifetime is the time for which a table's entries answer.
type TTLifetime uint8

const (
	// LifetimeSearch is one search.
	LifetimeSearch TTLifetime = iota
	// LifetimeRootMove is the search of one of a position's moves.
	LifetimeRootMove
	// LifetimeGame is all searches until Forget.
	LifetimeGame
)
