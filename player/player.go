package player

import (
	"context"
	"encoding/json"
	"math"
	"time"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// Player chooses moves. A player serves one game at a time and is not safe for concurrent use;
// create one per goroutine.
type Player interface {
	// Start begins game number game of a seed. A player that needs random numbers draws them from
	// PCG(^seed, game), never from the spawner.
	Start(seed, game uint64)
	// Decide returns the decision for one position. It fails if ctx ends first, if the player loses
	// the game by its own fault (the error is then a *Forfeit), or if the player is permanently
	// broken.
	Decide(ctx context.Context, q search.Query) (Decision, error)
}

// Decision is a player's decision for one board. It is encoded in JSON as a [protocol.Decision].
type Decision struct {
	search.Result
	Board   board.Board
	Player  string // the player's spec
	Unit    eval.Unit
	Span    float64 // of a heuristic's values: that of an empty board minus that of a dead one; 0: unknown
	Elapsed time.Duration
	// Source is the origin of the values: search, foresight (a search with future spawns), [Exact],
	// reward, random, or bot.
	Source string
}

// Exact is the Source of values that were looked up in a table of exact ones.
const Exact = "exact"

// Loss returns the best move's value minus that of dir, 0 for the best; ok is false for illegal
// moves, upper bounds and values that are not finite.
func (d *Decision) Loss(dir board.Direction) (loss float64, ok bool) {
	m := d.Moves[dir]
	if !m.Legal || m.Bound || !finite(m.Value) || !finite(d.Best()) {
		return 0, false
	}
	return d.Best() - m.Value, true
}

// Unvalued reports whether the decision is the only legal move, which was not searched.
func (d *Decision) Unvalued() bool {
	return d.OK && d.Nodes == 0 && d.Plies == 0 && math.IsNaN(d.Best()) && d.Source == "search"
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// MarshalJSON encodes the result of [Decision.Wire].
func (d Decision) MarshalJSON() ([]byte, error) { return json.Marshal(d.Wire()) }

// Wire converts the decision to its protocol form. Elapsed is rounded down to microseconds.
func (d *Decision) Wire() protocol.Decision {
	grades, graded := d.Grades()
	value := func(dir board.Direction) protocol.MoveValue {
		v := d.wire(dir)
		if g := &grades[dir]; graded && g.Class != "" {
			v.Class, v.LossShare = g.Class, stats.OrNull(g.Loss)
		}
		return v
	}
	out := protocol.Decision{
		Board: d.Board, Player: d.Player, Unit: protocol.Unit(d.Unit), Plies: d.Plies, Nodes: d.Nodes,
		ElapsedMS: float64(d.Elapsed.Microseconds()) / 1000,
		Source:    d.Source,
		Moves:     protocol.MoveValues{Up: value(board.Up), Right: value(board.Right), Down: value(board.Down), Left: value(board.Left)},
	}
	if d.OK {
		out.Move = &d.Move
	}
	return out
}

func (d *Decision) wire(dir board.Direction) protocol.MoveValue {
	m := d.Moves[dir]
	v := protocol.MoveValue{Legal: m.Legal, Lost: m.Lost(), Bound: m.Bound}
	if m.Legal && finite(m.Value) {
		v.Value = &m.Value
	}
	if loss, ok := d.Loss(dir); ok {
		v.Loss = &loss
	}
	return v
}
