package game

import (
	"iter"
	"slices"

	"github.com/afterstate2048/afterstate/rules/board"
)

// StartTiles returns the tiles of a board that can start a game: a board with exactly two tiles,
// each a 2 or a 4. ok is false for other boards.
func StartTiles(b *board.Board) (tiles []Spawn, ok bool) {
	for cell := range b.Size().Cells() {
		switch e := b.Cell(cell); {
		case e > 2:
			return nil, false
		case e > 0:
			tiles = append(tiles, Spawn{cell, e})
		}
	}
	return tiles, len(tiles) == 2
}

// StepsBetween returns all single moves, each with its spawn, that lead from one board to another,
// in the order of directions. There may be several: 2,0 becomes 2,2 by a move to the left or to the
// right.
func StepsBetween(from, to *board.Board) (steps []Step) {
	if from.Size() != to.Size() {
		return nil
	}
	for _, d := range board.Directions {
		after, _, moved := from.Slide(d)
		if !moved {
			continue
		}
		if s, ok := SpawnBetween(&after, to); ok {
			steps = append(steps, Step{d, s})
		}
	}
	return steps
}

// SpawnBetween returns the spawn, a 2 or a 4 on an empty cell, that turns the first board into the
// second. ok is false if no single spawn does.
func SpawnBetween(after, to *board.Board) (s Spawn, ok bool) {
	if after.Size() != to.Size() {
		return Spawn{}, false
	}
	for cell := range after.Size().Cells() {
		old, tile := after.Cell(cell), to.Cell(cell)
		switch {
		case old == tile:
		case old != 0 || tile > 2 || ok:
			return Spawn{}, false
		default:
			s, ok = Spawn{cell, tile}, true
		}
	}
	return s, ok
}

// PathsBetween yields the shortest sequences of moves that lead from one board to another. It
// yields nothing if these have more than maximum moves. Each move multiplies the work by about a
// hundred on a board with many empty cells. The caller owns the slices.
func PathsBetween(from, to *board.Board, maximum int) iter.Seq[[]Step] {
	return func(yield func([]Step) bool) {
		found := false
		for n := 1; n <= maximum && !found; n++ {
			for path := range PathsOf(from, to, n) {
				found = true
				if !yield(path) {
					return
				}
			}
		}
	}
}

// PathsOf yields the sequences of exactly n moves that lead from one board to another. The caller
// owns the slices.
func PathsOf(from, to *board.Board, n int) iter.Seq[[]Step] {
	return func(yield func([]Step) bool) {
		grown := to.Sum() - from.Sum()
		if from.Size() != to.Size() || grown < 2*int64(n) || grown > 4*int64(n) { // n spawns cannot add this sum
			return
		}
		paths(from, to, n, nil, func(path []Step) bool { return yield(slices.Clone(path)) })
	}
}

// paths yields the sequences of n moves that lead from one board to another, each appended to made.
// It returns false if yield returned false.
func paths(from, to *board.Board, n int, made []Step, yield func([]Step) bool) bool {
	if n == 1 {
		for _, s := range StepsBetween(from, to) {
			if !yield(append(made, s)) {
				return false
			}
		}
		return true
	}
	for _, d := range board.Directions {
		after, _, moved := from.Slide(d)
		if !moved {
			continue
		}
		for cell := range after.Size().Cells() {
			if after.Cell(cell) != 0 {
				continue
			}
			for _, exponent := range []uint8{1, 2} {
				next := after
				next.Set(cell, exponent)
				if !paths(&next, to, n-1, append(made, Step{d, Spawn{cell, exponent}}), yield) {
					return false
				}
			}
		}
	}
	return true
}

// Replica is a copy of a game that is played elsewhere, for example in a file or on a web page. The caller
// supplies each spawned tile together with its move.
type Replica struct {
	*Game
	script Scripted
}

// NewReplica returns a Replica that starts with two tiles, spawned in this order. If tiles does not
// contain exactly two, it starts from the board start.
func NewReplica(start board.Board, tiles []Spawn) (_ *Replica, err error) {
	r := &Replica{}
	o := Options{Size: start.Size(), Spawner: &r.script}
	if len(tiles) == 2 {
		r.script.Spawns = append(r.script.Spawns, tiles...)
	} else {
		o.Board = start
	}
	r.Game, err = New(o)
	return r, err
}

// Next sets the tile that the next move spawns.
func (r *Replica) Next(tile Spawn) { r.script.Spawns = append(r.script.Spawns[:r.script.next], tile) }

// Make makes the move of a step and spawns the tile of the step.
func (r *Replica) Make(step Step) error {
	r.Next(step.Spawn)
	return r.Move(step.Move)
}
