package search

import (
	"context"

	"github.com/afterstate2048/afterstate/eval"
)

// survive chooses the move if all moves are lost: the one after which the player is most likely to
// survive, according to a search to the depth of the result, or less if it reaches survivalNodes. Spawns in
// this search are random, a 4 with probability p4. Ties go to the lowest direction.
func (r *Result) survive(ctx context.Context, p *eval.Position, p4 float64) {
	if !r.OK || !r.Moves[r.Move].Lost() {
		return
	}
	dead := 0.0
	s := NewExpectimax(ExpectimaxOptions{Eval: alive{}, DeathValue: &dead, Leaf: LeafSpawn, Plies: r.Plies, Nodes: survivalNodes, P4: p4})
	if chances, err := s.Search(ctx, NewQuery(p.Board, 0).Exact()); err == nil {
		r.Move = chances.Move
	}
}

// survivalNodes limits the search of survive to about 10 ms. A board whose moves are all lost is nearly
// full, so a search of three plies does not reach the limit.
const survivalNodes = 100_000

// alive gives every board the value 1. With dead boards worth 0, the expected value is the chance to survive.
type alive struct{}

func (alive) Value(*eval.Position) float64 { return 1 }
func (alive) Unit() eval.Unit              { return eval.Heuristic }
func (alive) Symmetric() bool              { return true }
