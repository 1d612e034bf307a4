package tui

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"strings"

	"charm.land/lipgloss/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"github.com/afterstate2048/afterstate/internal/console"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

// panel is what a screen shows beside the board, or in a narrow window above and below it.
type panel struct {
	head    []string // parts of the line above the board in a narrow window; as many as fit are shown
	top     []para   // shown beside the board only
	state   para     // one line; left out if empty
	stats   []stat   // shown beside the board only
	opinion *opinion // nil: none
	note    para
}

// para is text in at most maxLines lines. If maxLines is 1, it takes one line even if it is empty. If
// maxLines is 0, it may take all lines that the panel has left.
type para struct {
	style    style
	text     string
	maxLines int
}

const (
	roomy     = -1           // value of maxLines for text that is shown only if everything else fits
	panelRest = 5 + barsHigh // lines below the top: state, stats, bars and effort
)

// stat is a value with its name above it and a text below it.
type stat struct {
	name  string
	style style
	value string
	below string
}

// opinion is the part of the panel that shows how a player values the moves.
type opinion struct {
	title    []para
	bars     bool
	decision *player.Decision // may be nil
	faded    bool             // the decision is about an earlier board
	lines    []para           // shown below the bars
	effort   [][]string       // shown under lines; each line has as many of its words as fit
	brief    para             // replaces the bars if there is no room for them
}

// draw draws the panel.
func (p *panel) draw(c canvas, l *layout, t *theme) {
	to := &column{c: c, rect: l.panel}
	if l.beside {
		p.beside(to, t)
		return
	}
	c.text(l.panel.x, l.y-1, t.bold(), cut(fit(p.head, "  ", max(l.panel.width, ansi.StringWidth(p.head[0]))), l.panel.width))
	p.below(to, t)
}

func (p *panel) beside(to *column, t *theme) {
	low := p.opinion != nil && to.rect.height < roomyHeight
	space := func() {
		if !low {
			to.line(style{}, "")
		}
	}
	for _, at := range p.top {
		if at.maxLines == roomy && low {
			continue
		}
		at.maxLines = max(min(at.maxLines, to.left()-panelRest), 1)
		to.para(at)
	}
	space()
	if p.state.text != "" {
		to.para(p.state)
		space()
	}
	if len(p.stats) > 0 {
		to.stats(p.stats, t)
		space()
	}
	if p.opinion != nil {
		p.opinion.draw(to, t)
		space()
	}
	to.para(p.note)
}

// below draws the panel below the board, in a narrow window.
func (p *panel) below(to *column, t *theme) {
	first := p.note
	if first.text == "" {
		first = p.state
	}
	if first.maxLines = 1; p.opinion == nil {
		first.maxLines = 0
	}
	if first.text != "" {
		to.para(first)
	}
	switch {
	case p.opinion == nil:
	case to.left() >= barsHigh+2:
		if first.text == "" || len(p.opinion.title) == 1 {
			to.line(style{}, "")
		}
		p.opinion.draw(to, t)
	default:
		to.para(p.opinion.brief)
	}
}

func (o *opinion) draw(to *column, t *theme) {
	for _, at := range o.title {
		at.maxLines = max(min(to.left()-barsHigh, 3), 1)
		to.para(at)
	}
	if o.bars && to.left() >= barsHigh {
		bars(to.c, to.rect.x, to.rect.y+to.next, to.rect.width, t, o.decision, o.faded)
		to.next += barsHigh
	}
	for _, at := range o.lines {
		to.para(at)
	}
	for _, words := range o.effort {
		to.line(t.dim(), fit(words, ", ", to.rect.width))
	}
}

// scores returns the stats of a game: the score, with the number of moves below it, and the given value with
// its name.
func scores(t *theme, score int64, moves int, name string, value int64, s style) []stat {
	return []stat{{"score", t.bold(), numfmt.Int(score), moveCount(moves)}, {name, s, numfmt.Int(value), ""}}
}

func moveCount(n int) string { return numfmt.Count(n, "move", "moves") }

// column writes consecutive lines into a rectangle.
type column struct {
	c    canvas
	rect rect
	next int
}

func (p *column) left() int { return p.rect.height - p.next }

// line writes one line, truncated to the rectangle.
func (p *column) line(s style, text string) {
	if p.left() > 0 {
		p.c.text(p.rect.x, p.rect.y+p.next, s, cut(text, p.rect.width))
	}
	p.next++
}

// para writes text in at most at.maxLines lines.
func (p *column) para(at para) {
	if at.maxLines == 1 {
		p.line(at.style, at.text)
		return
	}
	maxLines := cmp.Or(at.maxLines, max(p.left(), 1))
	lines := wrap(at.text, p.rect.width)
	if len(lines) > maxLines {
		lines[maxLines-1] = cut(strings.Join(lines[maxLines-1:], " "), p.rect.width)
		lines = lines[:maxLines]
	}
	for _, line := range lines {
		p.line(at.style, line)
	}
}

// stats writes values side by side.
func (p *column) stats(all []stat, t *theme) {
	for i, s := range all {
		x, y := p.rect.x+i*p.rect.width/len(all), p.rect.y+p.next
		p.c.text(x, y, t.dim(), s.name)
		p.c.text(x, y+1, s.style, s.value)
		p.c.text(x, y+2, t.dim(), s.below)
	}
	p.next += 3
}

// cut truncates text to a number of columns.
func cut(text string, width int) string { return ansi.Truncate(text, width, "..") }

// wrap breaks text at spaces into lines of at most width columns. Longer words are split.
func wrap(text string, width int) []string {
	words := strings.Join(strings.Fields(text), " ")
	if words == "" {
		return nil
	}
	return strings.Split(ansi.Wrap(words, width, ""), "\n")
}

// footer writes as many of the keys as fit into a line, from the first one on.
func footer(c canvas, y int, t *theme, keys []string) {
	text := fit(keys, "  ", c.Width()-1)
	c.text((c.Width()-ansi.StringWidth(text))/2, y, t.dim(), text)
}

// dialog draws lines in a box at the centre of the rectangle over, and covers what is there.
func dialog(c canvas, t *theme, over rect, lines []string) {
	for i := range lines {
		lines[i] = cut(console.Line(lines[i]), c.Width()-4)
	}
	box := lipgloss.NewStyle().Border(lipgloss.RoundedBorder()).BorderForeground(t.gold).Padding(0, 1)
	lines[0] = lipgloss.NewStyle().Bold(t.marks).Render(lines[0])
	text := box.Render(strings.Join(lines, "\n"))
	w, h := lipgloss.Size(text)
	x := min(max(over.x+(over.width-w)/2, 0), c.Width()-w)
	y := min(max(over.y+(over.height-h)/2, 0), max(c.Height()-h, 0))
	uv.NewStyledString(text).Draw(c, uv.Rect(x, y, w, h))
}

const (
	valueWidth = 10 // width of a value
	nameWidth  = 6  // width of the name of a direction and a space
	barsHigh   = 4  // height of the bars in lines
	// narrow is the width from which values are shown next to the bars, wide the width from which
	// losses are shown too.
	narrow, wide = 24, 40
)

// bars draws a line for each of the four moves of a decision: a mark for the best move, the name of the
// direction, a bar, and the class of the move (or its value if it has no class). If the width allows it, the
// loss follows. d may be nil; faded means that d belongs to an earlier board.
func bars(c canvas, x, y, width int, t *theme, d *player.Decision, faded bool) {
	var fraction [4]float64
	var grades [4]player.Grade
	if d != nil {
		fraction = fractions(d)
		grades, _ = d.Grades()
	}
	for i, dir := range board.Directions {
		best := d != nil && d.OK && d.Move == dir && !faded
		at, name := x, style{}
		tint := t.blue
		switch {
		case best:
			name, tint = t.tinted(t.green), t.green
			c.text(at, y+i, name, mark)
		case d == nil || !d.Moves[dir].Legal:
			name = t.dim()
		}
		c.text(at+2, y+i, name, fmt.Sprintf("%-*v", nameWidth, dir))
		at += 2 + nameWidth
		if d == nil {
			continue
		}
		room := width - (at - x)
		if room >= narrow-nameWidth-2 {
			if room -= valueWidth + 1; width >= wide {
				c.text(at+room+1, y+i, t.dim(), fmt.Sprintf("%*s", valueWidth, lossText(d, dir, grades[dir])))
				room -= valueWidth + 1
			}
			value, class := verdict(d, dir, grades[dir]), grades[dir].Class
			if d.Moves[dir].Lost() || class == protocol.ClassMistake || class == protocol.ClassBlunder {
				name = t.tinted(t.red)
			}
			c.text(at+room+1, y+i, name, fmt.Sprintf("%*s", valueWidth, value))
		}
		bar(c, at, y+i, room, fraction[dir], t, tint, d.Moves[dir].Bound || faded)
	}
}

// fractions returns the lengths of the bars, from 0 to 1: the larger the loss of a move, the shorter its bar.
// For moves with a grade, blunders have the shortest bars. Without grades, the values have an arbitrary scale
// and offset, so the worst move has the shortest bar. But if all losses are below a thousandth of the best
// value, all bars are nearly equal.
func fractions(d *player.Decision) (f [4]float64) {
	if !d.OK || d.Source == "random" {
		return f
	}
	best, worst := math.Inf(-1), math.Inf(1)
	for _, m := range d.Moves {
		if m.Legal && finite(m.Value) {
			best, worst = max(best, m.Value), min(worst, m.Value)
		}
	}
	span := max(best-worst, math.Abs(best)/1000)
	grades, _ := d.Grades()
	for i, m := range d.Moves {
		switch {
		case !m.Legal || !finite(m.Value):
		case grades[i].Class != "":
			f[i] = 1 - 0.9*min(grades[i].Loss/player.MistakeLimit, 1)
		case span == 0:
			f[i] = 1
		default:
			f[i] = 1 - 0.9*(best-m.Value)/span
		}
	}
	return f
}

func finite(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) }

// bar draws a bar of the given fraction of its room; a hollow bar marks an uncertain value.
func bar(c canvas, x, y, room int, fraction float64, t *theme, tint color.Color, hollow bool) {
	if fraction <= 0 || room <= 0 {
		return
	}
	eighths := max(round(fraction*float64(8*room)), 1)
	char, rest := "█", ""
	switch {
	case hollow:
		char = "░"
	case eighths%8 > 0:
		rest = string([]rune("▏▎▍▌▋▊▉")[eighths%8-1])
		eighths -= 7 // round down: rest shows the last eighths
	}
	c.text(x, y, style{Fg: tint}, strings.Repeat(char, (eighths+7)/8)+rest)
}

// verdict returns the class of a move, or its value if it has no class.
func verdict(d *player.Decision, dir board.Direction, g player.Grade) string {
	switch {
	case d.Moves[dir].Lost() || g.Class == "":
		return valueText(d, dir)
	case g.Class == protocol.ClassForced:
		return "only move"
	}
	return string(g.Class)
}

// lossText returns the loss of a move as text: as a share or, if the move has no grade, as a difference of
// values.
func lossText(d *player.Decision, dir board.Direction, g player.Grade) string {
	if g.Class != "" {
		return g.LossText()
	}
	if loss, ok := d.Loss(dir); ok && loss > 0 {
		return numfmt.Short(-loss)
	}
	return ""
}

// valueText returns the value of a move as text.
func valueText(d *player.Decision, dir board.Direction) string {
	m := d.Moves[dir]
	switch {
	case !m.Legal:
		return "-"
	case d.Source == "random":
		return "any"
	case m.Lost():
		return "may end"
	case !finite(m.Value):
		return "?"
	case m.Bound:
		return "<" + numfmt.Short(d.Unit.Shown(m.Value))
	}
	return numfmt.Short(d.Unit.Shown(m.Value))
}
