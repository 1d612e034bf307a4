package tui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"afterstate/internal/numfmt"
	"afterstate/player"
)

// playKeys are the keys in the footer, the most important first.
var playKeys = []string{"arrows move", "u undo", "q quit", "space hint", "? keys", "n new game", "r redo", "e why", "tab live hints"}

var playHelp = []string{
	"Keys",
	"",
	"move        arrows, WASD or HJKL",
	"undo, redo  u or backspace, r",
	"hint        space; tab for live hints",
	"why         e, the reasons for it",
	"new game    n or R, asks first",
	"quit        q; the game is kept",
	"",
	"Two equal tiles merge into one.",
	"Any key closes this.",
}

// View renders the game.
func (m *play) View() tea.View {
	b := m.game.Board()
	c := m.view(b, m.panel, playKeys, playHelp)
	v := tea.NewView(c.String())
	v.AltScreen = true
	v.WindowTitle = fmt.Sprintf("2048: %d", m.game.Score())
	return v
}

// panel writes everything except the board, and dialogs over the board.
func (m *play) panel(c *canvas, l layout) {
	p := &column{c: c, rect: l.panel}
	if l.beside {
		m.panelBeside(p)
	} else {
		m.panelBelow(c, p, l)
	}
	b := m.game.Board()
	switch {
	case m.help:
	case m.why.open:
		dialog(c, m.theme, rect{0, 0, c.width, c.height - 1}, m.why.lines(m.o.Hint.Spec, m.hint.loading, m.theme, c.width-4, c.height-1))
	case m.asking:
		dialog(c, m.theme, l.over(b.Size()), []string{"Start another game?", "", "y  yes, drop this one", "n  no, keep playing"})
	case m.slide.running: // wait for the animation of the last move
	case m.game.PausedOnWin():
		dialog(c, m.theme, l.over(b.Size()), []string{"2048! You win.", "", "enter  keep playing", "u      undo", "n      new game"})
	case m.game.Over():
		dialog(c, m.theme, l.over(b.Size()), []string{"No moves left", "", "score " + numfmt.Int(m.game.Score()), "", "u  undo", "n  new game"})
	}
}

func (m *play) panelBeside(p *column) {
	t := m.theme
	low := m.hint.shown && p.rect.height < roomyHeight
	space := func() {
		if !low {
			p.line(style{}, "")
		}
	}
	if !low {
		p.line(t.bold(), "2048")
	}
	p.paragraph(t.dim(), m.about(), 2)
	if r := rules(m.o.Rule); r != "" {
		p.paragraph(t.dim(), "tiles: "+r, 2)
	}
	space()
	m.scores(p)
	if m.hint.shown || p.left() > 2 {
		space()
	}
	if m.hint.shown {
		m.hintBars(p)
		space()
	}
	p.paragraph(m.messageStyle(), m.message, max(p.left(), 1))
}

// about returns a short description of the game.
func (m *play) about() string {
	text := fmt.Sprintf("%v, seed %d", m.o.Size, m.meta.Seed)
	if m.meta.Game > 0 {
		text += fmt.Sprintf(", game %d", m.meta.Game)
	}
	return text
}

func (m *play) messageStyle() style {
	if m.failure {
		return m.theme.tinted(m.theme.red)
	}
	return style{}
}

// scores writes score and best side by side.
func (m *play) scores(p *column) {
	t := m.theme
	half := p.rect.width / 2
	y := p.rect.y + p.next
	p.c.text(p.rect.x+half, y, t.dim(), "best")
	p.line(t.dim(), "score")
	best := t.bold()
	if m.game.Score() == m.best && m.best > 0 {
		best = t.tinted(t.gold)
	}
	p.c.text(p.rect.x+half, y+1, best, numfmt.Int(m.best))
	p.line(t.bold(), numfmt.Int(m.game.Score()))
	p.line(t.dim(), moveCount(m.game.Moves()))
}

func moveCount(n int) string {
	if n == 1 {
		return "1 move"
	}
	return numfmt.Int(int64(n)) + " moves"
}

// hintBars draws the player's values of the moves.
func (m *play) hintBars(p *column) {
	title := "hint: " + m.o.Hint.Spec
	if m.hint.live {
		title = "live " + title
	}
	m.hint.draw(p, m.theme, title, m.game.Over() || m.game.PausedOnWin())
}

// draw draws the values of the moves under a title. idle means that no decision is expected.
func (h *hint) draw(p *column, t *theme, title string, idle bool) {
	p.paragraph(t.dim(), title, max(min(p.left()-barsHigh-1, 3), 1))
	if p.left() >= barsHigh {
		bars(p.c, p.rect.x, p.rect.y+p.next, p.rect.width, t, h.decision, !h.current)
		p.next += barsHigh
	}
	switch {
	case h.err != nil:
		p.paragraph(t.tinted(t.red), h.err.Error(), 3)
	case idle:
		p.line(t.dim(), "")
	case !h.current:
		p.line(t.dim(), h.waiting())
	default:
		p.line(t.dim(), cost(h.decision))
	}
}

// cost returns the search effort of a decision as text.
func cost(d *player.Decision) string {
	text := ""
	if d.Plies > 0 {
		text += fmt.Sprintf("%d plies, ", d.Plies)
	}
	if d.Nodes > 0 {
		text += numfmt.Int(d.Nodes) + " nodes, "
	}
	return text + duration(d.Elapsed)
}

// duration formats a duration with three significant digits.
func duration(d time.Duration) string {
	switch {
	case d < 10*time.Microsecond:
		return fmt.Sprintf("%.2f us", float64(d)/1e3)
	case d < time.Millisecond:
		return fmt.Sprintf("%.0f us", float64(d)/1e3)
	case d < 100*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/1e6)
	case d < 10*time.Second:
		return fmt.Sprintf("%.2f s", d.Seconds())
	}
	return fmt.Sprintf("%.0f s", d.Seconds())
}

// panelBelow draws the panel of narrow windows: one line above the board, the rest below.
func (m *play) panelBelow(c *canvas, p *column, l layout) {
	t, h := m.theme, &m.hint
	head := fmt.Sprintf("score %s  best %s", numfmt.Int(m.game.Score()), numfmt.Int(m.best))
	if wider := head + "  " + moveCount(m.game.Moves()); len(wider) <= p.rect.width {
		head = wider
	}
	c.text(p.rect.x, l.y-1, t.bold(), cut(head, p.rect.width))
	most := 1
	if !h.shown {
		most = p.left()
	}
	p.paragraph(m.messageStyle(), m.message, most)
	switch {
	case !h.shown:
	case p.left() >= barsHigh+2:
		p.line(style{}, "")
		m.hintBars(p)
	case h.err != nil:
		p.paragraph(t.tinted(t.red), h.err.Error(), max(p.left(), 1))
	case !h.current:
		p.line(t.dim(), h.waiting())
	default:
		p.paragraph(t.tinted(t.green), brief(h.decision, t), max(p.left(), 1))
	}
}
