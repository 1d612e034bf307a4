package solve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// Answer holds the exact values of the moves on a board.
type Answer struct {
	Board board.Board
	Moves [4]search.MoveValue // values in points, by direction
	Goals []Goal              // in ascending order of tiles
}

// Goal holds the chance of making a tile after each move, if the player aims at this tile alone.
type Goal struct {
	Tile  int64
	Moves [4]search.MoveValue // in an ending the value is NaN for moves that the rule for walls does not allow
	Walls string              // layouts of an ending; see Problem.Walls
	Free  bool                // see Problem.Free
	Error float64             // upper bound on the error if the values are from a sample; 0: they are exact
}

// Rule returns a description of how the walls of an ending may move and, for a sample, how exact
// the values are.
func (g *Goal) Rule() string {
	rule := "walls fixed"
	if g.Free {
		rule = "walls free"
	}
	if g.Error > 0 {
		rule += fmt.Sprintf(", within %v %%", 100*g.Error)
	}
	return rule
}

// Ask returns the exact values of a board's moves. It also returns the chances of making each tile that is a solved
// goal and that is not on the board yet.
func (l *Library) Ask(ctx context.Context, b board.Board, p Problem) (Answer, error) {
	p.Size, p.Goal = b.Size(), 0
	a := Answer{Board: b}
	t, err := l.Table(ctx, p)
	if err != nil {
		return Answer{}, err
	}
	if a.Moves, err = t.Moves(&b); err != nil {
		return Answer{}, err
	}
	a.Goals, err = l.AskGoals(ctx, b, p)
	return a, err
}

// AskGoals returns the chances of making each tile that is a solved goal and that is not on the board yet.
func (l *Library) AskGoals(ctx context.Context, b board.Board, p Problem) (goals []Goal, err error) {
	p.Size = b.Size()
	if p.Size == bitboard.Size {
		return l.askEndings(ctx, b, p)
	}
	for _, goal := range Goals(p.Size) {
		p.Goal = goal
		if board.Tile(b.Largest()) >= goal || !l.Has(p) {
			continue
		}
		t, err := l.Table(ctx, p)
		if err != nil {
			return nil, err
		}
		moves, err := t.Moves(&b)
		if err != nil {
			return nil, err
		}
		goals = append(goals, Goal{Tile: goal, Moves: moves})
	}
	return goals, nil
}

// Endings returns the tables of the solved endings of 4x4: first the endings in the folder, in the
// order of Folder.endings, then the samples of other endings. It leaves out damaged files.
func (l *Library) Endings(ctx context.Context, p4 float64) (all []*Table) {
	for _, e := range l.solved(ctx) {
		if e.problem.P4 != p4 || slices.ContainsFunc(all, func(t *Table) bool { return t.Problem == e.problem }) {
			continue
		}
		if t, err := e.table(); err == nil {
			all = append(all, t)
		}
	}
	return all
}

// solved returns the solved endings: tables in the folder, in the order of Folder.endings, then samples.
func (l *Library) solved(ctx context.Context) (all []sample) {
	if folder, err := l.folder(); err == nil {
		all = each.Of(folder.endings(false), func(p Problem) sample {
			return sample{p, func() (*Table, error) { return l.Table(ctx, p) }}
		})
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Concat(all, embeddedSamples(), l.added)
}

// askEndings does what AskGoals does, for 4x4. It looks the board up in the tables of the folder,
// and in the samples of those endings for which these tables have no answer.
func (l *Library) askEndings(ctx context.Context, b board.Board, p Problem) (goals []Goal, err error) {
	for _, s := range l.solved(ctx) {
		e := s.problem
		if e.P4 != p.P4 || !e.fits(&b) || slices.ContainsFunc(goals, func(g Goal) bool { return g.Tile == e.Goal && g.Walls == e.Walls && g.Free == e.Free }) {
			continue
		}
		t, err := s.table()
		if err != nil {
			return nil, err
		}
		switch moves, err := t.Moves(&b); {
		case err == nil:
			goals = append(goals, Goal{e.Goal, moves, e.Walls, e.Free, t.largestError()})
		case !errors.Is(err, ErrUnreached):
			return nil, err
		}
	}
	slices.SortStableFunc(goals, func(a, b Goal) int { return cmp.Compare(a.Tile, b.Tile) })
	return goals, nil
}

// Ending returns the folder's table of a solved ending to which all boards belong, or nil if there
// is none. It prefers the largest goal, and among equal goals free walls. Only P4 and Free of p are
// used: P4 must match, and if Free is set, the ending must have free walls.
func (l *Library) Ending(ctx context.Context, boards []board.Board, p Problem) (*Table, error) {
	folder, err := l.folder()
	if err != nil {
		return nil, nil // no folder, so no tables
	}
	var found Problem
	for _, e := range folder.endings(p.Free) {
		fits := e.P4 == p.P4 && e.Goal > found.Goal
		for i := 0; fits && i < len(boards); i++ {
			fits = e.fits(&boards[i])
		}
		if fits {
			found = e
		}
	}
	if found.Goal == 0 {
		return nil, nil
	}
	return l.Table(ctx, found)
}

// Best returns the highest value of the moves; ok is false if no legal move has a value.
func Best(moves *[4]search.MoveValue) (best float64, ok bool) {
	d, ok := search.BestMove(moves)
	if !ok || math.IsNaN(moves[d].Value) {
		return 0, false
	}
	return moves[d].Value, true
}
