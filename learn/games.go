package learn

import (
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// games plays the games of a training and stores boards for restarts.
type games interface {
	// player returns a function that plays the game of a number, in one goroutine.
	player() func(index uint64) outcome
	all() (words []uint64)
	fill(words []uint64)
}

// gamesOn are the games on boards of type B.
type gamesOn[B any] struct {
	*pool[B]
	t    *Trainer
	make func(*ntuple.Network, learner) *worker[B]
	// start returns the start of a game, and if it is a stored board a lower bound of the sum of its tiles, else 0. It
	// sets the worker's milestone.
	start func(g *gamesOn[B], w *worker[B], index uint64) (b B, from uint64)
}

// newGames returns the games on the boards of the trainer's network.
func newGames(t *Trainer) games {
	n, tile := t.o.Network, exponent(t.o.RestartTile)
	switch {
	case n.Walls > 0:
		return &gamesOn[bitboard.Board]{newEndingPool(n.Walls), t, newEndingWorker, startEnding}
	case n.Wide():
		return &gamesOn[board.Board]{newWidePool(n.Size, tile), t, newWideWorker, start[board.Board]}
	}
	return &gamesOn[bitboard.Board]{newPool(tile), t, newWorker, start[bitboard.Board]}
}

// start starts a game from an empty board or a stored one.
func start[B any](g *gamesOn[B], w *worker[B], _ uint64) (b B, from uint64) {
	b, w.passed = w.fresh(), -1
	if g.t.restarts(&w.learning) {
		if stored, m, ok := g.take(0, &w.other); ok {
			b, from, w.passed = stored, milestoneSum(m, exponent(g.t.o.RestartTile)), m
		}
	}
	return b, from
}

// worker returns a worker that stores boards for restarts if they are enabled.
func (g *gamesOn[B]) worker() *worker[B] {
	w := g.make(g.t.o.Network, g.t.learner)
	o := &g.t.o
	if o.Lambda > 0 {
		w.setReturn(o.Lambda, o.Horizon)
	}
	switch {
	case o.Network.Walls > 0:
		w.late = 0 // moves in endings have no reward
	case o.RestartTile > 0:
		w.late = o.RestartTile / 2
	}
	w.merged = func(b B) {
		if m, ok := g.milestone(b); ok && m > w.passed {
			w.passed = m
			g.put(m, b, &w.other)
		}
	}
	return w
}

func (g *gamesOn[B]) player() func(index uint64) outcome {
	w := g.worker()
	return func(index uint64) outcome { return g.game(w, index) }
}

// game plays one game.
func (g *gamesOn[B]) game(w *worker[B], index uint64) outcome {
	w.seed(g.t.o.Seed, index)
	b, from := g.start(g, w, index)
	o := w.play(b)
	o.from = from
	return o
}
