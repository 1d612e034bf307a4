package catalog_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/player/levels"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// The player level plays the games of learn.Rollouts, slips included.
func TestLevelPlaysAsRollouts(t *testing.T) {
	for _, size := range levels.Sizes() {
		for _, level := range levels.Ladder(size) {
			if level.Mean < 30_000 || soak.Wanted() { // the games of the others are long
				levelPlaysAsRollouts(t, size, &level)
			}
		}
	}
}

func levelPlaysAsRollouts(t *testing.T, size board.Size, level *levels.Level) {
	t.Helper()
	const seed, games = 5, 6
	p := maker(t, "level(mean="+level.Name+")").New()
	var scores [games]int64
	r := learn.NewRollouts(must.Get(level.Network())(t), learn.Lanes, game.P4)
	r.Slips = level.Slips
	next := uint64(0)
	r.Play(func() bool { return false }, func(g *learn.Rollout) bool {
		if next == games {
			return false
		}
		b, random := board.New(size), game.NewRandom(seed, next, game.P4)
		random.Place(&b, random.Draw())
		*g = learn.Rollout{Spawn: random.State().PCG, Tag: next}
		g.Place(&b)
		g.Slip.Seed(^uint64(seed), next)
		next++
		return true
	}, func(g *learn.Rollout) { scores[g.Tag] = g.Score })
	for index, want := range scores {
		g := newGame(t, size, seed, uint64(index))
		p.Start(seed, uint64(index))
		for !g.Over() {
			must.Do(t, g.Move(decide(t, p, query(g)).Move))
		}
		must.Equal(t, g.Score(), want, "level", level.Name, "of", size, "game", index)
	}
}

// Asked for the values of all moves, a level does not slip.
func TestLevelAsked(t *testing.T) {
	p := maker(t, "level(mean=1000)").New()
	q := query(newGame(t, bitboard.Size, 1, 0)).Exact()
	first := decide(t, p, q)
	for range soak.Pick(8, 50) {
		if d := decide(t, p, q); d.Move != first.Move {
			t.Fatalf("%v, then %v", first, d)
		}
	}
}

// A level that is stopped while it plays on says so, and does not blame the board.
func TestLevelStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := maker(t, "level").New().Decide(ctx, query(newGame(t, bitboard.Size, 1, 0)).Exact())
	if bad := new(player.BoardError); !errors.Is(err, context.Canceled) || errors.As(err, &bad) {
		t.Errorf("%T %v", err, err)
	}
}

// Not every size has levels, and the error says which do.
func TestLevelSizes(t *testing.T) {
	_, err := maker(t, "level").New().Decide(t.Context(), query(newGame(t, board.Size{Rows: 6, Cols: 6}, 1, 0)))
	must.Equal(t, fmt.Sprint(err), "6x6 boards have no levels: must be 3x4, 4x4, 4x5, 5x5")
}

// A player with the grades of a level keeps its move and values. Exact values, other sizes and
// single moves have no grades of a level.
func TestAtLevel(t *testing.T) {
	level := must.Get(levels.Parse("3000", bitboard.Size))(t)
	q := search.NewQuery(parse(t, "16,2,128,32/4,16,64,128/2,8,16,32/0,4,8,16"), 0)
	for _, spec := range []string{"snake", "greedy"} {
		plain, p := maker(t, spec).New(), catalog.AtLevel(maker(t, spec), &level).New()
		d := decide(t, p, q.Exact())
		own := decide(t, plain, q.Exact())
		if d.Move != own.Move || d.Moves != own.Moves || d.Level == nil || d.Level.Move != board.Left {
			t.Errorf("%s: %+v, alone %+v", spec, d, own)
		}
		if grades, ok := d.Grades(); !ok || grades[board.Down].Class != protocol.ClassBlunder {
			t.Errorf("%s: %+v", spec, grades)
		}
		small := search.NewQuery(parse(t, "2,4,0/64,2,4/32,8,0"), 0)
		for _, q := range []search.Query{q, small.Exact()} {
			if d := decide(t, p, q); d.Level != nil {
				t.Errorf("%s, %v: %+v", spec, q.Board, d.Level)
			}
		}
	}
	if m := catalog.AtLevel(maker(t, "greedy"), nil); decide(t, m.New(), q.Exact()).Level != nil {
		t.Error("a grade without a level")
	}
}
