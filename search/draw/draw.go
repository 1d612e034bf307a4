package draw

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// Picture is a captured tree to render, with the texts to write above it.
type Picture struct {
	Tree      *search.Tree
	Player    string    // the player's spec
	Unit      eval.Unit // unit of the values
	Evaluator string    // name of the evaluator; may be empty
	Source    string    // player.Decision.Source
}

// Omissions returns sentences about the parts of the search's tree that are not in the picture.
func (p *Picture) Omissions() (sentences []string) {
	t := p.Tree
	if t.Depth < t.Plies {
		sentences = append(sentences, fmt.Sprintf("%d of %d plies are drawn; the values come from all of them.", t.Depth, t.Plies))
	}
	if n := t.BeyondWidth; n > 0 {
		sentences = append(sentences, fmt.Sprintf("%s not drawn: only the most informative are.", numfmt.Count(n, "spawn is", "spawns are")))
	}
	if n := t.BeyondBoards; n > 0 {
		sentences = append(sentences, fmt.Sprintf("%s not drawn, because the number of boards is limited: those farthest from the principal variation.", numfmt.Count(n, "more board is", "more boards are")))
	}
	return sentences
}

// walk visits a board and its descendants, parents first.
func walk(n *search.TreeNode, visit func(*search.TreeNode)) {
	visit(n)
	for _, c := range n.Children {
		walk(c, visit)
	}
}

// worth formats a board's value.
func (p *Picture) worth(n *search.TreeNode) string {
	known := !math.IsNaN(n.Value) && !n.Lost()
	switch {
	case n.Terminal && known && n.Value != 0:
		return "dead " + number(p.Unit.Shown(n.Value))
	case n.Terminal:
		return "dead"
	case n.Lost():
		return "may end"
	case n.Pruned:
		return "pruned"
	case !known:
		return "unknown"
	}
	return number(p.Unit.Shown(n.Value))
}

// hidden formats the number of a board's children that were left out.
func hidden(n *search.TreeNode) string {
	prefix := ""
	if len(n.Children) > 0 {
		prefix = "more "
	}
	count := numfmt.Count(n.OmittedChildren, prefix+"spawn", prefix+"spawns")
	if n.Turn == protocol.TurnPlayer {
		count = numfmt.Count(n.OmittedChildren, prefix+"move", prefix+"moves")
	}
	return "+" + count
}

// step describes the step that led to a board, in words.
func step(n *search.TreeNode) string {
	e := n.Spawn.Exponent
	switch {
	case n.ByMove:
		return n.Move.String()
	case e == 0:
		return "the board"
	}
	cols := n.Board.Size().Cols
	tile := fmt.Sprintf("a %d in row %d, column %d", board.Tile(e), n.Spawn.Cell/cols+1, n.Spawn.Cell%cols+1)
	if n.Probability > 0 && n.Probability < 1 {
		tile += " (" + percent(n.Probability) + ")"
	}
	return tile
}

func percent(p float64) string {
	if 100*p < 0.95 {
		return strconv.FormatFloat(100*p, 'f', 1, 64) + " %"
	}
	return strconv.FormatFloat(100*p, 'f', 0, 64) + " %"
}

// number formats a value with thousands separators. Larger values get fewer decimals.
func number(x float64) string {
	a := math.Abs(x)
	switch {
	case a >= 1e12:
		return strings.Replace(minus(strconv.FormatFloat(x, 'e', 8, 64)), "e+", "e", 1)
	case x == math.Trunc(x) || a >= 1e6:
		return minus(numfmt.Group(strconv.FormatFloat(x, 'f', 0, 64)))
	case a >= 1e4:
		return minus(numfmt.Group(strconv.FormatFloat(x, 'f', 1, 64)))
	}
	return minus(numfmt.Group(strconv.FormatFloat(x, 'f', 2, 64)))
}

// minus replaces the first hyphen by a minus sign.
func minus(s string) string { return strings.Replace(s, "-", "−", 1) }

// plain replaces characters that XML does not allow and shortens a text to at most maximum runes.
func plain(s string, maximum int) string {
	runes := []rune(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == unicode.ReplacementChar {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, " ")))
	if len(runes) > maximum {
		runes = append(runes[:maximum-1], '…')
	}
	return string(runes)
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

// escape escapes a text for XML.
func escape(s string) string { return escaper.Replace(plain(s, 400)) }

// WriteJSON writes the tree as one object on one line.
func (p *Picture) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(p.Wire())
}

// Wire returns the tree as a protocol message.
func (p *Picture) Wire() protocol.Tree {
	t := p.Tree
	out := protocol.Tree{
		Board: t.Root.Board, Player: p.Player, Unit: protocol.Unit(p.Unit), Plies: t.Plies, Nodes: t.Nodes, Source: p.Source,
		Depth: t.Depth, Boards: t.Boards, Omitted: protocol.Omitted{BeyondWidth: t.BeyondWidth, BeyondBoards: t.BeyondBoards}, Tree: wireNode(t.Root),
	}
	if t.OK {
		out.Move = &t.Move
	}
	return out
}

func wireNode(n *search.TreeNode) *protocol.TreeNode {
	j := &protocol.TreeNode{
		Board: n.Board, Score: n.Score, Turn: n.Turn, Lost: n.Lost(),
		Leaf: n.Leaf, Terminal: n.Terminal, Pruned: n.Pruned, Best: n.Best, Chosen: n.Chosen,
		Probability: n.Probability, OmittedChildren: n.OmittedChildren,
	}
	if !math.IsNaN(n.Value) && !math.IsInf(n.Value, 0) {
		j.Value = &n.Value
	}
	if n.ByMove {
		j.Move, j.Reward = &n.Move, &n.Reward
	}
	if e := n.Spawn.Exponent; e != 0 {
		cols := n.Board.Size().Cols
		j.Spawn = &protocol.SpawnAt{Row: n.Spawn.Cell / cols, Col: n.Spawn.Cell % cols, Tile: board.Tile(e)}
	}
	j.Children = each.Of(n.Children, wireNode)
	return j
}
