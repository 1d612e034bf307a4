package search

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/yield"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Capturing a tree.
//
// A search does not store its tree, so a search without capture has no overhead. To capture a tree,
// the search first answers as usual. Then the part to be shown is built from the root, and each of
// its boards is searched again, with its remaining depth and an open window. With open windows
// pruning changes no value, so all values are exact. The values in the search's table depend on
// earlier queries, so the capture does not use it; to save time, it uses a separate table with
// exact entries.
//
// A tree grows exponentially, so three limits apply. Depth counts the player's moves. Width is the
// number of spawns captured at each board, the most informative ones (see orderSpawns). Boards is
// the total number of boards; those closest to the best line are captured first. The distance of a
// board from the best line is the sum, over the steps that lead to the board, of the step's rank
// among its alternatives. The tree counts the children that the limits left out.

// TreeOptions limits the part of a tree that is captured.
type TreeOptions struct {
	Depth  int // depth to capture, in the player's moves; 0: the depth of the search
	Width  int // maximum number of spawns at each board, chosen by orderSpawns; 0: all
	Boards int // maximum number of boards; 0: 10000
}

// Tree is the captured part of a search's tree.
type Tree struct {
	Result // the search's result, with the exact value of every move
	Root   *TreeNode
	Depth  int // captured depth, in the player's moves
	Boards int // number of captured boards

	// Children left out at captured boards: the number of spawns beyond TreeOptions.Width, and the
	// number of moves and spawns beyond TreeOptions.Boards.
	BeyondWidth, BeyondBoards int
}

// TreeNode is a board in a tree and the step that led to it.
type TreeNode struct {
	eval.Position
	Turn protocol.Turn // who acts next: the player, chance or an opponent

	// Value is the value of the step to this board. If values are in points, it includes the reward of the
	// step. At the root it is the value of the best move. Minus infinity means lost, NaN unknown.
	Value float64

	Leaf     bool // the search evaluated this board and went no deeper
	Terminal bool // no legal move
	Pruned   bool // PruneMargin dropped this board

	// The step to this board: a move or a spawn. The root has none.
	ByMove      bool
	Move        board.Direction
	Reward      int64      // reward of the move
	Spawn       game.Spawn // Exponent is 0 if the step is not a spawn
	Probability float64    // probability of the spawn; 0 if an opponent chose it

	Best   bool // the player, or the opponent, would choose this step
	Chosen bool // the board is on the chosen line, which takes a likely spawn at chance nodes

	Children        []*TreeNode // moves in order of direction, spawns from the highest value to the lowest
	OmittedChildren int         // number of children left out

	moves int     // number of the player's moves from the root
	rest  int     // number of layers of the search's tree below this board
	cut   int     // number of layers below this board that MinProb cut off
	q     float64 // probability of the line to this board, given the player's moves
}

// Lost reports whether the value is minus infinity.
func (n *TreeNode) Lost() bool { return math.IsInf(n.Value, -1) }

// expander makes the children of the boards in a search's tree.
type expander struct {
	// children returns all children with their values, in the search's order.
	children func(n *TreeNode) []*TreeNode
	// count returns the number of children of a board that is not a leaf.
	count func(n *TreeNode) int
}

// treeBoards is the default of TreeOptions.Boards.
const treeBoards = 10000

// grower grows a tree from its root, boards of the lowest rank first. The rank of a board is the
// sum, over the steps of its line, of the step's index among its alternatives.
type grower struct {
	TreeOptions
	expander
	tree  *Tree
	full  bool
	queue [][]*TreeNode // boards whose children are to be captured, by rank
}

// TerminalTree returns the tree for a board without a legal move, whose value in points is 0.
func TerminalTree(p *eval.Position) *Tree {
	root := &TreeNode{Position: *p, Turn: protocol.TurnPlayer, Best: true, Chosen: true, Terminal: true}
	return &Tree{Root: root, Boards: 1}
}

// growTree captures the tree of a result. rest is the number of layers below the root, and dead is
// the value of a root without a legal move.
func growTree(ctx context.Context, q *Query, r *Result, o TreeOptions, rest int, dead float64, e expander) (*Tree, error) {
	if o.Depth <= 0 || o.Depth > r.Plies {
		o.Depth = r.Plies
	}
	if o.Boards <= 0 {
		o.Boards = treeBoards
	}
	root := &TreeNode{Position: q.Position, Turn: protocol.TurnPlayer, Value: dead, Best: true, Chosen: true, Terminal: !r.OK, rest: rest, q: 1}
	if r.OK {
		root.Value = r.Best()
	}
	g := grower{TreeOptions: o, expander: e, tree: &Tree{Result: *r, Root: root, Depth: o.Depth, Boards: 1}}
	g.push(root, 0)
	for rank := 0; rank < len(g.queue); rank++ {
		for i := 0; i < len(g.queue[rank]); i++ {
			if err := g.grow(ctx, g.queue[rank][i], rank); err != nil {
				return nil, err
			}
		}
	}
	return g.tree, nil
}

// GivenTree captures a part of a tree that another program searched. root has all children, down to the leaves, with
// all fields but Leaf, Best and Chosen, and r is the program's decision on the board of root.
func GivenTree(ctx context.Context, root *TreeNode, r *Result, o TreeOptions) (*Tree, error) {
	given := map[*TreeNode][]*TreeNode{root: root.Children}
	of := func(n *TreeNode) []*TreeNode {
		if !n.ByMove && n.Spawn.Exponent == 0 {
			n = root
		}
		return given[n]
	}
	children := func(n *TreeNode) []*TreeNode {
		for _, c := range of(n) {
			if given[c], c.Children = c.Children, nil; len(given[c]) == 0 {
				c.cut = n.rest - 1 // c is a leaf
			}
		}
		return of(n)
	}
	count := func(n *TreeNode) int { return len(of(n)) }
	return growTree(ctx, &Query{Position: root.Position}, r, o, math.MaxInt, 0, expander{children, count})
}

func (g *grower) push(n *TreeNode, rank int) {
	for len(g.queue) <= rank {
		g.queue = append(g.queue, nil)
	}
	g.queue[rank] = append(g.queue[rank], n)
}

// grow captures the children of a board.
func (g *grower) grow(ctx context.Context, n *TreeNode, rank int) error {
	if n.rest == 0 || n.Terminal || n.Pruned || n.moves >= g.Depth && g.Depth < g.tree.Plies {
		return nil
	}
	count := g.count(n)
	shown := count
	if n.Turn != protocol.TurnPlayer && g.Width > 0 {
		shown = min(count, g.Width)
	}
	if g.full = g.full || g.tree.Boards+shown > g.Boards; g.full {
		n.OmittedChildren += count
		g.tree.BeyondBoards += count
		return nil
	}
	all := g.children(n)
	yield.Point()
	if err := ctx.Err(); err != nil {
		return err
	}
	order := g.rank(n, all)
	n.OmittedChildren += count - shown
	g.tree.BeyondWidth += count - shown
	g.tree.Boards += shown
	for k, i := range order[:shown] {
		n.Children = append(n.Children, all[i])
		g.push(all[i], rank+k)
	}
	if n.Turn == protocol.TurnPlayer {
		slices.SortFunc(n.Children, func(x, y *TreeNode) int { return cmp.Compare(x.Move, y.Move) })
	} else {
		slices.SortFunc(n.Children, func(x, y *TreeNode) int {
			return cmp.Or(cmp.Compare(y.Value, x.Value), cmp.Compare(x.Spawn.Cell, y.Spawn.Cell), cmp.Compare(x.Spawn.Exponent, y.Spawn.Exponent))
		})
	}
	return nil
}

// rank sets the depth fields of a board's children, returns the order in which they are captured,
// and marks the best child and the chosen child.
func (g *grower) rank(n *TreeNode, all []*TreeNode) []int {
	order := make([]int, len(all))
	for i, c := range all {
		order[i] = i
		c.moves, c.rest = n.moves, n.rest-1-c.cut
		if c.ByMove {
			c.moves++
		}
		if c.rest == 0 {
			c.Leaf = !c.Terminal && !c.Pruned && c.OmittedChildren == 0
		}
	}
	falling := func(x, y int) int { return cmp.Compare(all[y].Value, all[x].Value) } // NaN comes last
	switch n.Turn {
	case protocol.TurnPlayer:
		slices.SortStableFunc(order, falling)
		if n == g.tree.Root { // The move of the decision comes first, also if all are lost or another has a larger value.
			other := func(i int) int { return bit(all[i].Move != g.tree.Move) }
			slices.SortStableFunc(order, func(x, y int) int { return other(x) - other(y) })
		}
		all[order[0]].Best = !math.IsNaN(all[order[0]].Value)
	case protocol.TurnOpponent:
		slices.SortStableFunc(order, func(x, y int) int { return falling(y, x) })
		all[order[0]].Best = true
	case protocol.TurnChance:
		slices.SortStableFunc(order, falling)
		order = orderSpawns(all, order)
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

// orderSpawns orders random spawns by how informative they are. falling lists their indices in all
// from the highest value to the lowest. First comes the median of the most probable spawns, which
// represents the expectation, then the worst, the best, the second worst, and so on.
func orderSpawns(all []*TreeNode, falling []int) []int {
	maximum := 0.0
	for _, c := range all {
		maximum = max(maximum, c.Probability)
	}
	var likely []int
	for _, i := range falling {
		if all[i].Probability == maximum {
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
