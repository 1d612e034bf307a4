package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"afterstate/board"
	"afterstate/internal/console"
	"afterstate/internal/numfmt"
)

// longestName is the length of a player's name that leaves room for other keys in a narrow window.
const longestName = 16

var (
	watchKeys   = []string{"space pause", "n forward", "q quit", "b back", "+ - speed", "? keys", "t take over"}
	replayKeys  = []string{"space pause", "n forward", "q quit", "b back", "+ - speed", "? keys"}
	handKeys    = []string{"arrows move", "t hand back", "q quit", "u undo", "r redo", "? keys"}
	silentKeys  = []string{"no keys: the input is not a terminal"}
	watchesHelp = []string{
		"Keys",
		"",
		"pause/resume  space",
		"move forward  n or right",
		"move back     b or left",
		"speed         + and -",
		"take over     t; you play with arrows,",
		"              WASD or HJKL, u and r;",
		"              t again hands back",
		"quit          q",
		"",
		"Any key closes this.",
	}
)

// View renders the game.
func (m *watch) View() tea.View {
	keys := watchKeys
	switch {
	case !m.keys:
		keys = silentKeys
	case m.byHand:
		keys = slices.Clone(handKeys)
		if name, _, _ := strings.Cut(m.o.Name, "("); len(name) <= longestName {
			keys[1] += " to " + name
		}
	case m.o.Driver == nil:
		keys = replayKeys
	}
	c := m.view(m.shown.Board, m.panel, keys, watchesHelp)
	v := tea.NewView(c.String())
	v.AltScreen = true
	v.WindowTitle = "2048: " + console.Line(m.o.Name)
	return v
}

func (m *watch) panel(c *canvas, l layout) {
	p := &column{c: c, rect: l.panel}
	if l.beside {
		m.panelBeside(p)
	} else {
		m.panelBelow(c, p, l)
	}
}

// watchLines are the lines of a panel that are needed below the player and the game: state, score, moves, values and effort.
const watchLines = 5 + barsHigh

func (m *watch) panelBeside(p *column) {
	t, s := m.theme, &m.shown
	roomy := p.rect.height >= roomyHeight
	space := func() {
		if roomy {
			p.line(style{}, "")
		}
	}
	most := 3
	if !roomy {
		most = 2
	}
	p.paragraph(t.bold(), m.o.Name, most)
	p.paragraph(t.dim(), m.o.About, max(min(p.left()-watchLines, 3), 1))
	space()
	p.line(m.stateStyle(), m.state())
	space()
	half := p.rect.width / 2
	y := p.rect.y + p.next
	p.c.text(p.rect.x+half, y, t.dim(), "largest tile")
	p.line(t.dim(), "score")
	p.c.text(p.rect.x+half, y+1, t.bold(), numfmt.Int(board.Tile(s.Board.Largest())))
	p.line(t.bold(), numfmt.Int(s.Score))
	p.line(t.dim(), moveCount(s.Moves))
	space()
	m.values(p)
	m.remarks(p)
}

// stateStyle highlights states that need the viewer's attention.
func (m *watch) stateStyle() style {
	t, s := m.theme, &m.shown
	switch {
	case s.Err != nil:
		return t.tinted(t.red)
	case m.byHand || s.Over || s.Reached || !s.Running:
		return t.tinted(t.gold)
	}
	return t.tinted(t.green)
}

// values draws the bars of the four moves and the search effort.
func (m *watch) values(p *column) {
	t, s := m.theme, &m.shown
	if m.o.Driver == nil {
		p.line(t.dim(), "a recorded game has no values")
		if m.shown.Last != nil {
			p.line(t.dim(), "last move: "+s.Last.Move.String())
		}
		return
	}
	if p.left() >= barsHigh {
		d := &s.Decision
		if s.Over || d.Board.Size() != s.Board.Size() {
			d = nil
		}
		bars(p.c, p.rect.x, p.rect.y+p.next, p.rect.width, t, d, m.faded())
		p.next += barsHigh
	}
	p.line(t.dim(), m.effort())
	p.line(t.dim(), m.pace())
}

// faded reports whether the values shown belong to the previous board and are due to fade.
func (m *watch) faded() bool {
	return !m.waitingFrom.IsZero() && m.screen.now().Sub(m.waitingFrom) >= fadeAfter
}

// effort returns the search effort of the last decision as text.
func (m *watch) effort() string {
	d := &m.shown.Decision
	text := ""
	switch {
	case m.faded():
		return "thinking"
	case d.Plies == 1:
		text = "1 ply"
	case d.Plies > 1:
		text = fmt.Sprintf("%d plies", d.Plies)
	}
	if d.Nodes > 0 {
		if text != "" {
			text += ", "
		}
		text += numfmt.Int(d.Nodes) + " nodes"
	}
	return text
}

// pace returns the time per move and the moves per second. If moves are too fast to be timed
// individually, the time is their mean.
func (m *watch) pace() string {
	x, measured := m.rate.PerSecond()
	took := m.shown.Decision.Elapsed
	if took == 0 && measured && x > 0 {
		took = time.Duration(float64(time.Second) / x)
	}
	text := ""
	if took > 0 {
		text = duration(took) + "/move"
	}
	if measured && m.shown.Running {
		if text != "" {
			text += ", "
		}
		text += perSecond(x)
	}
	return text
}

func perSecond(x float64) string {
	if x >= 100 {
		return numfmt.Int(int64(x)) + " moves/s"
	}
	return fmt.Sprintf("%.1f moves/s", x)
}

// remarks shows errors, and why a key had no effect.
func (m *watch) remarks(p *column) {
	t := m.theme
	switch {
	case m.shown.Err != nil:
		p.paragraph(t.tinted(t.red), m.shown.Err.Error(), max(p.left(), 1))
	case m.message != "":
		p.paragraph(style{}, m.message, max(p.left(), 1))
	}
}

// panelBelow draws the panel of narrow windows: one line above the board, the rest below.
func (m *watch) panelBelow(c *canvas, p *column, l layout) {
	t, s := m.theme, &m.shown
	head := fmt.Sprintf("score %s  %s", numfmt.Int(s.Score), moveCount(s.Moves))
	c.text(p.rect.x, l.y-1, t.bold(), cut(head, p.rect.width))
	roomy := p.left() >= belowRoomy
	switch {
	case s.Err != nil:
		p.paragraph(t.tinted(t.red), s.Err.Error(), p.left())
		return
	case m.message != "" && !roomy:
		p.paragraph(style{}, m.message, p.left())
		return
	}
	now := m.state()
	if pace := m.pace(); pace != "" && s.Running {
		now += "  " + pace
	}
	p.line(m.stateStyle(), now)
	switch {
	case roomy:
		p.paragraph(t.bold(), m.o.Name, 2)
		p.paragraph(t.dim(), m.o.About, 2)
		m.values(p)
		m.remarks(p)
	case m.o.Driver == nil || s.Over:
		p.paragraph(t.dim(), m.o.Name, max(p.left(), 1))
	default:
		p.paragraph(t.tinted(t.green), brief(&s.Decision, t), max(p.left(), 1))
	}
}
