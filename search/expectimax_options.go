package search

import (
	"time"

	"github.com/afterstate2048/afterstate/eval"
)

// Leaf selects the boards at which a search ends and to which it applies the evaluator.
type Leaf uint8

const (
	// LeafAfterstate evaluates the board after the last move.
	LeafAfterstate Leaf = iota
	// LeafSpawn evaluates each board after the last move and its spawn.
	LeafSpawn
)

// maxPlies is the depth limit of iterative deepening.
const maxPlies = 64

// ExpectimaxOptions configures an expectimax search. Only Eval is required. The struct tags describe the keys of player
// specs (package catalog).
type ExpectimaxOptions struct {
	Eval  eval.Evaluator
	Plies int  `key:"plies" unit:"plies" range:"1:64" without:"3, or no limit with time or nodes" help:"depth of the search: number of the player's moves"` // depth in the player's moves; 0: 3, or no limit with Time or Nodes
	Leaf  Leaf `key:"leaf" range:"afterstate|spawn" default:"afterstate" help:"where the evaluator is applied: to the board after the last move, or after each spawn that follows it"`
	// Star1 stops searching a chance node when bounds on its remaining spawns show that its value is outside the window
	// (star.go). It changes neither the best move nor its value. It needs a heuristic evaluator that is an
	// eval.Bounder, and is ignored with other evaluators and with TT, which saves more.
	Star1 bool `key:"prune" range:"none|star1" default:"none" help:"pruning of chance nodes by the evaluator's bounds, which changes no value; not used with tt"`
	// Time and Nodes limit a search. With either, the search deepens ply by ply, and the result
	// comes from the deepest completed iteration; the first iteration always completes. If all moves are
	// lost in an iteration, the result comes from the previous iteration. Deepening also ends when the depth
	// limit cut off no line, since deeper iterations would be equal (with Star1 this is known only if
	// nothing was pruned).
	Time  time.Duration `key:"time" unit:"duration" range:"0|1us:1h" default:"0" help:"time limit of a decision: the search deepens until it is reached"`
	Nodes int64         `key:"nodes" unit:"nodes" range:"1:2^40" without:"no limit" help:"node limit of a decision: the search deepens until it is reached; boards after a spawn and their slides count"`
	// SoftLimit ends deepening before an iteration that would probably not finish, as predicted from the
	// nodes of the previous iterations.
	SoftLimit bool `key:"soft_limit" range:"no|yes" default:"no" help:"with time or nodes: do not start a search of the next depth that would probably not finish"`
	// ClearMargin ends deepening after an iteration of 4 or more plies if the best move leads every other move by more
	// than this value, or is the only legal move. Zero turns it off.
	ClearMargin float64 `key:"clear_margin" unit:"the evaluator's unit" range:"0:1e100" default:"0" help:"with time or nodes: end the search after 4 or more plies if the best move's value is above all others by more than this; 0: off"`
	P4          float64 `key:"p4" unit:"probability" range:"0:1" default:"0.1" help:"probability of a 4 that the search assumes"` // probability of a 4; 0: 0.1; negative: never a 4
	// DeathValue is the value of a dead position with a heuristic evaluator; nil means minus
	// infinity.
	DeathValue *float64 `key:"death_value" unit:"the evaluator's unit" range:"-inf:1e100" default:"-inf" help:"value of a board without a legal move, for heuristic evaluators; for points it is 0"`

	// DepthByTiles, if not nil, sets the depth to the number of distinct tiles on the board minus DepthByTiles, but
	// at least to the larger of Plies and 1, and at most to 64 (after nneonneo/2048-ai).
	DepthByTiles *int `key:"depth_by_tiles" unit:"different tiles" range:"-64:64" without:"off" help:"the depth is the number of different tiles on the board minus this, but at least plies; it grows during a game"`
	// MinProb is the probability cut of nneonneo/2048-ai: an afterstate that is reached with a
	// lower probability, given the player's moves, is a leaf. Zero means no cut.
	MinProb float64 `key:"min_prob" unit:"probability" range:"0:1" default:"0" help:"afterstates that are reached with a lower probability than this are evaluated, not searched"`
	// PruneMargin enables forward pruning at all moves of a line except the first and the last: all
	// afterstates are evaluated, and those more than PruneMargin (in the evaluator's unit) below
	// the best one are not searched. Zero turns it off. Like MinProb it makes trees much smaller
	// and changes values.
	PruneMargin float64 `key:"prune_margin" unit:"the evaluator's unit" range:"0:1e100" default:"0" help:"below the root, skip moves whose static value is below the best one by more than this; 0: off"`
	// TT is the size of the transposition table in bytes. It is rounded down so that the number of entries is a power
	// of two, and raised to MinTT if it is smaller. Zero means no table.
	TT int64 `key:"tt" unit:"bytes" range:"0|memory:2MB:64GB" guest:"64MB" default:"0" help:"size of the transposition table"`
	// TTRootMove discards the table's entries after each root move (as nneonneo/2048-ai does), not after each search.
	TTRootMove bool `key:"tt_lifetime" range:"search|root_move" default:"search" help:"lifetime of entries: one search, or one root move of a search"`
	// TTExact uses an entry only for the depth to which it was searched and only for lines of the same probability,
	// so the table changes no value. Expectimax4 only requires that the entry's line was at least as probable, after
	// rounding both probabilities down to one of four steps per factor of two (all probabilities below 1.5*2^-16 count
	// as equal). So with MinProb the values of Expectimax4 depend slightly on the order of search. Without TTExact
	// any entry that was searched at least as deep is used, even if MinProb cut its lines earlier.
	TTExact bool `key:"tt_exact" range:"no|yes" default:"no" help:"use only entries of the same depth whose line was at least as likely: the table then changes no value (on 4x4 with min_prob: very few)"`
}
