package solve

import (
	"errors"
	"fmt"
	"math/bits"
	"strconv"

	"github.com/afterstate2048/afterstate/rules/board"
)

// Rule says how spawns are chosen.
type Rule string

const (
	// Random chooses spawns as the game does.
	Random Rule = "random"
	// Adversary chooses the spawn that is worst for the player, so a value is guaranteed.
	Adversary Rule = "adversary"
	// Friendly chooses the spawn that is best for the player, so a value is the best possible one.
	Friendly Rule = "friendly"
)

// Problem describes what to solve: a size or an ending, an objective and a spawn rule.
type Problem struct {
	Size board.Size
	// Goal is the tile to make; the value of a board is then the highest possible probability of
	// making it. If Goal is 0, the objective is the score; the value of a board is then the highest possible
	// expected score still to come.
	Goal int64
	// Walls, if not empty, makes the problem an ending on 4x4. It holds one or more layouts of the walls, such as
	// "####/##..", separated by spaces. Walls are the largest tiles, all different and not smaller than the goal, so
	// they do not merge before it is made.
	Walls string
	// Free lets walls move from one of the layouts, or one of its symmetric images, to another. If Free is false, a
	// move that would shift a wall is not allowed.
	Free bool
	// Spawn is the rule for all spawns, including the two start tiles. If it is empty, the rule is
	// Random.
	Spawn Rule
	// P4 is the probability that a random spawn is a 4. With the other rules either tile may spawn,
	// and P4 is ignored.
	P4 float64
}

// Extent counts the boards of a problem. Without walls, the counts are exact if the objective is the score, and upper
// bounds if it is a goal, since games then end earlier.
type Extent struct {
	Size        board.Size
	Boards      int64 // number of boards on which the player is to move, up to symmetry
	Afterstates int64 // number of afterstates, up to symmetry
	Largest     int64 // number of boards in the largest layer
}

// extents lists the sizes that can be solved. Solve finds the same numbers, as tests assert. With this list, the
// memory, disk space and time that a problem takes are known before it is solved.
var extents = []Extent{
	{board.Size{Rows: 2, Cols: 2}, 110, 67, 7},
	{board.Size{Rows: 2, Cols: 3}, 21_752, 14_883, 302},
	{board.Size{Rows: 2, Cols: 4}, 4_980_767, 3_406_686, 18_210},
	{board.Size{Rows: 3, Cols: 3}, 48_713_519, 31_431_374, 93_061},
}

// ExtentOf returns the extent of a size. A size and its transposed size, such as 2x3 and 3x2, have the same extent
// and values. ok is false for sizes that cannot be solved.
func ExtentOf(s board.Size) (e Extent, ok bool) {
	for _, e := range extents {
		if e.Size == s.Upright() {
			return e, true
		}
	}
	return Extent{}, false
}

// HasTable reports whether Solve can make a table for a size, with the values of all boards.
func HasTable(s board.Size) bool {
	_, ok := ExtentOf(s)
	return ok
}

// Check returns an error if Solve cannot make a table of the problem.
func (p Problem) Check() error {
	_, err := p.normal()
	return err
}

// normal returns the problem in its normal form: with defaults filled in, and with at most as many
// rows as columns. It returns an error if a table of the problem cannot be made.
func (p Problem) normal() (Problem, error) {
	maximum := int64(1) << maxExponent(p.Size.Cells())
	if p.Walls != "" {
		if err := p.checkWalls(); err != nil {
			return p, err
		}
		maximum = maxEndingGoal
	} else if !HasTable(p.Size) {
		return p, fmt.Errorf("size %v: must be 2x2, 2x3, 2x4 or 3x3, or one of these rotated", p.Size)
	}
	p.Size = p.Size.Upright()
	if p.Goal != 0 && (p.Goal < 8 || p.Goal > maximum || bits.OnesCount64(uint64(p.Goal)) != 1) {
		return p, fmt.Errorf("goal %d: must be a tile from 8 to %d, the largest solvable on %v", p.Goal, maximum, p.Size)
	}
	switch p.Spawn {
	case "":
		p.Spawn = Random
	case Random, Adversary, Friendly:
	default:
		return p, fmt.Errorf("spawn %q: must be random, adversary or friendly", string(p.Spawn))
	}
	if p.Spawn != Random {
		p.P4 = 0
	}
	if !(p.P4 >= 0 && p.P4 <= 1) {
		return p, errors.New("p4: must be a probability from 0 to 1")
	}
	return p, nil
}

// name returns a text that identifies the problem in file names.
func (p *Problem) name() string {
	name := p.Size.String()
	if p.Walls != "" {
		name += p.wallsName()
	}
	if p.Goal == 0 {
		name += "-score"
	} else {
		name += fmt.Sprintf("-%d", p.Goal)
	}
	if p.Spawn != Random {
		return name + "-" + string(p.Spawn)
	}
	return name + "-p" + strconv.FormatFloat(p.P4, 'g', -1, 64)
}

// goal returns the goal's exponent, or 0 if there is no goal.
func (p *Problem) goal() uint8 {
	if p.Goal == 0 {
		return 0
	}
	return uint8(bits.TrailingZeros64(uint64(p.Goal)))
}

// spawns reports whether 2s and 4s can spawn.
func (p *Problem) spawns() (twos, fours bool) {
	return p.Spawn != Random || p.P4 < 1, p.Spawn != Random || p.P4 > 0
}
