package search

import (
	"cmp"
	"context"
	"math"
	"slices"

	"afterstate/board"
	"afterstate/eval"
	"afterstate/game"
)

// Capturing a tree.
//
// A search keeps no tree: it goes through it and forgets. To show one, the search
// first answers as it always does. Then the part of its tree that shall be shown is
// grown again from the root, and the search is asked what each board in it is
// worth, with the depth that is left there and an open window. With open windows
// pruning changes no value, so all values are exact, those of the whole unpruned
// tree, however little of it is shown; and searching itself stays as fast as it was.
// What a table gives depends on what it was asked before, so it has no part in
// this; one of the tree's own, whose answers are exact, saves time.
//
// A tree explodes, so three limits say what is shown. Depth counts the player's
// moves. Width is the number of spawns at each board, those that tell most. And
// there are at most so many boards: what is near the best line comes first, where
// near means that few players and tiles on the way did something less telling than
// the best they could. What was left out is counted.

// TreeOptions say how much of a tree is captured.
type TreeOptions struct {
	Depth  int // the player's moves; 0: as many as the search looked at
	Width  int // spawns at each board, the most telling ones; 0: all of them
	Boards int // at most; 0: 10000
}

// Turn says what comes next in a tree.
type Turn uint8

const (
	// TurnMove is the player's choice.
	TurnMove Turn = iota
	// TurnChance is a tile at random.
	TurnChance
	// TurnOpponent is the worst tile.
	TurnOpponent
)

// String is player, chance or opponent.
func (t Turn) String() string { return [...]string{"player", "chance", "opponent"}[t] }

// Tree is the part of a search's tree that was captured.
type Tree struct {
	Result // the search's answer, with the exact value of every move
	Root   *TreeNode
	Depth  int // the player's moves shown
	Boards int // captured

	// What was left out: spawns beyond the width, and moves and spawns for which
	// there was no room. They are counted at captured boards only.
	BeyondWidth, NoRoom int
}

// TreeNode is a board in a tree and the step that led to it.
type TreeNode struct {
	eval.Position
	Turn Turn // what comes next

	// Value is what the step to this board is worth; of points, those of the step
	// itself are part of it. The root's is its best move's. Minus infinity: lost;
	// NaN: not known.
	Value float64

	Leaf    bool // the search looked no further and asked its evaluator
	Dead    bool // there is no legal move
	Dropped bool // the beam did not keep this board, or the margin left out this move

	// The step: a move, a spawn, or in foresight both. The root has none.
	ByMove      bool
	Move        board.Direction
	Reward      int64      // of the move
	Spawn       game.Spawn // Exponent is 0 when there is none
	Probability float64    // of the spawn; 0 when it is the opponent's choice

	Best   bool // what the player or the opponent chooses at the board before
	Chosen bool // on the chosen line; at random tiles it follows a likely one

	Children []*TreeNode // in the order of directions, or of the spawns' values
	Hidden   int         // children left out

	moves int     // of the player's, from the root
	rest  int     // layers of the search's tree below
	cut   int     // layers that it lacks because it is not likely enough
	q     float64 // the probability of the line to it, given the player's moves
	index int32   // in foresight's layer
	ends  bool    // in foresight, all lines end before the deepest layer
}

// Lost reports whether the step loses in every way the search looked at.
func (n *TreeNode) Lost() bool { return math.IsInf(n.Value, -1) }

// expander knows what follows a board in a search's tree.
type expander interface {
	// count is how many children a board has that is no leaf.
	count(n *TreeNode) int
	// children are all of them with their values, in the search's order.
	children(n *TreeNode) []*TreeNode
}

// treeBoards is how many boards are captured at most when nobody says how many.
const treeBoards = 10000

// grower grows a tree from its root, boards with the lowest rank first: the sum of
// what stood before each step of their line among its alternatives.
type grower struct {
	TreeOptions
	expander
	ctx   context.Context
	tree  *Tree
	full  bool
	queue [][]*TreeNode // by rank
}

// growTree captures the tree that a result came from. It has so many layers below
// the root; a dead root is worth dead.
func growTree(ctx context.Context, q *Query, r *Result, o TreeOptions, rest int, dead float64, e expander) (*Tree, error) {
	if o.Depth <= 0 || o.Depth > r.Plies {
		o.Depth = r.Plies
	}
	if o.Boards <= 0 {
		o.Boards = treeBoards
	}
	root := &TreeNode{Position: q.Position, Value: dead, Best: true, Chosen: true, Dead: !r.OK, rest: rest, q: 1}
	if r.OK {
		root.Value = r.Best()
	}
	g := grower{TreeOptions: o, expander: e, ctx: ctx, tree: &Tree{Result: *r, Root: root, Depth: o.Depth, Boards: 1}}
	g.push(root, 0)
	for rank := 0; rank < len(g.queue); rank++ {
		for i := 0; i < len(g.queue[rank]); i++ {
			if err := g.grow(g.queue[rank][i], rank); err != nil {
				return nil, err
			}
		}
	}
	return g.tree, nil
}

func (g *grower) push(n *TreeNode, rank int) {
	for len(g.queue) <= rank {
		g.queue = append(g.queue, nil)
	}
	g.queue[rank] = append(g.queue[rank], n)
}

// grow captures the children of a board.
func (g *grower) grow(n *TreeNode, rank int) error {
	if n.rest == 0 || n.Dead || n.Dropped || n.moves >= g.Depth && g.Depth < g.tree.Plies {
		return nil
	}
	count := g.count(n)
	shown := count
	if n.Turn != TurnMove && g.Width > 0 {
		shown = min(count, g.Width)
	}
	if g.full = g.full || g.tree.Boards+shown > g.Boards; g.full {
		n.Hidden = count
		g.tree.NoRoom += count
		return nil
	}
	all := g.children(n)
	if err := g.ctx.Err(); err != nil {
		return err
	}
	order := g.rank(n, all)
	n.Hidden = count - shown
	g.tree.BeyondWidth += n.Hidden
	g.tree.Boards += shown
	for k, i := range order[:shown] {
		n.Children = append(n.Children, all[i])
		g.push(all[i], rank+k)
	}
	if n.Turn == TurnMove {
		slices.SortFunc(n.Children, func(x, y *TreeNode) int { return cmp.Compare(x.Move, y.Move) })
	} else {
		slices.SortFunc(n.Children, func(x, y *TreeNode) int {
			return cmp.Or(cmp.Compare(y.Value, x.Value), cmp.Compare(x.Spawn.Cell, y.Spawn.Cell), cmp.Compare(x.Spawn.Exponent, y.Spawn.Exponent))
		})
	}
	return nil
}

// rank orders a board's children, the most telling first, and marks the one that
// is chosen.
func (g *grower) rank(n *TreeNode, all []*TreeNode) []int {
	order := make([]int, len(all))
	for i, c := range all {
		order[i] = i
		c.moves, c.rest = n.moves, n.rest-1-c.cut
		if c.ByMove {
			c.moves++
		}
		if c.rest == 0 {
			c.Leaf = !c.Dead && !c.Dropped
		}
	}
	falling := func(x, y int) int { return cmp.Compare(all[y].Value, all[x].Value) } // NaN comes last
	switch n.Turn {
	case TurnMove:
		// of lost moves the one that lives on longest, as foresight has it
		slices.SortStableFunc(order, func(x, y int) int { return bit(all[x].ends) - bit(all[y].ends) })
		slices.SortStableFunc(order, falling)
		all[order[0]].Best = !math.IsNaN(all[order[0]].Value)
	case TurnOpponent:
		slices.SortStableFunc(order, func(x, y int) int { return falling(y, x) })
		all[order[0]].Best = true
	case TurnChance:
		slices.SortStableFunc(order, falling)
		order = telling(all, order)
	}
	all[order[0]].Chosen = n.Chosen
	return order
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// telling orders random spawns, which come in the order of their values: of the
// likeliest the one in the middle, which stands for what to expect, then the worst,
// the best, the second worst, and so on.
func telling(all []*TreeNode, falling []int) []int {
	most := 0.0
	for _, c := range all {
		most = max(most, c.Probability)
	}
	var likely []int
	for _, i := range falling {
		if all[i].Probability == most {
			likely = append(likely, i)
		}
	}
	middle := likely[len(likely)/2]
	order := []int{middle}
	for lo, hi := 0, len(falling)-1; lo <= hi; {
		i := falling[hi]
		if len(order)%2 == 1 {
			hi--
		} else {
			i = falling[lo]
			lo++
		}
		if i != middle {
			order = append(order, i)
		}
	}
	return order
}
