package tui

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

const (
	valueWidth = 10 // width of a value
	nameWidth  = 6  // width of a direction and a space
	barsHigh   = 4  // height in lines
	// narrow is the width from which values are shown next to the bars, wide the width from which
	// losses are shown too.
	narrow, wide = 24, 40
)

// bars draws a line for each of the four moves of a decision: a mark if it is the best move, its name, a bar, and its
// class (its value if it has no class). If the width allows it, the loss follows. The decision may be nil; faded means
// that it belongs to an earlier board.
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
			c.text(at, y+i, name, t.mark())
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

// fractions returns the lengths of the bars, 0 to 1, which show losses: from those of a blunder on they
// are shortest. Without grades a heuristic has an arbitrary scale and offset, so there the worst move's bar is
// short, unless the losses are below a thousandth of the best value; then all bars are nearly equal.
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
	text := ""
	switch {
	case t.ascii && hollow:
		text = strings.Repeat("-", (eighths+7)/8)
	case t.ascii:
		text = strings.Repeat("#", (eighths+7)/8)
	case hollow:
		text = strings.Repeat("░", (eighths+7)/8)
	default:
		text = strings.Repeat("█", eighths/8)
		if rest := eighths % 8; rest > 0 {
			text += string([]rune("▏▎▍▌▋▊▉")[rest-1])
		}
	}
	c.text(x, y, style{Fg: tint}, text)
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

// lossText returns what a move gives away: a share, or on a scale without one a difference of values.
func lossText(d *player.Decision, dir board.Direction, g player.Grade) string {
	if g.Class != "" {
		return g.Given()
	}
	if loss, ok := d.Loss(dir); ok && loss > 0 {
		return numfmt.Short(-loss)
	}
	return ""
}

// valueText returns the text of a move's value.
func valueText(d *player.Decision, dir board.Direction) string {
	m := d.Moves[dir]
	switch {
	case !m.Legal:
		return "-"
	case d.Source == "random":
		return "any"
	case m.Lost():
		return "lost"
	case !finite(m.Value):
		return "?"
	case m.Bound:
		return "<" + numfmt.Short(d.Unit.Shown(m.Value))
	}
	return numfmt.Short(d.Unit.Shown(m.Value))
}
