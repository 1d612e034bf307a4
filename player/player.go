package player

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"time"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
	"github.com/afterstate2048/afterstate/search"
)

// Player chooses moves. A player serves one game at a time and is not safe for concurrent use;
// create one per goroutine.
type Player interface {
	// Start starts the player on a new game, which seed and game identify. A player that needs
	// random numbers draws them from PCG(^seed, game), never from the spawner.
	Start(seed, game uint64)
	// Decide returns the decision for one position. It returns an error if ctx ends first, if a fault of
	// the player forfeits the game (the error is then a *ForfeitError), or if the player is permanently
	// broken.
	Decide(ctx context.Context, q search.Query) (Decision, error)
}

// Decision is a player's decision for one board. It is encoded in JSON as a [protocol.Decision].
type Decision struct {
	search.Result
	Board  board.Board
	Player string // the player's spec
	Unit   eval.Unit
	Span   float64 // for a heuristic: value of an empty board minus value of a dead board; 0: unknown
	// Playouts is set if the values are means of playouts, otherwise nil.
	Playouts *Playouts
	Elapsed  time.Duration
	// Level is the decision of a reference player on the same board; package levels has players that play like people
	// of a given strength. Grades uses the values in Level, unless Source is Exact. If Level is nil, Grades uses the
	// values of this decision.
	Level *Decision
	// Source is the origin of the values: search, foresight (a search with future spawns), [Exact],
	// reward, playouts, random, or bot.
	Source string
}

// Playouts describes the precision of values that are means of playouts.
type Playouts struct {
	CIs    [4]stats.Interval // 95 % intervals of the values
	Errors [4]float64        // half the widths of the 95 % intervals of the losses
	// Expected is the mean of the values, weighted with the probabilities with which the player makes the moves. A
	// player that slips does not always make the best move.
	Expected float64
}

// Exact is the Source of values from a table of exact values.
const Exact = "exact"

// Loss returns by how much the value of dir is lower than that of the player's move: 0 for this move. ok is false for
// illegal moves, upper bounds, values that are not finite, and larger values, which a bot may give to other moves.
func (d *Decision) Loss(dir board.Direction) (loss float64, ok bool) {
	m := d.Moves[dir]
	if !m.Legal || m.Bound || !finite(m.Value) || !finite(d.Best()) || m.Value > d.Best() {
		return 0, false
	}
	return d.Best() - m.Value, true
}

// Unvalued reports whether the move has no value, because it is the only legal one and the player did not search.
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
		m := d.Moves[dir]
		v := protocol.MoveValue{Legal: m.Legal, Lost: m.Lost(), Bound: m.Bound}
		if m.Legal && finite(m.Value) {
			v.Value = &m.Value
		}
		if loss, ok := d.Loss(dir); ok {
			v.Loss = &loss
		}
		if g := &grades[dir]; graded && g.Class != "" {
			v.Class, v.LossShare = g.Class, stats.OrNull(g.Loss)
		}
		if l := d.Level; l != nil && m.Legal {
			v.Level = &protocol.LevelPoints{Points: l.Moves[dir].Value, CI: l.Playouts.CIs[dir]}
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

// Seer is a player that uses future spawns. The caller that runs a game passes it an oracle of the
// game's spawns before the first move. Other players never get the oracle.
type Seer interface {
	See(search.Oracle)
}

// Preparer is a player with a setup cost before its first move of a game, such as loading a
// network. Calling Prepare first keeps that cost out of the first decision; otherwise Decide does
// the preparation.
type Preparer interface {
	// Prepare prepares the player for boards of a size. It returns ctx.Err() if ctx ends first, a
	// *BoardError if the player cannot play the size, or another error that Decide would return.
	Prepare(ctx context.Context, size board.Size) error
}

// Readier is a [Preparer] that knows whether it is prepared.
type Readier interface {
	// Ready reports whether the player has already loaded what Prepare would load for boards of a
	// size. A *BoardError means that the player cannot play the size.
	Ready(size board.Size) (ready bool, err error)
}

// Searcher is a player that searches a tree and can return this tree.
type Searcher interface {
	Player
	// Tree decides as Decide does, but with the exact value of every move. It also returns the tree
	// that the decision is based on.
	Tree(ctx context.Context, q search.Query, o search.TreeOptions) (Decision, *search.Tree, error)
}

// BoardError is the error of a player that cannot play a board or its size. Err is the reason.
type BoardError struct{ Err error }

func (e *BoardError) Error() string { return e.Err.Error() }

func (e *BoardError) Unwrap() error { return e.Err }

// Wrapper is a player that decorates another one. It implements an optional interface only to
// change the behaviour of the inner player; [As] finds the other interfaces on the inner player.
type Wrapper interface {
	Player
	Unwrap() Player
}

// As returns p as a T, an optional interface such as [Seer], [Preparer], [Searcher] or [io.Closer].
// It returns p if p implements T, otherwise the first player inside p that does. A type assertion
// on p would miss interfaces that a [Wrapper] hides.
func As[T any](p Player) (t T, ok bool) {
	for p != nil {
		if t, ok = p.(T); ok {
			return t, true
		}
		w, wraps := p.(Wrapper)
		if !wraps {
			break
		}
		p = w.Unwrap()
	}
	return t, false
}

// See passes the oracle of future spawns to p if it is a [Seer].
func See(p Player, o search.Oracle) {
	if s, ok := As[Seer](p); ok {
		s.See(o)
	}
}

// Prepare prepares p if it is a [Preparer].
func Prepare(ctx context.Context, p Player, size board.Size) error {
	if slow, ok := As[Preparer](p); ok {
		return slow.Prepare(ctx, size)
	}
	return nil
}

// Ready calls the Ready method of p. It returns true for a player that is not a [Readier], since such a player loads
// nothing.
func Ready(p Player, size board.Size) (ready bool, err error) {
	if r, ok := As[Readier](p); ok {
		return r.Ready(size)
	}
	return true, nil
}

// Close releases the resources that p holds besides memory, such as a bot's process. The creator of a
// player closes it.
func Close(p Player) error {
	if c, ok := As[io.Closer](p); ok {
		return c.Close()
	}
	return nil
}

// ForfeitError reports that a player lost its game through its own fault, such as a bot that hangs. The player can
// still play other games.
type ForfeitError struct {
	Reason string // the kind of fault, in fixed wording so that forfeits can be grouped
	Detail string // details of this case, or ""
}

func (f *ForfeitError) Error() string {
	if f.Detail == "" {
		return f.Reason
	}
	return f.Reason + ": " + f.Detail
}

// Forfeited returns the forfeit in err, or nil for any other error. A forfeit is a valid result of a
// game. Once ctx has ended, Forfeited returns nil, since stopping a player may look like its fault.
func Forfeited(ctx context.Context, err error) (lost *ForfeitError) {
	if err == nil || ctx.Err() != nil || !errors.As(err, &lost) {
		return nil
	}
	return lost
}

// SpawnRule describes a spawn rule and creates the spawners of games.
type SpawnRule struct {
	Spec   string  // the rule in its shortest notation
	Random bool    // the standard rule: spawns depend on the seed only
	P4     float64 // probability of a 4 under the standard rule; game.P4 under other rules
	// Plies is the depth of the search that chooses the spawns; 0 means no search. A search depends only on the seed,
	// the game's number and the board.
	Plies int
	New   func(seed, index uint64) game.Spawner
}

// Meta returns the metadata for the record of a game that a player plays under the rule.
func (r SpawnRule) Meta(seed, index uint64, player string) record.Meta {
	m := record.Meta{Spawn: r.Spec, Seed: seed, Game: index, Player: player}
	if r.Random {
		m.Spawn, m.P4 = record.Random, r.P4
	}
	return m
}
