package odds

import (
	"context"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/yield"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// playFast plays games by the network. Games with tiles that do not fit into a bitboard are finished
// by the player, whose moves are the same.
func (w *worker) playFast(ctx context.Context) (err error) {
	finish := func(number uint64, move board.Direction, g *unfinished, random *game.Random) {
		if err == nil {
			err = w.finish(ctx, number, move, g, random)
		}
	}
	stop := func() bool {
		yield.Point()
		return err != nil || ctx.Err() != nil || w.c.over()
	}
	next := func(r *learn.Rollout) bool {
		for !stop() {
			number, move, ok := w.c.take()
			if !ok {
				return false
			}
			g, random := w.e.begin(number, move)
			if r.Board, ok = ntuple.Pack(&g.at.Board); !ok {
				finish(number, move, &g, random)
				continue
			}
			r.Spawn, r.Score, r.Moves = random.State().PCG, g.at.Score, g.moves
			r.Until, r.Least = g.until, Soon
			r.Tag = number<<2 | uint64(move)
			return true
		}
		return false
	}
	done := func(r *learn.Rollout) {
		number, move := r.Tag>>2, board.Direction(r.Tag&3)
		g := unfinished{at: eval.Position{Board: ntuple.Unpack(r.Board, w.e.network.Size), Score: r.Score}, moves: r.Moves, until: r.Until}
		if r.End != learn.TooLarge {
			w.c.deliver(number, move, g.outcome(r.End == learn.GameOver))
			return
		}
		random := game.NewRandom(w.e.o.Seed, number, w.e.o.P4)
		random.Restore(game.State{PCG: r.Spawn})
		finish(number, move, &g, random)
	}
	w.fast.Play(stop, next, done)
	return err
}
