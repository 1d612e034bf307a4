package draw

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/afterstate2048/afterstate/internal/palette"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// Dimensions, in SVG user units.
const (
	tileSide = 20.0
	tileGap  = 2.0
	margin   = 28.0
	column   = 58.0 // smallest gap between two columns of boards
	widest   = 150.0
	headRoom = 104.0
	noteRoom = 12.0
	minWidth = 620.0

	scaleRoot   = 1.35 // scale of the root's board
	scaleChosen = 0.95 // scale of boards on the chosen line
	scaleOther  = 0.8  // scale of other boards in small trees
	scaleLeast  = 0.7  // scale of other boards in large trees

	tallest = 16000.0 // maximum height in pixels; taller pictures are scaled down
)

const (
	paper  = "#fdfcf8"
	ink    = "#20242c"
	faint  = "#6d7179"
	thread = "#c9c4b6" // color of edges
	answer = "#8a867b" // color of edges to choices off the chosen line
	accent = "#c2410c" // color of the chosen line
	ring   = "#c2410c"
	loss   = "#a11d1d"
)

const fonts = "ui-sans-serif,system-ui,Helvetica,Arial,sans-serif"

// svg writes one picture and holds its layout.
type svg struct {
	*Picture
	out     bytes.Buffer
	root    *item
	layers  int
	turns   []protocol.Turn // who acts after each layer
	width   float64
	height  float64
	columns []float64
	gaps    []float64 // width of the gap after each column
	other   float64   // scale of the boards that are not on the chosen line
	zoom    float64   // scale factor, smaller for large boards
}

// WriteSVG draws the tree from left to right, boards as tiles, on an opaque background.
func (p *Picture) WriteSVG(w io.Writer) error {
	s := &svg{Picture: p}
	s.arrange()
	s.open()
	s.defs()
	s.heading()
	s.edges(s.root)
	s.boards(s.root)
	s.footer()
	s.out.WriteString("</svg>\n")
	_, err := w.Write(s.out.Bytes())
	return err
}

func (s *svg) printf(format string, args ...any) { fmt.Fprintf(&s.out, format, args...) }

// arrange computes the positions of all boards.
func (s *svg) arrange() {
	s.other = max(scaleLeast, min(scaleOther, scaleOther+0.1-float64(s.Tree.Boards)/500))
	size := s.Tree.Root.Board.Size()
	s.zoom = math.Sqrt(4 / float64(max(size.Rows, size.Cols)))
	s.root = s.item(s.Tree.Root, 0)
	top, bottom := -s.root.h/2, tidy(s.root)
	gap := min(widest, max(column, (bottom-top)/25)) // wider in tall trees, whose edges would be too steep otherwise
	widths := make([]float64, s.layers)
	s.gaps = slices.Repeat([]float64{gap}, s.layers)
	s.measure(s.root, widths)
	x := margin
	for k, w := range widths {
		s.columns = append(s.columns, x)
		x += w + s.gaps[k]
	}
	place(s.root, headRoom-top, s.columns)
	const letter = 6.3 // width of a letter in the line below the title
	s.width = max(x+margin, minWidth, letter*float64(len([]rune(s.verdict()+s.facts())))+2*margin)
	s.height = headRoom + bottom - top
}

// measure computes the width of each layer's boards, and the gaps that the values beside them need.
func (s *svg) measure(it *item, widths []float64) {
	k := it.layer
	text := it.note
	if text == "" {
		widths[k] = max(widths[k], it.w)
		text = s.worth(it.node)
	}
	if len(it.children) == 0 {
		const letter, edge = 5.6, 34
		s.gaps[k] = max(s.gaps[k], letter*float64(len(text))+edge)
	}
	for _, c := range it.children {
		s.measure(c, widths)
	}
}

func (s *svg) item(n *search.TreeNode, layer int) *item {
	s.layers = max(s.layers, layer+1)
	k := s.scale(n, layer)
	size := n.Board.Size()
	it := &item{node: n, layer: layer, w: k * side(size.Cols), h: k * side(size.Rows)}
	if len(n.Children) == 0 {
		return it
	}
	it.below = noteRoom
	if layer == len(s.turns) {
		s.turns = append(s.turns, n.Turn)
	}
	for _, c := range n.Children {
		it.children = append(it.children, s.item(c, layer+1))
	}
	// The chosen line is at the top, beside the root.
	slices.SortStableFunc(it.children, func(a, b *item) int { return edgeRank(b) - edgeRank(a) })
	if n.OmittedChildren > 0 {
		it.children = append(it.children, &item{node: n, note: hidden(n), layer: layer + 1, h: noteRoom})
	}
	return it
}

func (s *svg) scale(n *search.TreeNode, layer int) float64 {
	switch {
	case layer == 0:
		return scaleRoot * s.zoom
	case n.Chosen:
		return scaleChosen * s.zoom
	}
	return s.other * s.zoom
}

// side returns the unscaled length of a row of n tiles.
func side(n int) float64 { return float64(n)*(tileSide+tileGap) + tileGap }

func (s *svg) open() {
	height := s.height + 26 + 14*float64(len(s.Omissions())) + 24
	shrink := min(1, tallest/max(height, s.width))
	title := fmt.Sprintf("Search tree of %s", s.Player)
	s.printf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img" aria-labelledby="title desc" font-family="%s" fill="%s">`+"\n",
		s.width, height, s.width*shrink, height*shrink, fonts, ink)
	s.printf("<title id=\"title\">%s</title>\n<desc id=\"desc\">%s</desc>\n", escape(title), escape(s.description()))
	s.printf(`<rect width="%.0f" height="%.0f" rx="14" fill="%s"/>`+"\n", s.width, height, paper)
}

// description returns the picture's alternative text.
func (s *svg) description() string {
	t := s.Tree
	if !t.OK {
		return fmt.Sprintf("Board %v has no legal move.", t.Root.Board)
	}
	best := &search.TreeNode{Value: t.Best()}
	return fmt.Sprintf("On board %v the best move is %v, with the value %s. %d boards are drawn.", t.Root.Board, t.Move, s.worth(best), t.Boards)
}

// defs writes the definitions that the picture reuses: the empty board, and each tile that occurs.
func (s *svg) defs() {
	var seen [64]bool
	walk(s.Tree.Root, func(n *search.TreeNode) {
		for i := range n.Board.Size().Cells() {
			seen[n.Board.Cell(i)&63] = true
		}
	})
	size := s.Tree.Root.Board.Size()
	s.printf("<defs>\n"+`<g id="b"><rect width="%g" height="%g" rx="4" fill="%s"/>`, side(size.Cols), side(size.Rows), palette.GridLight)
	for i := range size.Cells() {
		x, y := cellAt(size, i)
		s.printf(`<rect x="%g" y="%g" width="%g" height="%g" rx="2.5" fill="%s"/>`, x, y, tileSide, tileSide, palette.EmptyLight)
	}
	s.printf("</g>\n")
	for e := uint8(1); e < 64; e++ {
		if !seen[e] {
			continue
		}
		fill, color := palette.Tile(e)
		value := fmt.Sprint(board.Tile(e))
		font := min(12, 30/float64(len(value)))
		s.printf(`<g id="t%d"><rect width="%g" height="%g" rx="2.5" fill="%s"/><text x="%g" y="%.2f" font-size="%.2f" font-weight="700" text-anchor="middle" fill="%s">%s</text></g>`+"\n",
			e, tileSide, tileSide, fill, tileSide/2, tileSide/2+0.36*font, font, color, value)
	}
	s.printf(`<path id="a" d="M0 3.6V-3.4M-3 -0.6L0 -3.6L3 -0.6" fill="none" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"/>` + "\n</defs>\n")
}

func cellAt(size board.Size, i int) (x, y float64) {
	const pitch = tileSide + tileGap
	return tileGap + pitch*float64(i%size.Cols), tileGap + pitch*float64(i/size.Cols)
}

// edges draws the edges below a board, the chosen line last, so that it is on top.
func (s *svg) edges(it *item) {
	for pass := range 3 {
		s.edgesOf(it, pass)
	}
}

func (s *svg) edgesOf(it *item, pass int) {
	for _, c := range it.children {
		if edgeRank(c) == pass {
			s.edge(it, c)
		}
		s.edgesOf(c, pass)
	}
}

// edgeRank returns 2 for an edge on the chosen line, 1 for a choice at another board, and 0 for all
// other edges.
func edgeRank(it *item) int {
	switch {
	case it.note == "" && it.node.Chosen:
		return 2
	case it.note == "" && it.node.Best:
		return 1
	}
	return 0
}

func (s *svg) edge(from, to *item) {
	style := [...]string{
		`stroke="` + thread + `" stroke-width="1"`,
		`stroke="` + answer + `" stroke-width="1.6"`,
		`stroke="` + accent + `" stroke-width="3.2"`,
	}[edgeRank(to)]
	if to.note != "" || to.node.Pruned {
		style = `stroke="` + thread + `" stroke-width="1" stroke-dasharray="1 3"`
	}
	x1, x2 := from.x+from.w, to.x-3
	bend := (s.gaps[from.layer] - 24) / 2
	end := s.columns[to.layer] - 24
	s.printf(`<path d="M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1fH%.1f" fill="none" stroke-linecap="round" %s/>`+"\n",
		x1, from.y, end-bend, from.y, end-bend, to.y, end, to.y, x2, style)
}

// The layout of the tree: one column for each layer. A parent is beside its first child, so that the root is at the
// top, and each subtree is below the previous one.

// item is a box in the picture: a board, or a note on boards left out.
type item struct {
	node     *search.TreeNode // the board, or the board to which a note belongs
	note     string           // "" for a board
	layer    int
	w, h     float64 // size of the board or the note
	below    float64 // height of the value that is written under the board
	x, y     float64 // x of the left edge, y of the middle
	children []*item
}

const (
	gapSiblings = 7.0  // gap below a board without children
	gapCousins  = 14.0 // gap below a subtree
)

// tidy places all descendants of an item, each relative to its parent, and returns the lowest point of the subtree
// relative to the item.
func tidy(it *item) (bottom float64) {
	bottom = it.h/2 + it.below
	end, gap := 0.0, 0.0 // of the previous subtree
	for i, c := range it.children {
		if i > 0 {
			c.y = end + gap + c.h/2
		}
		end, gap = c.y+tidy(c), gapSiblings
		if len(c.children) > 0 {
			gap = gapCousins
		}
	}
	return max(bottom, end)
}

// place turns positions relative to the parent into absolute positions, given the left edges of the
// columns.
func place(it *item, y float64, columns []float64) {
	it.y += y
	it.x = columns[it.layer]
	for _, c := range it.children {
		place(c, it.y, columns)
	}
}
