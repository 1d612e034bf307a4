package game

import (
	"fmt"
	"math"
	"math/rand/v2"

	"afterstate/board"
)

// P4 is the usual probability that a new tile is a 4.
const P4 = 0.1

// Spawn is a new tile: its cell, row-major, and its exponent (1 is a 2, 2 is a 4).
type Spawn struct {
	Cell     int
	Exponent uint8
}

// Spawner chooses new tiles.
type Spawner interface {
	// Spawn chooses a tile for a board that has at least one empty cell. It does
	// not change the board. An error ends the game where it stands.
	Spawn(b *board.Board) (Spawn, error)
	// Skip changes the spawner's state as Spawn would, without choosing a tile.
	Skip()
	// State and Restore let a game take moves back.
	State() State
	Restore(State)
}

// State is where a spawner stands. Which field counts is the spawner's affair.
type State struct {
	PCG  rand.PCG // of a random spawner
	Next int      // of a scripted one
}

// Random spawns as the original game does: a uniform empty cell, a 4 with
// probability p4. Each spawn takes one Uint64 u from math/rand/v2's PCG: the
// cell is number (u>>32)*n>>32 of the n empty cells in row-major order, and the
// tile is a 4 when u's lower 32 bits are below floor(p4 * 2^32).
type Random struct {
	pcg   rand.PCG
	fours uint64 // lower halves below it make a 4
}

// NewRandom is the spawner of game number index of a seed. It panics unless p4
// is a probability.
func NewRandom(seed, index uint64, p4 float64) *Random {
	if !(p4 >= 0 && p4 <= 1) {
		panic(fmt.Sprintf("game: probability of a 4 is %v, not within 0 and 1", p4))
	}
	return &Random{pcg: *rand.NewPCG(seed, index), fours: uint64(math.Floor(p4 * (1 << 32)))}
}

// Spawn draws the next tile. It never fails.
func (r *Random) Spawn(b *board.Board) (Spawn, error) {
	placed := *b
	s, _ := r.Place(&placed, r.Draw())
	return s, nil
}

// Draw takes the random number of one spawn.
func (r *Random) Draw() uint64 { return r.pcg.Uint64() }

// Place puts the tile that the random number u stands for on a board, and tells
// how many cells are still empty after it.
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

// Skip draws one number.
func (r *Random) Skip() { r.Draw() }

// State is the state of the generator.
func (r *Random) State() State { return State{PCG: r.pcg} }

// Restore goes back to a state.
func (r *Random) Restore(s State) { r.pcg = s.PCG }

// Scripted spawns a list of tiles, for replays and tests.
type Scripted struct {
	Spawns []Spawn
	next   int
}

// Spawn is the list's next tile. It fails at the list's end, on a cell that is
// taken or not on the board, and on a tile other than 2 and 4.
func (s *Scripted) Spawn(b *board.Board) (Spawn, error) {
	if s.next >= len(s.Spawns) {
		return Spawn{}, fmt.Errorf("the script ends after %d spawns", len(s.Spawns))
	}
	tile := s.Spawns[s.next]
	switch {
	case tile.Exponent != 1 && tile.Exponent != 2:
		return Spawn{}, fmt.Errorf("spawn %d is a tile of 2^%d: want 2 or 4", s.next+1, tile.Exponent)
	case tile.Cell < 0 || tile.Cell >= b.Size().Cells():
		return Spawn{}, fmt.Errorf("spawn %d is on cell %d: a %v board has cells 0 to %d", s.next+1, tile.Cell, b.Size(), b.Size().Cells()-1)
	case b.Cell(tile.Cell) != 0:
		return Spawn{}, fmt.Errorf("spawn %d is on cell %d, which holds a tile", s.next+1, tile.Cell)
	}
	s.next++
	return tile, nil
}

// Skip passes over one tile.
func (s *Scripted) Skip() { s.next++ }

// State is the number of tiles used.
func (s *Scripted) State() State { return State{Next: s.next} }

// Restore goes back to a state.
func (s *Scripted) Restore(to State) { s.next = to.Next }

// SumOfRandom is the sum of the first n tiles of a random spawner, and so the sum of the
// tiles on a board after n spawns: merges keep it.
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
