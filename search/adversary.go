package search

import (
	"context"
	"errors"
	"math"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Adversary is a game.Spawner that searches for the worst tile for the player: a 2 or a 4 on any
// empty cell, valued by minimax over the player's next Plies moves. With Friendly it takes the best
// tile. Ties go to the lowest cell, then to the 2, so it is deterministic.
type Adversary struct {
	Eval     eval.Evaluator // nil: gradient
	Plies    int            // search depth in the player's moves; 0: 1
	Friendly bool
	search   *Minimax
}

// Spawn returns the tile. It fails on a board without an empty cell.
func (a *Adversary) Spawn(b *board.Board) (game.Spawn, error) {
	if b.Empty() == 0 {
		return game.Spawn{}, errors.New("no empty cell to spawn on")
	}
	if a.search == nil {
		e := a.Eval
		if e == nil {
			var err error
			if e, err = eval.New("gradient"); err != nil {
				return game.Spawn{}, err
			}
		}
		a.search = NewMinimax(MinimaxOptions{Eval: e, AlphaBeta: true})
	}
	m := a.search
	m.limits.begin(context.Background(), 0, 0, false)
	m.clock.begin(&m.limits, checkEvery)
	layers := 2*max(a.Plies, 1) - 1
	inf := math.Inf(1)
	var chosen game.Spawn
	extreme := 0.0
	p := eval.Position{Board: *b}
	for i := range b.Size().Cells() {
		if b.Cell(i) != 0 {
			continue
		}
		for exponent := uint8(1); exponent <= 2; exponent++ {
			p.Board.Set(i, exponent)
			v := m.move(&p, layers, -inf, inf)
			if a.Friendly {
				v = -v
			}
			if chosen.Exponent == 0 || v < extreme {
				chosen, extreme = game.Spawn{Cell: i, Exponent: exponent}, v
			}
		}
		p.Board.Set(i, 0)
	}
	return chosen, nil
}

// Skip does nothing: there is no state.
func (a *Adversary) Skip() {}

// State is empty: the choice depends on the board alone.
func (a *Adversary) State() game.State { return game.State{} }

// Restore does nothing.
func (a *Adversary) Restore(game.State) {}
