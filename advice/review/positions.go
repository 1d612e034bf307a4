package review

import (
	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Position is a board of a game with the move that was played on it.
type Position struct {
	eval.Position
	Move   int // number of moves before this one
	Played board.Direction
}

// Positions returns the positions of all moves of a game.
func Positions(g *game.Game) []Position {
	moves := g.Moves()
	all := make([]Position, moves)
	for i := moves - 1; i >= 0; i-- {
		all[i].Move, all[i].Played = i, g.Step(i).Move
		g.Undo()
		all[i].Board, all[i].Score = g.Board(), g.Score()
	}
	for range moves {
		g.Redo()
	}
	return all
}

// Choices returns a position for each legal move on a board, as if that move were played.
func Choices(p eval.Position) []Position {
	return each.Of(p.Board.Legal(), func(d board.Direction) Position { return Position{Position: p, Played: d} })
}

// Phase returns the phase of the game to which a board belongs. Its largest tile determines the phase.
func Phase(b *board.Board) protocol.GamePhase {
	i, largest := 0, b.Largest()
	for i < len(phaseEnds) && largest >= phaseEnds[i] {
		i++
	}
	return Phases[i]
}

// Phases lists the phases of a game in order.
var Phases = [...]protocol.GamePhase{
	protocol.PhaseTo512, protocol.PhaseTo2048, protocol.PhaseTo8192, protocol.PhaseTo16384, protocol.PhaseTo32768, protocol.PhaseBeyond,
}

// phaseEnds holds, for each phase but the last, the exponent of the tile that ends it.
var phaseEnds = [len(Phases) - 1]uint8{9, 11, 13, 14, 15}
