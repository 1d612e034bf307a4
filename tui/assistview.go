package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"afterstate/board"
)

// assistKeys, overKeys and dueKeys are the keys in the footer, the most important first: before a
// move, at the end, and while a tile is due.
var (
	assistKeys = []string{"enter best move", "arrows other", "u undo", "? keys", "q quit", "tab edit"}
	overKeys   = []string{"u undo", "tab edit", "q quit", "? keys"}
	dueKeys    = []string{"key in the cell", "Shift: a 4", "u undo", "? keys", "q quit", "tab edit"}
)

var assistHelp = []string{
	"Keys",
	"",
	"best move   enter or space",
	"other move  arrows, WASD or HJKL",
	"new tile    the key in its cell: a 2",
	"            again, or with Shift: a 4",
	"undo        u or backspace",
	"edit        tab, or paste a board",
	"quit        q",
	"",
	"Any key closes this.",
}

// View renders the board with the advice.
func (m *assist) View() tea.View {
	keys := assistKeys
	switch {
	case m.game.Due() > 0:
		keys = dueKeys
	case m.game.Over():
		keys = overKeys
	}
	c := m.view(m.game.Board(), m.panel, keys, assistHelp)
	v := tea.NewView(c.String())
	v.AltScreen = true
	v.WindowTitle = "2048: " + m.headline()
	return v
}

// headline returns what to do next.
func (m *assist) headline() string {
	switch d := m.hint.decision; {
	case m.game.Due() > 1:
		return "Where are the first tiles?"
	case m.game.Due() > 0:
		return "Where is the new tile?"
	case m.game.Over():
		return "No moves left"
	case m.hint.current && m.hint.err != nil:
		return "No advice"
	case m.hint.current && d != nil && d.OK:
		return "Best move: " + d.Move.String()
	}
	return "Thinking"
}

// panel writes everything except the board, and dialogs over the board.
func (m *assist) panel(c *canvas, l layout) {
	b := m.game.Board()
	if m.game.Due() > 0 {
		l.labels(c, m.theme, &b)
	}
	p := &column{c: c, rect: l.panel}
	if l.beside {
		m.panelBeside(p)
	} else {
		m.panelBelow(c, p, l)
	}
	if m.editing && !m.help {
		m.editor(c, l)
	}
}

// labels writes the keys of the empty cells into them.
func (l *layout) labels(c *canvas, t *theme, b *board.Board) {
	cols := b.Size().Cols
	for i := range b.Size().Cells() {
		if b.Cell(i) == 0 {
			x, y := l.x+1+i%cols*l.cols+(l.cols-2)/2, l.y+i/cols*l.lines+l.lines/2
			c.text(x, y, t.tinted(t.label), tileKeys[i:i+1])
		}
	}
}

func (m *assist) panelBeside(p *column) {
	t := m.theme
	b := m.game.Board()
	head := t.bold()
	if m.hint.current && m.game.Due() == 0 {
		head = t.tinted(t.green)
	}
	p.line(head, m.headline())
	if m.game.Due() > 0 {
		p.paragraph(t.dim(), "Press the key in its cell: a 2. Again, or with Shift: a 4.", 3)
	} else {
		p.line(t.dim(), fmt.Sprintf("%v, largest tile %d", b.Size(), board.Tile(b.Largest())))
		p.line(t.dim(), m.newest())
	}
	p.line(style{}, "")
	m.hint.draw(p, t, m.o.Player.Spec, m.game.Due() > 0 || m.game.Over())
	p.line(style{}, "")
	m.note(p, max(p.left(), 1))
}

// note writes the message, unless the editor shows it.
func (m *assist) note(p *column, most int) {
	switch {
	case m.editing:
	case m.failure:
		p.paragraph(m.theme.tinted(m.theme.red), m.message, most)
	default:
		p.paragraph(style{}, m.message, most)
	}
}

// newest returns how to correct the tile that was just entered.
func (m *assist) newest() string {
	s, ok := m.game.Newest()
	if !ok {
		return ""
	}
	return fmt.Sprintf("%c again: a %d", tileKeys[s.Cell], 6-board.Tile(s.Exponent))
}

// panelBelow draws the panel of narrow windows: one line above the board, the rest below.
func (m *assist) panelBelow(c *canvas, p *column, l layout) {
	t, h := m.theme, &m.hint
	c.text(p.rect.x, l.y-1, t.bold(), cut(m.headline(), p.rect.width))
	idle := m.game.Due() > 0 || m.game.Over()
	roomy := p.left() >= barsHigh+4
	m.note(p, 1)
	switch {
	case roomy:
		p.line(style{}, "")
		h.draw(p, t, m.o.Player.Spec, idle)
	case h.err != nil:
		p.paragraph(t.tinted(t.red), h.err.Error(), max(p.left(), 1))
	case h.current && !idle:
		p.paragraph(t.tinted(t.green), brief(h.decision, t), max(p.left(), 1))
	case m.game.Due() > 0:
		p.line(t.dim(), "key in its cell, Shift for a 4")
	case !idle:
		p.line(t.dim(), h.waiting())
	}
}

// editor draws the line that is typed over the board.
func (m *assist) editor(c *canvas, l layout) {
	b := m.game.Board()
	width := min(max(c.width-8, 10), 60)
	text := []rune("> " + m.edited + "_")
	if len(text) > width { // the end matters
		text = append([]rune("> .."), text[len(text)-width+4:]...)
	}
	lines := []string{"Another board, or cells", "64@b3 is 64 in column b, row 3", "", string(text), ""}
	if m.failure {
		lines = append(append(lines, wrap(m.message, width)...), "")
	}
	lines = append(lines, "enter takes it, esc leaves the board", "an empty line empties the board")
	dialog(c, m.theme, l.over(b.Size()), lines)
}
