package env

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Illegal is the treatment of actions that move no tile.
type Illegal uint8

// The treatments of illegal moves. No illegal move spawns a tile, and each counts as a step.
const (
	NoOp      Illegal = iota // reward 0
	Penalize                 // reward Options.Penalty
	Terminate                // reward Options.Penalty, and the episode terminates
)

// Observation is the encoding of boards.
type Observation uint8

const (
	// Exponents is one byte per cell, row-major: 0 for an empty cell, 1 for a 2, 11 for a 2048.
	Exponents Observation = iota
	// Planes is a one-hot encoding: Channels(size) planes of one byte per cell. Plane k is 1 where
	// the exponent is k; plane 0 marks empty cells.
	Planes
)

// Autoreset determines when a Vector starts the next game of an environment whose episode has
// ended. The names of the modes are Gymnasium's.
type Autoreset uint8

const (
	// NextStep starts the next game in the step after the last one of the episode. That step
	// ignores its action and has reward 0.
	NextStep Autoreset = iota
	// SameStep starts the next game in the last step itself. Buffers.Current then holds the first
	// observation of the next game, and Buffers.Final the last observation of the episode.
	SameStep
	// Disabled never starts the next game: the caller calls Next, Reset or Begin. Until then, steps
	// of the environment do nothing and have reward 0.
	Disabled
)

// Options configures environments. The zero value means 4x4 boards, the sum of merged tiles as the
// reward, illegal moves without effect, exponents as observations, and no step limit.
type Options struct {
	Size        board.Size // zero: 4x4
	Seed        uint64     // seed of the first game
	P4          float64    // probability of a 4; 0 means 0.1, a negative value means 0
	Illegal     Illegal
	Penalty     float64                    // reward of an illegal move, except with NoOp
	Reward      func(merged int64) float64 // reward of a legal move; nil: the sum of merged tiles
	MaxSteps    int                        // number of steps after which an episode is truncated; 0: no limit
	Observation Observation
	Autoreset   Autoreset
	Spawner     game.Spawner // chooses each new tile by the board alone, such as search.Adversary; nil: tiles are random
}

// Log2 is a reward function: the base 2 logarithm of the sum of merged tiles, or 0 without merges.
func Log2(merged int64) float64 { return math.Log2(float64(max(merged, 1))) }

// Channels returns the number of planes for a size: one for empty cells and one for each tile from
// 2 to the largest possible with 4s, 2^(cells+1).
func Channels(s board.Size) int { return s.Cells() + 2 }

// rules is the data shared by environments with the same options.
type rules struct {
	Options
	four            bool // boards are 4x4 and packed in nibbles
	cells           int
	observationSize int          // number of bytes of an observation
	limit           int64        // maximum number of steps of an episode
	random          *game.Random // only places tiles; each slot draws its own random numbers
	fours           uint64       // a spawn is a 4 if the lower 32 bits of its random number are less than this
}

func newRules(o Options) (rules, error) {
	o.Size = cmp.Or(o.Size, board.Size{Rows: 4, Cols: 4})
	switch {
	case !o.Size.Valid():
		return rules{}, fmt.Errorf("size %v: must be rows and columns from %d to %d", o.Size, board.MinSide, board.MaxSide)
	case math.IsNaN(o.P4) || o.P4 > 1:
		return rules{}, fmt.Errorf("probability of a 4 is %v: must be at most 1", o.P4)
	case o.MaxSteps < 0:
		return rules{}, fmt.Errorf("%d steps at most: must be 1 or more, or 0 for no limit", o.MaxSteps)
	case math.IsNaN(o.Penalty) || math.IsInf(o.Penalty, 0):
		return rules{}, fmt.Errorf("penalty %v: must be a finite number", o.Penalty)
	case o.Illegal > Terminate || o.Observation > Planes || o.Autoreset > Disabled:
		return rules{}, fmt.Errorf("options Illegal %d, Observation %d, Autoreset %d: must be constants of package env",
			o.Illegal, o.Observation, o.Autoreset)
	}
	p4 := game.ChanceOf4(o.P4)
	if o.Illegal == NoOp {
		o.Penalty = 0
	}
	r := rules{Options: o, four: o.Size == board.Size{Rows: 4, Cols: 4}, cells: o.Size.Cells()}
	r.observationSize, r.limit = r.cells, math.MaxInt64
	if o.MaxSteps > 0 {
		r.limit = int64(o.MaxSteps)
	}
	if o.Observation == Planes {
		r.observationSize *= Channels(o.Size)
	}
	r.random, r.fours = game.NewRandom(0, 0, p4), game.Fours(p4)
	return r, nil
}

// check returns an error if a board cannot occur in these environments.
func (r *rules) check(b *board.Board) error {
	if b.Size() != r.Size {
		return fmt.Errorf("a board of %v: must be %v", b.Size(), r.Size)
	}
	// The tiles 4, 8 and so on to 2^(cells+1) fill the board without a pair to merge. So no game
	// exceeds their sum, and every tile has a plane.
	if maximum := int64(1)<<Channels(r.Size) - 4; b.Sum() > maximum {
		return fmt.Errorf("the tiles of board %v sum to %d: no %v game has more than %d", b, b.Sum(), r.Size, maximum)
	}
	if b.Largest() == 0 {
		return errors.New("a board without tiles: must have at least one")
	}
	return nil
}
