package draw

import (
	"fmt"
	"math"
	"strings"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/search"
)

// boards draws an item and its descendants.
func (s *svg) boards(it *item) {
	if it.note != "" {
		s.printf(`<text x="%.1f" y="%.1f" font-size="9" fill="%s">%s</text>`+"\n", it.x, it.y+3, faint, escape(it.note))
		return
	}
	n := it.node
	size := n.Board.Size()
	k := it.h / side(size.Rows)
	top := it.y - it.h/2
	s.printf(`<g><title>%s</title>`, escape(s.altText(n)))
	fade := ""
	if (n.Terminal || n.Lost() || n.Pruned) && it.layer > 0 {
		fade = ` opacity="0.5"`
	}
	s.printf(`<g transform="translate(%.1f,%.1f) scale(%.3g)"%s><use href="#b"/>`, it.x, top, k, fade)
	for i := range size.Cells() {
		if e := n.Board.Cell(i); e != 0 {
			x, y := cellAt(size, i)
			s.printf(`<use href="#t%d" x="%g" y="%g"/>`, e, x, y)
		}
	}
	if n.Spawn.Exponent != 0 {
		x, y := cellAt(size, n.Spawn.Cell)
		s.printf(`<rect x="%g" y="%g" width="%g" height="%g" rx="3" fill="none" stroke="%s" stroke-width="%.2g"/>`, x-0.5, y-0.5, tileSide+1, tileSide+1, ring, 1.3/k)
	}
	s.printf("</g>")
	if n.Chosen {
		s.printf(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="%.1f" fill="none" stroke="%s" stroke-width="2"/>`, it.x-1, top-1, it.w+2, it.h+2, 4*k+1, accent)
	}
	if n.Terminal || n.Lost() {
		s.lostMark(it.x+it.w-1, top+1)
	}
	s.badge(it)
	s.value(it)
	s.printf("</g>\n")
	for _, c := range it.children {
		s.boards(c)
	}
}

// altText returns the alternative text of a board.
func (s *svg) altText(n *search.TreeNode) string {
	value := s.worth(n)
	if !n.Terminal && !n.Lost() && !math.IsNaN(n.Value) {
		value = fmt.Sprintf("value %v", s.Unit.Shown(n.Value)) // not rounded
	}
	return fmt.Sprintf("%s: %s. Board %v", step(n), value, n.Board)
}

func (s *svg) lostMark(x, y float64) {
	s.printf(`<g transform="translate(%.1f,%.1f)"><circle r="6" fill="%s"/><path d="M-2.3 -2.3L2.3 2.3M-2.3 2.3L2.3 -2.3" stroke="#fff" stroke-width="1.6" stroke-linecap="round"/></g>`, x, y, loss)
}

// badge marks the end of an edge: with an arrow for a move, with the probability for a random
// spawn, with "worst" for an opponent's choice.
func (s *svg) badge(it *item) {
	n := it.node
	color := [...]string{faint, ink, accent}[edgeRank(it)]
	switch {
	case n.ByMove:
		s.printf(`<g transform="translate(%.1f,%.1f)"><circle r="7" fill="%s" stroke="%s"/><use href="#a" transform="rotate(%d)" stroke="%s"/></g>`, it.x-14, it.y, paper, color, 90*int(n.Move), color)
	case n.Spawn.Exponent == 0:
	case n.Probability > 0:
		s.printf(`<text x="%.1f" y="%.1f" font-size="8.5" text-anchor="end" fill="%s">%s</text>`, it.x-4, it.y-4, color, percent(n.Probability))
	case n.Best:
		s.printf(`<text x="%.1f" y="%.1f" font-size="8.5" text-anchor="end" fill="%s">worst</text>`, it.x-4, it.y-4, color)
	}
}

// value writes a board's value: to the right of a board without children, below other boards.
func (s *svg) value(it *item) {
	n := it.node
	color, weight := ink, ""
	if n.Terminal || n.Lost() {
		color = loss
	} else if n.Pruned {
		color = faint
	}
	if n.Chosen {
		weight = ` font-weight="700"`
	}
	if len(it.children) > 0 {
		s.printf(`<text x="%.1f" y="%.1f" font-size="10" text-anchor="middle" fill="%s"%s>%s</text>`, it.x+it.w/2, it.y+it.h/2+10.5, color, weight, s.worth(n))
		return
	}
	y := it.y + 3.5
	if n.OmittedChildren > 0 {
		y -= 6
		s.printf(`<text x="%.1f" y="%.1f" font-size="9" fill="%s">%s</text>`, it.x+it.w+6, y+12, faint, hidden(n))
	}
	s.printf(`<text x="%.1f" y="%.1f" font-size="10" fill="%s"%s>%s</text>`, it.x+it.w+6, y, color, weight, s.worth(n))
}

// heading writes the title, the result of the search, and the names of the columns.
func (s *svg) heading() {
	t := s.Tree
	// A long spec is written in a smaller font, and a very long one is truncated. A bold letter is
	// 0.58 em wide.
	name := plain(s.Player, int((s.width-2*margin)/(0.58*11)))
	size := min(19, (s.width-2*margin)/(0.58*float64(len([]rune(name)))))
	s.printf(`<text x="%g" y="40" font-size="%.1f" font-weight="700">%s</text>`+"\n", margin, size, escape(name))
	s.printf(`<text x="%g" y="60" font-size="12" fill="%s">`, margin, faint)
	if t.OK {
		s.printf(`<tspan fill="%s" font-weight="700">%s</tspan>%s`, accent, s.verdict(), escape(s.facts()))
	} else {
		s.printf("no legal move: the game is over")
	}
	s.printf("</text>\n")
	for k, x := range s.columns {
		s.printf(`<text x="%.1f" y="%g" font-size="9" letter-spacing="0.4" fill="%s">%s</text>`+"\n", x, headRoom-16, faint, s.columnName(k))
	}
}

// verdict returns the best move and its value.
func (s *svg) verdict() string {
	return s.Tree.Move.String() + ", " + s.worth(&search.TreeNode{Value: s.Tree.Best()})
}

// facts describes the search and the unit of its values.
func (s *svg) facts() string {
	values := "values: points to come"
	if s.Unit == eval.Heuristic {
		values = "values on the scale of the heuristic"
		if s.Evaluator != "" {
			values += " " + plain(s.Evaluator, 40)
		}
	}
	facts := []string{"", s.Tree.Root.Board.Size().String(), numfmt.Count(s.Tree.Plies, "ply", "plies"), numfmt.Count(int(s.Tree.Nodes), "node", "nodes"), values}
	return strings.Join(facts, "  ·  ")
}

func (s *svg) columnName(layer int) string {
	if layer == 0 {
		return "THE BOARD"
	}
	switch s.turns[layer-1] {
	case protocol.TurnOpponent:
		return "THE OPPONENT'S TILE"
	case protocol.TurnChance:
		return "A RANDOM TILE"
	}
	moves := 0
	for _, turn := range s.turns[:layer] {
		if turn == protocol.TurnPlayer {
			moves++
		}
	}
	return fmt.Sprintf("MOVE %d", moves)
}

// footer writes the legend and notes on what is not in the picture.
func (s *svg) footer() {
	y := s.height + 26
	x := margin
	s.printf(`<g font-size="10" fill="%s"><path d="M%.1f %.1fh22" stroke="%s" stroke-width="3.2" stroke-linecap="round"/><text x="%.1f" y="%.1f">the chosen line</text>`, faint, x, y-3.5, accent, x+28, y)
	x += 122
	s.printf(`<path d="M%.1f %.1fh22" stroke="%s" stroke-width="1.6"/><text x="%.1f" y="%.1f">best on other boards</text>`, x, y-3.5, answer, x+28, y)
	x += 146
	s.printf(`<rect x="%.1f" y="%.1f" width="12" height="12" rx="2" fill="none" stroke="%s" stroke-width="1.3"/><text x="%.1f" y="%.1f">the new tile</text>`, x, y-9.5, ring, x+18, y)
	x += 94
	s.lostMark(x+5, y-3.5)
	s.printf(`<text x="%.1f" y="%.1f">the game may end</text>`, x+15, y)
	for i, line := range s.Omissions() {
		s.printf(`<text x="%g" y="%.1f">%s</text>`, margin, y+18+14*float64(i), line)
	}
	s.printf("</g>\n")
}
