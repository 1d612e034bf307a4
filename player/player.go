package player

import (
	"context"
	"encoding/json"
	"math"
	"time"

	"afterstate/board"
	"afterstate/eval"
	"afterstate/search"
	"afterstate/wire"
)

// Player chooses moves. A player serves one game at a time and is not for
// several goroutines at once; build another one for each.
type Player interface {
	// Start says that game number game of a seed begins, so that a player that
	// needs chance draws it from PCG(^seed, game), never from the spawner.
	Start(seed, game uint64)
	// Decide answers for one position. It fails only when ctx ends first, when the
	// player loses the game by a fault of its own (the error is then a *Forfeit), or
	// when it breaks for good.
	Decide(ctx context.Context, q search.Query) (Decision, error)
}

// Decision is a player's answer for one board. Its JSON is a [wire.Decision].
type Decision struct {
	search.Result
	Board   board.Board
	Player  string // the spec
	Unit    eval.Unit
	Elapsed time.Duration
	// Source says where the answer comes from: search, foresight (a search that
	// knows the tiles to come), reward, random, or bot.
	Source string
}

// Loss is how much worse than the best move a move is, 0 for the best; ok is
// false where the values do not tell.
func (d *Decision) Loss(dir board.Direction) (loss float64, ok bool) {
	m := d.Moves[dir]
	if !m.Legal || m.Bound || !finite(m.Value) || !finite(d.Best()) {
		return 0, false
	}
	return d.Best() - m.Value, true
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// MarshalJSON writes the object of [Decision.Wire].
func (d Decision) MarshalJSON() ([]byte, error) { return json.Marshal(d.Wire()) }

// Wire is the decision as the protocol has it. Elapsed is rounded to microseconds.
func (d *Decision) Wire() wire.Decision {
	out := wire.Decision{
		Board: d.Board, Player: d.Player, Unit: wire.Unit(d.Unit), Plies: d.Plies, Nodes: d.Nodes,
		ElapsedMS: float64(d.Elapsed.Microseconds()) / 1000,
		Source:    d.Source,
		Moves:     wire.MoveValues{Up: d.wire(board.Up), Right: d.wire(board.Right), Down: d.wire(board.Down), Left: d.wire(board.Left)},
	}
	if d.OK {
		out.Move = &d.Move
	}
	return out
}

func (d *Decision) wire(dir board.Direction) wire.MoveValue {
	m := d.Moves[dir]
	v := wire.MoveValue{Legal: m.Legal, Lost: m.Lost(), Bound: m.Bound}
	if m.Legal && finite(m.Value) {
		v.Value = &m.Value
	}
	if loss, ok := d.Loss(dir); ok {
		v.Loss = &loss
	}
	return v
}
