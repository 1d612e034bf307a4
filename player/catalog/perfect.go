package catalog

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/spec"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
	"github.com/afterstate2048/afterstate/search/solve"
)

// perfect is a player that looks up the exact values of the moves and makes the best move.
type perfect struct {
	spec    string
	problem solve.Problem // the problem that table solves; valid once table is set
	table   *solve.Table
}

func buildPerfect(b *builder, s *spec.Spec) (Maker, error) {
	a := b.args(s, keysOf[perfectArgs]())
	var read perfectArgs
	a.read(&read)
	p := solve.Problem{P4: read.P4, Goal: read.Goal}
	return Maker{
		P4:    p4Option(read.P4),
		New:   func() player.Player { return &perfect{spec: b.spec, problem: p} },
		Exact: solve.HasTable,
		Table: func(s board.Size) (solve.Problem, bool) {
			resized := p
			resized.Size = s
			return resized, resized.Check() == nil
		},
	}, a.finish()
}

func (*perfect) Start(_, _ uint64) {}

// Prepare opens the table for a size, or solves the size if it is small. It returns a
// *player.BoardError if the size cannot be solved, if its table is missing (the error wraps a
// *solve.MissingError), or if the table is damaged (the error wraps a *solve.DamagedError).
func (p *perfect) Prepare(ctx context.Context, size board.Size) error {
	if p.table != nil && p.problem.Size == size {
		return nil
	}
	problem := p.problem
	problem.Size = size
	if !solve.HasTable(size) {
		return &player.BoardError{Err: fmt.Errorf("%s: %w", p.spec, problem.Check())}
	}
	table, err := Tables.Table(ctx, problem)
	if err != nil {
		return unable(err)
	}
	p.table, p.problem = table, problem
	return nil
}

// unable wraps an error of a table in a player.BoardError if the table is missing or damaged or does not contain the
// board.
func unable(err error) error {
	var missing *solve.MissingError
	var damaged *solve.DamagedError
	if errors.As(err, &missing) || errors.As(err, &damaged) || errors.Is(err, solve.ErrUnreached) {
		return &player.BoardError{Err: err}
	}
	return err
}

func (p *perfect) Decide(ctx context.Context, q search.Query) (player.Decision, error) {
	d := player.Decision{Board: q.Board, Player: p.spec, Unit: eval.Points, Source: player.Exact}
	if p.problem.Goal != 0 {
		d.Unit = eval.Chance
	}
	if q.Board.Terminal() {
		return d, nil
	}
	if err := p.Prepare(ctx, q.Board.Size()); err != nil {
		return player.Decision{}, err
	}
	moves, err := p.table.Moves(&q.Board)
	if err != nil {
		return player.Decision{}, unable(fmt.Errorf("%s: %w", p.spec, err))
	}
	for dir, m := range moves {
		if m.Legal {
			d.Moves[dir] = search.MoveValue{Legal: true, Value: m.Value}
		}
	}
	d.Move, d.OK = search.BestMove(&d.Moves)
	return d, nil
}

// exactFirst plays perfectly on boards that the table contains. For other boards, which no game from the standard
// start can reach, another player chooses the move. exactFirst fails if the table has been removed or is damaged.
type exactFirst struct {
	exact    perfect
	fallback func() player.Player
	lazy     // the player that fallback creates
}

func (p *exactFirst) Prepare(ctx context.Context, size board.Size) error {
	err := p.exact.Prepare(ctx, size)
	var missing *solve.MissingError
	if errors.As(err, &missing) {
		return &player.BoardError{Err: fmt.Errorf("the table that %s plays from is gone: %w", p.exact.spec, missing)}
	}
	return err
}

// Tree implements player.Searcher with the fallback player, since a table has no tree.
func (p *exactFirst) Tree(ctx context.Context, q search.Query, o search.TreeOptions) (player.Decision, *search.Tree, error) {
	s, err := AsSearcher(p.started(p.fallback), p.exact.spec)
	if err != nil {
		return player.Decision{}, nil, err
	}
	return s.Tree(ctx, q, o)
}

func (p *exactFirst) Decide(ctx context.Context, q search.Query) (player.Decision, error) {
	if !q.Board.Terminal() {
		if err := p.Prepare(ctx, q.Board.Size()); err != nil {
			return player.Decision{}, err
		}
	}
	d, err := p.exact.Decide(ctx, q)
	if !errors.Is(err, solve.ErrUnreached) {
		return d, err
	}
	return p.started(p.fallback).Decide(ctx, q)
}

// Tables holds the solved tables, which all players share. Tables do not depend on Capabilities,
// and the library limits their memory.
var Tables solve.Library

// Standard returns the problem whose table auto uses: the expected score of the original game.
func Standard(size board.Size) solve.Problem { return problem(size, game.P4) }

func problem(size board.Size, p4 float64) solve.Problem { return solve.Problem{Size: size, P4: p4} }

// exact reports whether auto chooses its moves from a table on boards of a size.
func exact(size board.Size, p4 float64) bool {
	return solve.HasTable(size) && Solved(problem(size, p4))
}

// Solved reports whether a problem has a table. Without a cache folder only small problems have one.
func Solved(p solve.Problem) bool {
	_, cached := models.CacheFolder()
	return Tables.Has(p) && (cached || solve.Instant(p.Size))
}

// Offer returns the problem that Tables.Solve must solve to give the players of m exact values on a
// size. ok is false if they already have exact values on the size or cannot have them.
func Offer(m *Maker, size board.Size) (p solve.Problem, ok bool) {
	if m.Table == nil {
		return p, false
	}
	p, ok = m.Table(size)
	_, cached := models.CacheFolder()
	return p, ok && cached && !Tables.Has(p)
}

// Table returns the table of a problem. It reads the table from the cache; a small problem is solved in memory
// instead. The caller must not close the table.
func Table(ctx context.Context, p solve.Problem) (*solve.Table, error) {
	t, err := Tables.Table(ctx, p)
	return t, unable(err)
}

// Chances returns, for each solved goal, the chance of making the goal's tile after each move, under optimal play for
// this goal. p4 is the probability of a 4. It returns nil for a board that no game can reach.
func Chances(ctx context.Context, b board.Board, p4 float64) ([]solve.Goal, error) {
	if !solve.HasTable(b.Size()) && b.Size() != bitboard.Size {
		return nil, nil
	}
	goals, err := Tables.AskGoals(ctx, b, solve.Problem{P4: p4})
	if errors.Is(err, solve.ErrUnreached) {
		return nil, nil
	}
	return goals, unable(err)
}

// Ending returns the table of a solved ending to which the given boards belong; see
// solve.Library.Ending.
func Ending(ctx context.Context, boards []board.Board, p solve.Problem) (*solve.Table, error) {
	t, err := Tables.Ending(ctx, boards, p)
	return t, unable(err)
}

// decisions stores for which sizes auto chooses its moves from a table. It decides once for each size, so that all
// players of a Maker play the same way even if tables are added or removed meanwhile.
type decisions struct {
	p4    float64
	sizes sync.Map
}

func (d *decisions) exact(size board.Size) bool {
	uses, ok := d.sizes.Load(size)
	if !ok {
		uses, _ = d.sizes.LoadOrStore(size, exact(size, d.p4))
	}
	return uses.(bool)
}

// outdated reports whether the decision for any stored size would now be different.
func (d *decisions) outdated() (changed bool) {
	d.sizes.Range(func(size, before any) bool {
		changed = exact(size.(board.Size), d.p4) != before.(bool)
		return !changed
	})
	return changed
}
