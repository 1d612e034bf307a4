package review

import (
	"afterstate/board"
	"afterstate/eval"
	"afterstate/game"
	"afterstate/wire"
)

// Position is a board of a game with the move that was made on it.
type Position struct {
	eval.Position
	Move   int // number of moves before it
	Played board.Direction
}

// Positions returns the positions of all moves of a game.
func Positions(g *game.Game) []Position {
	again := g.Moves()
	all := make([]Position, again)
	for i := again - 1; i >= 0; i-- {
		all[i].Move, all[i].Played = i, g.Step(i).Move
		g.Undo()
		all[i].Board, all[i].Score = g.Board(), g.Score()
	}
	for range again {
		g.Redo()
	}
	return all
}

// Phase returns the phase of the game that a board belongs to, by its largest tile.
func Phase(b *board.Board) wire.GamePhase {
	switch largest := b.Largest(); {
	case largest < 9:
		return wire.PhaseTo512
	case largest < 11:
		return wire.PhaseTo2048
	}
	return wire.PhaseBeyond
}

// Phases are the phases of a game in their order.
var Phases = [...]wire.GamePhase{wire.PhaseTo512, wire.PhaseTo2048, wire.PhaseBeyond}

// Worth is the score of a game whose spawns were all 2s with the tiles of a board: the sum of
// (k-1) * 2^k over the tiles 2^k. The score of a real game is lower by 4 for each 4 that spawned.
func Worth(b *board.Board) int64 {
	var sum int64
	for i := range b.Size().Cells() {
		if k := b.Cell(i); k > 0 {
			sum += int64(k-1) << k
		}
	}
	return sum
}

// endsGame reports whether the game is over after a move to an afterstate, whatever spawns. This takes
// a board with one empty cell: if there are two, one is still empty after the spawn.
func endsGame(after *board.Board) bool {
	if after.Empty() != 1 {
		return false
	}
	for k := uint8(1); k <= 2; k++ {
		spawned := *after
		spawned.PlaceNth(0, k)
		if !spawned.Terminal() {
			return false
		}
	}
	return true
}
