package search

import (
	"context"
	"math"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// treeTable is the maximal size, in bytes, of the table that a capture uses.
const treeTable = 64 << 20

// Tree searches as Search does and captures the tree of the result, to the depth that the search
// reached under its limits. Moves that PruneMargin dropped are marked as Pruned. Values are
// computed without the search's table.
func (s *Expectimax) Tree(ctx context.Context, q Query, o TreeOptions) (*Tree, error) {
	q.All = true
	r, err := s.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	s.limits.begin(ctx, 0, 0, false)
	s.clock.begin(&s.limits, checkEvery)
	if table := s.table; table != nil {
		s.table = newTable(min(s.o.TT, treeTable), true)
		s.table.age()
		defer func() { s.table = table }()
	}
	e := s.expander(&r)
	e.move = func(n *TreeNode, d board.Direction, layers int) float64 {
		p := s.searched(&n.Position)
		return s.move(&p, d, (layers+1)/2, n.q, math.Inf(-1), math.Inf(1))
	}
	e.spawned = func(n *TreeNode, layers int) float64 {
		p := s.searched(&n.Position)
		return s.spawned(&p, (layers+1)/2, n.q, math.Inf(-1), math.Inf(1))
	}
	return s.capture(ctx, &q, &r, o, e)
}

// Tree captures the same tree as Expectimax.Tree, with equal values.
func (s *Expectimax4) Tree(ctx context.Context, q Query, o TreeOptions) (*Tree, error) {
	_, ranks, ok := s.pack(&q.Position)
	if !ok {
		return s.reference.Tree(ctx, q, o)
	}
	r, err := s.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	w := s.searcher
	w.table = nil
	if s.table != nil && s.o.MinProb == 0 { // without MinProb an exact table changes no value
		w.table = newTable4(min(s.o.TT, treeTable))
		w.table.exact = true
		w.table.age()
	}
	s.limits.begin(ctx, 0, 0, false)
	w.begin(&s.limits)
	e := s.reference.expander(&r)
	e.move = func(n *TreeNode, d board.Direction, layers int) float64 {
		var after [4]bitboard.Afterstate
		w.afterstates(packAs(&n.Board, &ranks), &after)
		return float64(after[d].Reward) + w.after(after[d].Board, (layers+1)/2-1, n.q)
	}
	e.spawned = func(n *TreeNode, layers int) float64 {
		b := packAs(&n.Board, &ranks)
		if layers == 0 {
			return w.alive(b)
		}
		return w.choice(b, (layers+1)/2, n.q)
	}
	return s.reference.capture(ctx, &q, &r, o, e)
}

// expander returns the spawnTree for a result. The caller must set its functions move and spawned.
func (s *Expectimax) expander(r *Result) *spawnTree {
	e := &spawnTree{turn: protocol.TurnChance, p2: s.p2, p4: s.p4, root: r, minProb: s.o.MinProb}
	if s.o.Leaf == LeafSpawn {
		e.leaves = 1
	}
	if s.o.PruneMargin > 0 {
		e.prunedMoves = s.prunedMoves
	}
	return e
}

// prunedMoves reports for each direction whether PruneMargin drops the move on a board of a tree.
func (s *Expectimax) prunedMoves(n *TreeNode) (out [4]bool) {
	if !s.prunesMoves((n.rest+1)/2, n.q) {
		return out
	}
	var all [4]board.Afterstate
	p := s.searched(&n.Position)
	p.Board.Afterstates(&all)
	kept := all
	gains := s.gains(&p.Board, &all)
	s.pruneMoves(&p, &kept, &gains)
	for d := range all {
		out[d] = all[d].Moved && !kept[d].Moved
	}
	return out
}

// capture grows the tree of a result. If the search used a table, capture first computes the values
// of the root moves again without it.
func (s *Expectimax) capture(ctx context.Context, q *Query, r *Result, o TreeOptions, e *spawnTree) (*Tree, error) {
	layers := max(2*r.Plies-1+e.leaves, 0)
	if s.o.TT > 0 && r.OK {
		root := &TreeNode{Position: q.Position, Turn: protocol.TurnPlayer, q: 1}
		for d := range r.Moves {
			if m := &r.Moves[d]; m.Legal {
				m.Value = e.move(root, board.Direction(d), layers)
			}
		}
		r.Move, r.OK = BestMove(&r.Moves)
		r.survive(ctx, &q.Position, s.o.P4)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return growTree(ctx, q, r, o, layers, s.dead, e.expander())
}

// Tree searches as Search does and captures the tree of the result, to the layer that the search
// reached under its limits.
func (m *Minimax) Tree(ctx context.Context, q Query, o TreeOptions) (*Tree, error) {
	q.All = true
	r, err := m.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	m.limits.begin(ctx, 0, 0, false)
	m.clock.begin(&m.limits, checkEvery)
	e := &spawnTree{
		turn: protocol.TurnOpponent, p2: 1, p4: 1, root: &r,
		move: func(n *TreeNode, d board.Direction, layers int) float64 {
			after, reward, _ := n.Board.Slide(d)
			next := eval.Position{Board: after, Score: n.Score + reward}
			return m.gain(reward) + m.spawn(&next, layers-1, math.Inf(-1), math.Inf(1))
		},
		spawned: func(n *TreeNode, layers int) float64 {
			return m.move(&n.Position, layers, math.Inf(-1), math.Inf(1))
		},
	}
	return growTree(ctx, &q, &r, o, m.layers+1, m.dead, e.expander())
}

// spawnTree expands the trees of Expectimax and Minimax, in which the player's moves alternate with
// spawns. Every step down is one layer; a board with no layer below is a leaf.
type spawnTree struct {
	turn   protocol.Turn // kind of the nodes that moves lead to
	p2, p4 float64
	root   *Result
	// move returns the value of a legal move on a board, and spawned the value of a post-spawn
	// board. layers is the number of layers below that board.
	move    func(n *TreeNode, d board.Direction, layers int) float64
	spawned func(n *TreeNode, layers int) float64

	minProb     float64                   // afterstates on less probable lines are leaves
	leaves      int                       // layers below such a leaf: 1 with LeafSpawn, else 0
	prunedMoves func(n *TreeNode) [4]bool // reports the moves that are not searched; nil: all are searched
}

func (t *spawnTree) expander() expander { return expander{t.children, t.count} }

func (t *spawnTree) count(n *TreeNode) int {
	if n.Turn == protocol.TurnPlayer {
		return len(n.Board.Legal())
	}
	return n.Board.Empty() * (bit(t.p2 > 0) + bit(t.p4 > 0))
}

func (t *spawnTree) children(n *TreeNode) []*TreeNode {
	if n.Turn != protocol.TurnPlayer {
		return t.spawns(n)
	}
	var out [4]bool
	if t.prunedMoves != nil && n.moves > 0 {
		out = t.prunedMoves(n)
	}
	return eachMove(n, func(c *TreeNode) {
		c.Turn = t.turn
		if c.q = n.q; c.q < t.minProb {
			c.cut = max(n.rest-1-t.leaves, 0)
		}
		switch {
		case n.moves == 0:
			c.Value = t.root.Moves[c.Move].Value // already known
		case out[c.Move]:
			c.Value, c.Pruned = math.NaN(), true
		default:
			c.Value = t.move(n, c.Move, n.rest)
		}
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
			c := &TreeNode{Position: n.Position, Spawn: game.Spawn{Cell: i, Exponent: uint8(e)}, Turn: protocol.TurnPlayer}
			c.Board.Set(i, uint8(e))
			c.Terminal = c.Board.Terminal()
			c.q = n.q * p / empty
			c.Value = t.spawned(c, n.rest-1)
			if t.turn == protocol.TurnChance {
				c.Probability = p / empty
			}
			all = append(all, c)
		}
	}
	return all
}

// eachMove makes a child for each legal move; fill completes each child.
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
