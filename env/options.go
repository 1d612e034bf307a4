package env

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"afterstate/board"
	"afterstate/game"
)

// Illegal says what becomes of an action that moves no tile.
type Illegal uint8

// The ways to take an illegal move. None of them spawns a tile, each counts as a step.
const (
	NoOp      Illegal = iota // its reward is 0
	Penalize                 // its reward is Options.Penalty
	Terminate                // its reward is Options.Penalty, and the episode is terminated
)

// Observation says how a board is shown.
type Observation uint8

const (
	// Exponents are one byte a cell, row-major: 0 for an empty cell, 1 for a 2, 11 for
	// a 2048.
	Exponents Observation = iota
	// Planes are one-hot: Channels(size) planes of one byte a cell, of which plane k
	// has a 1 where the exponent is k, plane 0 where a cell is empty.
	Planes
)

// Autoreset says when a Vector begins the next game of an environment whose episode
// has ended; the names are Gymnasium's.
type Autoreset uint8

const (
	// NextStep: with the step after the last one, whose action is passed over and
	// whose reward is 0.
	NextStep Autoreset = iota
	// SameStep: with the last step itself. What is seen is the next game; what was
	// seen last goes to Buffers.Final.
	SameStep
	// Disabled: not at all. The caller calls Next or Reset; until then a step of the
	// environment does nothing, for a reward of 0.
	Disabled
)

// Options describe environments. The zero value is 4x4, rewards of merged tiles,
// illegal moves that do nothing, exponents to see, no limit.
type Options struct {
	Size        board.Size // zero: 4x4
	Seed        uint64     // of the first game
	P4          float64    // probability of a 4; 0: 0.1 (for never a 4, negative)
	Illegal     Illegal
	Penalty     float64                    // reward of an illegal move, unless that is NoOp
	Reward      func(merged int64) float64 // of a legal move; nil: the sum of merged tiles itself
	MaxSteps    int                        // steps of an episode before it is truncated; 0: no limit
	Observation Observation
	Autoreset   Autoreset // of a Vector
}

// Log2 is a reward: the base 2 logarithm of the sum of merged tiles, 0 without one.
func Log2(merged int64) float64 {
	if merged <= 0 {
		return 0
	}
	if merged&(merged-1) == 0 {
		return float64(bits.TrailingZeros64(uint64(merged)))
	}
	return math.Log2(float64(merged))
}

// Channels is the number of planes for a size: a cell is empty or holds one of the
// tiles 2, 4 and so on to the largest that a game with 4s can make, 2 to the number of
// cells + 1.
func Channels(s board.Size) int { return s.Cells() + 2 }

// rules is what the environments of one kind have in common.
type rules struct {
	Options
	four   bool // boards are 4x4, in nibbles
	cells  int
	seen   int          // bytes of an observation
	limit  int64        // steps of an episode
	random *game.Random // places tiles; draws none
	fours  uint64       // lower halves of a random number below it make a 4
}

func newRules(o Options) (rules, error) {
	if o.Size == (board.Size{}) {
		o.Size = board.Size{Rows: 4, Cols: 4}
	}
	switch {
	case !o.Size.Valid():
		return rules{}, fmt.Errorf("size %v: want rows and columns from %d to %d", o.Size, board.MinSide, board.MaxSide)
	case math.IsNaN(o.P4) || o.P4 > 1:
		return rules{}, fmt.Errorf("probability of a 4 is %v: want at most 1", o.P4)
	case o.MaxSteps < 0:
		return rules{}, fmt.Errorf("%d steps at most: want 1 or more, or 0 for no limit", o.MaxSteps)
	case math.IsNaN(o.Penalty) || math.IsInf(o.Penalty, 0):
		return rules{}, fmt.Errorf("penalty %v: want a finite number", o.Penalty)
	case o.Illegal > Terminate || o.Observation > Planes || o.Autoreset > Disabled:
		return rules{}, errors.New("an option that does not exist: want the constants of package env")
	}
	p4 := max(0, o.P4)
	if o.P4 == 0 {
		p4 = game.P4
	}
	if o.Illegal == NoOp {
		o.Penalty = 0
	}
	r := rules{Options: o, four: o.Size == board.Size{Rows: 4, Cols: 4}, cells: o.Size.Cells()}
	r.seen, r.limit = r.cells, math.MaxInt64
	if o.MaxSteps > 0 {
		r.limit = int64(o.MaxSteps)
	}
	if o.Observation == Planes {
		r.seen *= Channels(o.Size)
	}
	r.random, r.fours = game.NewRandom(0, 0, p4), uint64(math.Floor(p4*(1<<32)))
	return r, nil
}

// check reports what is wrong with a board as one of these environments'.
func (r *rules) check(b *board.Board) error {
	if b.Size() != r.Size {
		return fmt.Errorf("a board of %v: want %v", b.Size(), r.Size)
	}
	// Tiles of this sum fill the board without a pair to merge, so no spawn leads
	// beyond it, and no plane is missing for a tile.
	if most := int64(1)<<Channels(r.Size) - 4; b.Sum() > most {
		return fmt.Errorf("board %v has tiles of %d in all: no %v game has more than %d", b, b.Sum(), r.Size, most)
	}
	if b.Largest() == 0 {
		return errors.New("a board without tiles: want one at least")
	}
	return nil
}
