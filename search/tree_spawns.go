package search

import (
	"context"
	"math"

	"afterstate/board"
	"afterstate/eval"
	"afterstate/game"
)

// Tree searches as Search does and captures the tree the answer came from, to the
// depth that the search reached under its limits.
func (s *Expectimax) Tree(ctx context.Context, q Query, o TreeOptions) (*Tree, error) {
	q.All = true
	r, err := s.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	s.clock = newClock(ctx, 0, 0)
	layers := 2*r.Plies - 1
	if s.o.Leaf == LeafSpawn {
		layers++
	}
	e := &spawnTree{
		turn: TurnChance, p2: s.p2, p4: s.p4, root: &r,
		move: func(p *eval.Position, d board.Direction, layers int) float64 {
			return s.move(p, d, (layers+1)/2, math.Inf(-1), math.Inf(1))
		},
		spawned: func(p *eval.Position, layers int) float64 {
			return s.spawned(p, (layers+1)/2, math.Inf(-1), math.Inf(1))
		},
	}
	return growTree(ctx, &q, &r, o, max(layers, 0), s.dead, e)
}

// Tree searches as Search does and captures the tree the answer came from, to the
// layer that the search reached under its limits.
func (m *Minimax) Tree(ctx context.Context, q Query, o TreeOptions) (*Tree, error) {
	q.All = true
	r, err := m.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	m.clock = newClock(ctx, 0, 0)
	e := &spawnTree{
		turn: TurnOpponent, p2: 1, p4: 1, root: &r,
		move: func(p *eval.Position, d board.Direction, layers int) float64 {
			after, reward, _ := p.Board.Slide(d)
			next := eval.Position{Board: after, Score: p.Score + reward}
			return m.gain(reward) + m.spawn(&next, layers-1, math.Inf(-1), math.Inf(1))
		},
		spawned: func(p *eval.Position, layers int) float64 {
			return m.move(p, layers, math.Inf(-1), math.Inf(1))
		},
	}
	return growTree(ctx, &q, &r, o, m.layers+1, m.dead, e)
}

// spawnTree expands the trees of expectimax and minimax, in which the player's
// moves take turns with all the spawns. Every step down is one layer: with none
// left a board is a leaf.
type spawnTree struct {
	turn   Turn // whose turn it is after a move
	p2, p4 float64
	root   *Result
	// move is what a legal move is worth, and spawned what a board after a spawn is,
	// with so many layers below the board given.
	move    func(p *eval.Position, d board.Direction, layers int) float64
	spawned func(p *eval.Position, layers int) float64
}

func (t *spawnTree) count(n *TreeNode) int {
	if n.Turn == TurnMove {
		return countMoves(n)
	}
	return n.Board.Empty() * (bit(t.p2 > 0) + bit(t.p4 > 0))
}

func (t *spawnTree) children(n *TreeNode) []*TreeNode {
	if n.Turn != TurnMove {
		return t.spawns(n)
	}
	return eachMove(n, func(c *TreeNode) {
		c.Turn = t.turn
		if n.moves == 0 {
			c.Value = t.root.Moves[c.Move].Value // known already
			return
		}
		c.Value = t.move(&n.Position, c.Move, n.rest)
	})
}

func (t *spawnTree) spawns(n *TreeNode) (all []*TreeNode) {
	empty := float64(n.Board.Empty())
	for i := range n.Board.Size().Cells() {
		if n.Board.Cell(i) != 0 {
			continue
		}
		for e, p := range []float64{1: t.p2, 2: t.p4} {
			if p == 0 {
				continue
			}
			c := &TreeNode{Position: n.Position, Spawn: game.Spawn{Cell: i, Exponent: uint8(e)}, Turn: TurnMove}
			c.Board.Set(i, uint8(e))
			c.Dead = c.Board.Dead()
			c.Value = t.spawned(&c.Position, n.rest-1)
			if t.turn == TurnChance {
				c.Probability = p / empty
			}
			all = append(all, c)
		}
	}
	return all
}

// eachMove makes a child of each legal move, which fill completes.
func eachMove(n *TreeNode, fill func(*TreeNode)) (all []*TreeNode) {
	var after [4]board.Afterstate
	n.Board.Afterstates(&after)
	for d := range after {
		if a := &after[d]; a.Moved {
			c := &TreeNode{ByMove: true, Move: board.Direction(d), Reward: a.Reward}
			c.Board, c.Score = a.Board, n.Score+a.Reward
			fill(c)
			all = append(all, c)
		}
	}
	return all
}

func countMoves(n *TreeNode) (count int) {
	var after [4]board.Afterstate
	n.Board.Afterstates(&after)
	for d := range after {
		count += bit(after[d].Moved)
	}
	return count
}
