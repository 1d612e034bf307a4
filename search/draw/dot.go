package draw

import (
	"bytes"
	"fmt"
	"io"

	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/palette"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// WriteDOT writes the tree in Graphviz's DOT language, boards as coloured tables.
func (p *Picture) WriteDOT(w io.Writer) error {
	var out bytes.Buffer
	fmt.Fprintf(&out, "digraph tree {\n\trankdir=LR ranksep=0.6 nodesep=0.1 bgcolor=\"%s\"\n", paper)
	fmt.Fprintf(&out, "\tlabel=<%s> labelloc=t fontname=\"Helvetica\" fontcolor=\"%s\"\n", p.dotTitle(), ink)
	fmt.Fprintf(&out, "\tnode [shape=plain fontname=\"Helvetica\" fontcolor=\"%s\"]\n", ink)
	fmt.Fprintf(&out, "\tedge [arrowsize=0.5 color=\"%s\" fontname=\"Helvetica\" fontsize=10 fontcolor=\"%s\"]\n", thread, faint)
	last := -1
	p.writeDOT(&out, p.Tree.Root, &last)
	out.WriteString("}\n")
	_, err := w.Write(out.Bytes())
	return err
}

func (p *Picture) dotTitle() string {
	t := p.Tree
	title := fmt.Sprintf("<B>%s</B><BR/>", escape(p.Player))
	if !t.OK {
		return title + "no legal move"
	}
	title += fmt.Sprintf("%v, %s, %s", t.Move, p.worth(&search.TreeNode{Value: t.Best()}), numfmt.Count(t.Plies, "ply", "plies"))
	for _, line := range p.Omissions() {
		title += "<BR/>" + line
	}
	return title
}

// writeDOT writes a board and its descendants and returns its node number; last is the last number
// used.
func (p *Picture) writeDOT(out *bytes.Buffer, n *search.TreeNode, last *int) int {
	*last++
	id := *last
	fmt.Fprintf(out, "\tn%d [label=%s]\n", id, p.dotBoard(n))
	for _, c := range n.Children {
		child := p.writeDOT(out, c, last)
		fmt.Fprintf(out, "\tn%d -> n%d [label=\"%s\"%s]\n", id, child, dotStep(c), dotStyle(c))
	}
	if n.OmittedChildren > 0 {
		*last++
		fmt.Fprintf(out, "\tn%d [shape=plaintext fontsize=10 fontcolor=\"%s\" label=\"%s\"]\n\tn%d -> n%d [style=dotted arrowhead=none]\n", *last, faint, hidden(n), id, *last)
	}
	return id
}

// dotStep is the label of a step's edge.
func dotStep(n *search.TreeNode) string {
	switch {
	case n.ByMove:
		return n.Move.String()
	case n.Probability > 0:
		return percent(n.Probability)
	case n.Best:
		return "worst"
	}
	return ""
}

func dotStyle(n *search.TreeNode) string {
	switch {
	case n.Chosen:
		return fmt.Sprintf(" penwidth=3 color=\"%s\" fontcolor=\"%s\"", accent, accent)
	case n.Best:
		return fmt.Sprintf(" penwidth=1.6 color=\"%s\"", answer)
	case n.Pruned:
		return " style=dotted"
	}
	return ""
}

// dotBoard is the label of a board: a table with its value below and a border around its new tile.
func (p *Picture) dotBoard(n *search.TreeNode) string {
	var out bytes.Buffer
	size := n.Board.Size()
	grid := palette.GridLight
	if n.Chosen {
		grid = accent
	}
	fmt.Fprintf(&out, `<<TABLE BORDER="2" COLOR="%s" CELLBORDER="0" CELLSPACING="2" CELLPADDING="2" BGCOLOR="%s">`, grid, palette.GridLight)
	for i := range size.Cells() {
		if i%size.Cols == 0 {
			out.WriteString("<TR>")
		}
		e := n.Board.Cell(i)
		border := ""
		if n.Spawn.Exponent != 0 && n.Spawn.Cell == i {
			border = fmt.Sprintf(` BORDER="2" COLOR="%s"`, ring)
		}
		if e == 0 {
			fmt.Fprintf(&out, `<TD WIDTH="22" HEIGHT="20" BGCOLOR="%s"></TD>`, palette.EmptyLight)
		} else {
			fill, color := palette.Tile(e)
			fmt.Fprintf(&out, `<TD WIDTH="22" HEIGHT="20" BGCOLOR="%s"%s><FONT COLOR="%s" POINT-SIZE="10">%d</FONT></TD>`, fill, border, color, board.Tile(e))
		}
		if i%size.Cols == size.Cols-1 {
			out.WriteString("</TR>")
		}
	}
	color := ink
	if n.Terminal || n.Lost() {
		color = loss
	}
	fmt.Fprintf(&out, `<TR><TD COLSPAN="%d" BGCOLOR="%s"><FONT COLOR="%s" POINT-SIZE="11">%s</FONT></TD></TR></TABLE>>`, size.Cols, paper, color, escape(p.worth(n)))
	return out.String()
}
