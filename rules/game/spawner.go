package game

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/afterstate2048/afterstate/rules/board"
)

// P4 is the original game's probability that a spawn is a 4.
const P4 = 0.1

// ChanceOf4 returns the probability that an option stands for: 0 means P4, and a negative value means 0.
func ChanceOf4(option float64) float64 { return max(0, cmp.Or(option, P4)) }

// Spawn is a new tile: its cell, row-major, and its exponent (1 for a 2, 2 for a 4).
type Spawn struct {
	Cell     int
	Exponent uint8
}

// Check returns an error unless the tile may appear on the board: a 2 or a 4 on an empty cell.
func (s Spawn) Check(b *board.Board) error {
	size := b.Size()
	switch {
	case s.Exponent != 1 && s.Exponent != 2:
		return fmt.Errorf("the new tile is %d: must be 2 or 4", board.Tile(s.Exponent))
	case s.Cell < 0 || s.Cell >= size.Cells():
		return fmt.Errorf("the new tile is on cell %d: a %v board has cells 0 to %d", s.Cell, size, size.Cells()-1)
	case b.Cell(s.Cell) != 0:
		return fmt.Errorf("the new %d is on %s, which holds %d", board.Tile(s.Exponent), CellName(size, s.Cell), board.Tile(b.Cell(s.Cell)))
	}
	return nil
}

// Spawner chooses new tiles.
type Spawner interface {
	// Spawn chooses a tile for a board with at least one empty cell, and does not change the board.
	// An error makes the move fail.
	Spawn(b *board.Board) (Spawn, error)
	// Skip changes the spawner's state as Spawn would.
	Skip()
	// State and Restore let a game undo moves.
	State() State
	Restore(State)
}

// State is the state of a spawner. Each kind of spawner uses only one of the fields.
type State struct {
	PCG  rand.PCG // used by Random
	Next int      // used by Scripted
}

// Random spawns as the original game does: on a uniformly random empty cell, a 4 with probability
// p4. Each spawn takes one Uint64 u from math/rand/v2's PCG: the cell is number (u>>32)*n>>32 of
// the n empty cells in row-major order, and the tile is a 4 if the lower 32 bits of u are below
// floor(p4 * 2^32).
type Random struct {
	pcg   rand.PCG
	fours uint64 // threshold: the tile is a 4 if the lower 32 bits are below it
}

// NewRandom returns the spawner for the game that seed and index identify. It panics unless p4 is
// from 0 to 1.
func NewRandom(seed, index uint64, p4 float64) *Random {
	if !(p4 >= 0 && p4 <= 1) {
		panic(fmt.Sprintf("game: probability of a 4 is %v, not within 0 and 1", p4))
	}
	return &Random{pcg: *rand.NewPCG(seed, index), fours: Fours(p4)}
}

// Fours returns the threshold for the lower 32 bits of a random number: below it, the tile is a 4.
func Fours(p4 float64) uint64 { return uint64(math.Floor(p4 * (1 << 32))) }

// Spawn draws the next tile. It never returns an error.
func (r *Random) Spawn(b *board.Board) (Spawn, error) {
	placed := *b
	s, _ := r.Place(&placed, r.Draw())
	return s, nil
}

// Draw returns the random number for the next spawn.
func (r *Random) Draw() uint64 { return r.pcg.Uint64() }

// Place adds a tile to a board; the random number u determines its cell and its value. Place
// returns the tile and the number of cells that are empty afterwards.
func (r *Random) Place(b *board.Board, u uint64) (s Spawn, empty int) {
	s.Exponent = 1
	if u&math.MaxUint32 < r.fours {
		s.Exponent = 2
	}
	empty = b.Empty()
	n := (u >> 32) * uint64(empty) >> 32
	s.Cell = b.PlaceNth(int(n), s.Exponent)
	return s, empty - 1
}

// Skip draws one random number and discards it.
func (r *Random) Skip() { r.Draw() }

// State returns the state of the generator.
func (r *Random) State() State { return State{PCG: r.pcg} }

// Restore sets the state of the generator.
func (r *Random) Restore(s State) { r.pcg = s.PCG }

// Scripted spawns the tiles of a list, for replays and tests.
type Scripted struct {
	Spawns []Spawn
	next   int
}

// Spawn returns the next tile of the list. It fails at the end of the list, on a cell that is
// occupied or off the board, and on a tile other than 2 and 4.
func (s *Scripted) Spawn(b *board.Board) (Spawn, error) {
	if s.next >= len(s.Spawns) {
		return Spawn{}, fmt.Errorf("the script ends after %d spawns", len(s.Spawns))
	}
	tile := s.Spawns[s.next]
	if err := tile.Check(b); err != nil {
		return Spawn{}, err
	}
	s.next++
	return tile, nil
}

// Skip skips one tile.
func (s *Scripted) Skip() { s.next++ }

// State returns the number of tiles used.
func (s *Scripted) State() State { return State{Next: s.next} }

// Restore sets the number of tiles used.
func (s *Scripted) Restore(to State) { s.next = to.Next }

// SumOfRandom returns the sum of the first n tiles of a random spawner. Merges do not change the sum, so this is also
// the sum of the tiles on a board after n spawns.
func SumOfRandom(seed, index uint64, p4 float64, n int) int64 {
	r := NewRandom(seed, index, p4)
	sum := 2 * int64(n)
	for range n {
		if r.Draw()&math.MaxUint32 < r.fours {
			sum += 2
		}
	}
	return sum
}

// Worth returns the score of a game that reached the tiles of a board with spawns of 2 only: the
// sum of (k-1) * 2^k over the tiles 2^k. The score of a real game is lower by 4 for each 4 that
// spawned.
func Worth(b *board.Board) (sum int64) {
	for i := range b.Size().Cells() {
		if k := b.Cell(i); k > 0 {
			sum += int64(k-1) << k
		}
	}
	return sum
}

// CellName returns the name of a cell as in a spreadsheet: a letter for the column, counted from the
// left, and the number of the row, counted from the top. Cell 0 is a1.
func CellName(s board.Size, cell int) string {
	return string(rune('a'+cell%s.Cols)) + strconv.Itoa(cell/s.Cols+1)
}
