package review

import (
	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
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
func Phase(b *board.Board) protocol.GamePhase {
	switch largest := b.Largest(); {
	case largest < 9:
		return protocol.PhaseTo512
	case largest < 11:
		return protocol.PhaseTo2048
	}
	return protocol.PhaseBeyond
}

// Phases are the phases of a game in their order.
var Phases = [...]protocol.GamePhase{protocol.PhaseTo512, protocol.PhaseTo2048, protocol.PhaseBeyond}
