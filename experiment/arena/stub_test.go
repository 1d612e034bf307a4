package arena

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// ordered plays the first legal move of a list.
type ordered struct{ order [4]board.Direction }

func (o ordered) Start(_, _ uint64) {}

func (o ordered) Decide(_ context.Context, q search.Query) (player.Decision, error) {
	var d player.Decision
	for _, dir := range o.order {
		if _, _, moved := q.Board.Slide(dir); moved {
			d.Move, d.OK = dir, true
			return d, nil
		}
	}
	return d, nil
}

// chance plays a random legal move.
type chance struct{ pcg rand.PCG }

func (c *chance) Start(seed, game uint64) { c.pcg.Seed(^seed, game) }

func (c *chance) Decide(_ context.Context, q search.Query) (player.Decision, error) {
	var d player.Decision
	legal := uint64(0)
	for dir := range board.Directions {
		if _, _, moved := q.Board.Slide(board.Direction(dir)); moved {
			// Reservoir sampling: every legal move is kept with the same chance.
			legal++
			if c.pcg.Uint64()%legal == 0 {
				d.Move, d.OK = board.Direction(dir), true
			}
		}
	}
	return d, nil
}

// seer is ordered, and counts what it is shown.
type seer struct {
	ordered
	started, seen int
	closed        *int
}

func (s *seer) Start(_, _ uint64) { s.started++ }

func (s *seer) See(o search.Oracle) {
	if _, ok := o.Foresee(); ok && s.started == s.seen+1 {
		s.seen++
	}
}

func (s *seer) Decide(ctx context.Context, q search.Query) (player.Decision, error) {
	if s.seen != s.started {
		return player.Decision{}, errors.New("not shown the coming spawns")
	}
	return s.ordered.Decide(ctx, q)
}

func (s *seer) Close() error {
	*s.closed++
	return nil
}

// broken fails in one game, at its third move.
type broken struct {
	ordered
	in, game uint64
	asked    int
	fail     func(context.Context, search.Query) (player.Decision, error)
}

func (b *broken) Start(_, game uint64) { b.game, b.asked = game, 0 }

func (b *broken) Decide(ctx context.Context, q search.Query) (player.Decision, error) {
	if b.asked++; b.game == b.in && b.asked == 3 {
		return b.fail(ctx, q)
	}
	return b.ordered.Decide(ctx, q)
}

var (
	upFirst   = [4]board.Direction{board.Up, board.Right, board.Down, board.Left}
	leftFirst = [4]board.Direction{board.Left, board.Down, board.Right, board.Up}
)

func stub(name string, p func() player.Player) catalog.Maker {
	return catalog.Maker{Spec: name, New: p}
}

func stubs() []catalog.Maker {
	return []catalog.Maker{
		stub("random", func() player.Player { return &chance{} }),
		stub("up-first", func() player.Player { return ordered{upFirst} }),
		stub("left-first", func() player.Player { return ordered{leftFirst} }),
	}
}

// untimed fixes what no two runs have in common.
func untimed(r *Results) *Results {
	for _, p := range r.Players {
		for i := range p.Games {
			p.Games[i].Elapsed = time.Duration(p.Games[i].Moves) * time.Microsecond
		}
	}
	return r
}
