package player

import (
	"context"
	"encoding/json"
	"math"
	"time"

	"afterstate/board"
	"afterstate/eval"
	"afterstate/search"
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

// Seer is a player that knows the tiles to come. Whoever runs a game gives it
// the game's spawner before the first move; no other player ever sees it.
type Seer interface {
	See(search.Oracle)
}

// Decision is a player's answer for one board, the same in Go, JSON and RPC.
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

type jsonMove struct {
	Legal bool     `json:"legal"`
	Value *float64 `json:"value"`
	Lost  bool     `json:"lost"`
	Loss  *float64 `json:"loss"`
	Bound bool     `json:"bound,omitempty"`
}

type jsonMoves struct {
	Up    jsonMove `json:"up"`
	Right jsonMove `json:"right"`
	Down  jsonMove `json:"down"`
	Left  jsonMove `json:"left"`
}

type jsonDecision struct {
	Board     board.Board      `json:"board"`
	Player    string           `json:"player"`
	Move      *board.Direction `json:"move"`
	Moves     jsonMoves        `json:"moves"`
	Unit      eval.Unit        `json:"unit"`
	Plies     int              `json:"plies"`
	Nodes     int64            `json:"nodes"`
	ElapsedMS float64          `json:"elapsed_ms"`
	Source    string           `json:"source"`
}

// MarshalJSON writes board, player, move (null when there is none), moves by
// direction, unit, plies, nodes, elapsed_ms and source. A move's value is null
// when it is illegal, lost or not known; its loss where the values do not tell;
// bound is present and true where the value is only an upper bound.
func (d Decision) MarshalJSON() ([]byte, error) {
	out := jsonDecision{
		Board: d.Board, Player: d.Player, Unit: d.Unit, Plies: d.Plies, Nodes: d.Nodes,
		ElapsedMS: float64(d.Elapsed.Microseconds()) / 1000,
		Source:    d.Source,
	}
	if d.OK {
		out.Move = &d.Move
	}
	out.Moves = jsonMoves{d.json(board.Up), d.json(board.Right), d.json(board.Down), d.json(board.Left)}
	return json.Marshal(out)
}

func (d *Decision) json(dir board.Direction) jsonMove {
	m := d.Moves[dir]
	j := jsonMove{Legal: m.Legal, Lost: m.Lost(), Bound: m.Bound}
	if m.Legal && finite(m.Value) {
		j.Value = &m.Value
	}
	if loss, ok := d.Loss(dir); ok {
		j.Loss = &loss
	}
	return j
}
