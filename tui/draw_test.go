package tui

import (
	"fmt"
	"image/color"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// luminance and contrast are defined by WCAG 2.
func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	f := func(v uint32) float64 {
		x := float64(v) / 0xffff
		if x <= 0.03928 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*f(r) + 0.7152*f(g) + 0.0722*f(b)
}

func contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// difference is the CIE76 distance; a distance of about 10 is clearly visible.
func difference(a, b color.Color) float64 {
	x, y := lab(a), lab(b)
	return math.Hypot(math.Hypot(x[0]-y[0], x[1]-y[1]), x[2]-y[2])
}

func lab(c color.Color) [3]float64 {
	r, g, b, _ := c.RGBA()
	lin := func(v uint32) float64 { return math.Pow(float64(v)/0xffff, 2.2) }
	x := (0.4124*lin(r) + 0.3576*lin(g) + 0.1805*lin(b)) / 0.9505
	y := 0.2126*lin(r) + 0.7152*lin(g) + 0.0722*lin(b)
	z := (0.0193*lin(r) + 0.1192*lin(g) + 0.9505*lin(b)) / 1.089
	return [3]float64{116*math.Cbrt(y) - 16, 500 * (math.Cbrt(x) - math.Cbrt(y)), 200 * (math.Cbrt(y) - math.Cbrt(z))}
}

// Every tile up to 262144 has its own colour and a legible number, on light and dark
// backgrounds; text and bars are legible too.
func TestColours(t *testing.T) {
	for _, profile := range []colorprofile.Profile{colorprofile.ANSI256, colorprofile.TrueColor} {
		for _, light := range []bool{false, true} {
			th := newTheme(profile, light)
			for i := uint8(1); i <= beyond; i++ {
				p := th.tile(i)
				if c := contrast(p.back, p.ink); c < 4 {
					t.Errorf("%v: tile %d has a contrast of %.1f", profile, board.Tile(i), c)
				}
				must.Equal(t, profile.Convert(p.back), p.back, profile, "shows tile", board.Tile(i))
				if d := difference(p.back, th.hole); d < 5 {
					t.Errorf("%v: tile %d differs by %.1f from an empty cell", profile, board.Tile(i), d)
				}
				for j := uint8(1); j < i; j++ {
					q := th.tile(j)
					if d := difference(p.back, q.back); d < 10 {
						t.Errorf("%v: tiles %d and %d differ by %.1f", profile, board.Tile(j), board.Tile(i), d)
					}
				}
			}
			for name, c := range map[string]color.Color{"gold": th.gold, "green": th.green, "red": th.red} {
				white, black := contrast(c, color.White), contrast(c, color.Black)
				if min(white, black) < 3 {
					t.Errorf("%v: %s has a contrast of %.1f to white, %.1f to black", profile, name, white, black)
				}
			}
		}
	}
}

// Without colours, no colour is used; on a dumb terminal, no styles either.
func TestWithoutColours(t *testing.T) {
	for _, profile := range []colorprofile.Profile{colorprofile.NoTTY, colorprofile.ASCII} {
		m, _ := newTestPlay(t, nil)
		playTo(t, m, "greedy", 64)
		m.Update(tea.ColorProfileMsg{Profile: profile})
		m.hint.shown = true
		take(t, m, m.ask())
		text := m.View().Content
		for part := range strings.SplitSeq(text, "\x1b[") {
			style, _, _ := strings.Cut(part, "m")
			if part != text && strings.ContainsAny(style, "3489") {
				t.Errorf("%v: style %q", profile, style)
			}
		}
		if profile == colorprofile.NoTTY && strings.Contains(text, "\x1b") {
			t.Errorf("a dumb terminal gets %q", text)
		}
		if !strings.Contains(ansi.Strip(text), "┼") {
			t.Error("no grid")
		}
	}
}

// In every window, board and panel are inside and do not overlap, and 80x24 is enough for
// every size.
func TestLayout(t *testing.T) {
	for rows := board.MinSide; rows <= board.MaxSide; rows++ {
		for cols := board.MinSide; cols <= board.MaxSide; cols++ {
			s := board.Size{Rows: rows, Cols: cols}
			if l, ok := arrange(80, 24, s); !ok || !l.beside && l.panel.height < belowRoomy {
				t.Errorf("%v in 80x24: ok %v, %+v", s, ok, l)
			}
			minW, minH := minWindow(s)
			for w := 1; w <= 220; w += 3 {
				for h := 1; h <= 70; h++ {
					checkLayout(t, s, w, h, w >= minW && h >= minH)
				}
			}
		}
	}
}

func checkLayout(t *testing.T, s board.Size, w, h int, want bool) {
	t.Helper()
	l, ok := arrange(w, h, s)
	if ok != want {
		t.Fatalf("%v in %dx%d: ok %v", s, w, h, ok)
	}
	if !ok {
		return
	}
	right, bottom := l.x+l.width(s), l.y+l.height(s)
	inside := l.x >= 0 && l.y >= 0 && right <= w && bottom <= l.footer && l.footer == h-1 &&
		l.panel.x >= 0 && l.panel.x+l.panel.width <= w && l.panel.y+l.panel.height <= l.footer
	apart := l.panel.y >= bottom && l.y >= 1 && l.panel.height >= below
	if l.beside {
		apart = l.panel.x >= right+gap && l.panel.width >= panelLeast && l.panel.height >= panelHigh
	}
	if !inside || !apart {
		t.Fatalf("%v in %dx%d: %+v", s, w, h, l)
	}
}

// A window of any size can be drawn, also while it is being resized.
func TestEveryWindow(t *testing.T) {
	m, _ := newTestPlay(t, nil)
	playTo(t, m, "greedy", 64)
	m.hint.shown = true
	take(t, m, m.ask())
	m.say(strings.Repeat("a long message ", 9))
	for w := 0; w < 120; w += 7 {
		for h := range 40 {
			m.help = h%2 == 0
			m.asking = h%3 == 0
			m.Update(tea.WindowSizeMsg{Width: w, Height: h})
			for i, line := range strings.Split(m.View().Content, "\n") {
				if utf8.RuneCountInString(line) > w || i > h {
					t.Fatalf("%dx%d: line %d is %q", w, h, i, line)
				}
			}
		}
	}
}

// A slide moves each tile to its cell, and then shows the new tile.
func TestSlidePictures(t *testing.T) {
	b, _ := board.Parse("0,2,0,2/4,0,0,0")
	after, _, _ := b.Slide(board.Left)
	after.Set(3, 1)
	var s slide
	c := newClock()
	s.start(c.now(), b, board.Left, game.Spawn{Cell: 3, Exponent: 1})
	at := func(part float64) (text string) {
		for _, tile := range s.picture(c.Add(time.Duration(part*float64(slideTime))), &after).tiles {
			text += fmt.Sprintf("%d:%.1f,%.1f,%v ", tile.exponent, tile.x, tile.y, tile.small)
		}
		return text
	}
	for _, want := range []struct {
		part float64
		text string
	}{
		{0, "2:0.0,1.0,false 1:1.0,0.0,false 1:3.0,0.0,false "},
		{0.5, "2:0.0,1.0,false 1:0.2,0.0,false 1:0.8,0.0,false "},
		{1.2, "2:0.0,0.0,false 1:3.0,0.0,true 2:0.0,1.0,false "},
	} {
		must.Equal(t, at(want.part), want.text, "after", want.part, "of the slide")
	}
	s.stop()
	if got := at(1); strings.Contains(got, "true") {
		t.Errorf("at rest: %s", got)
	}
}

// Half blocks: pixels above and below each other make one character.
func TestCanvas(t *testing.T) {
	red, blue := ansi.BasicColor(1), ansi.BasicColor(4)
	c := newCanvas(4, 2)
	c.fill(0, 1, 2, 2, red)
	c.fill(1, 0, 1, 1, blue)
	c.text(2, 1, style{Attrs: uv.AttrBold}, "añ漢") // clipped; the wide rune is replaced
	want := "\x1b[31m▄\x1b[34;41m▀\x1b[m\n\x1b[31m▀▀\x1b[39;1mañ\x1b[m"
	must.Equal(t, c.String(), want)
	c = newCanvas(3, 1)
	c.text(0, 0, style{}, "漢\n\u202e")
	must.Equal(t, c.String(), "???")
}

func TestBars(t *testing.T) {
	inf := math.Inf(-1)
	d := &player.Decision{Result: search.Result{OK: true, Move: board.Right, Moves: [4]search.MoveValue{
		{Legal: true, Value: -20}, {Legal: true, Value: 100}, {Legal: true, Value: inf}, {}}}}
	if f := fractions(d); math.Abs(f[0]-0.1) > 1e-9 || f[1] != 1 || f[2] != 0 || f[3] != 0 {
		t.Errorf("%v", f)
	}
	d.Moves[2] = search.MoveValue{Legal: true, Value: 40, Bound: true}
	d.Moves[3] = search.MoveValue{Legal: true, Value: inf}
	c := newCanvas(44, 4)
	bars(c, 0, 0, 44, newTheme(colorprofile.NoTTY, false), d, false)
	golden(t, "bars", c.String())
	b, _ := board.Parse("4,8,2/16,32,4/2,2,8") // worth 216
	graded := &player.Decision{Board: b, Unit: eval.Points, Result: d.Result}
	graded.Moves[2], graded.Moves[3] = search.MoveValue{Legal: true, Value: 97}, search.MoveValue{Legal: true, Value: 70}
	c = newCanvas(44, 4)
	bars(c, 0, 0, 44, newTheme(colorprofile.NoTTY, false), graded, false)
	golden(t, "bars-graded", c.String())
	if text := brief(graded, plainTheme); text != "► right  up blunder -38 %  down good -0.9 %  left mistake -9.5 %" {
		t.Errorf("in one line: %s", text)
	}
	must.Equal(t, valueText(d, board.Up), "-20", "a heuristic's -20 is shown as")
	d.Unit = eval.Points
	must.Equal(t, valueText(d, board.Up), "0", "-20 points still to come are shown as")
	for _, x := range []float64{0, 1, -1, 0.5, 12.345, -1234.56, 99999.9, 123456.7, -12345678, 1e300, -1e-9, 7e6} {
		if text := numfmt.Short(x); len(text) > valueWidth-1 {
			t.Errorf("%v is written %q", x, text)
		}
	}
}

// In windows of 60 columns no text is cut off. Lines that are too long are wrapped.
func TestSixtyColumns(t *testing.T) {
	const spec = "expectimax(eval=sum(empty=2,gradient=1),plies=2)"
	whole := func(what string, height int, screen string, wanted ...string) {
		t.Helper()
		if strings.Contains(screen, "..") {
			t.Errorf("%s in 60x%d is cut off:\n%s", what, height, screen)
		}
		for _, part := range wanted {
			must.Contains(t, strings.Join(strings.Fields(screen), " "), part, what, "in 60 columns and lines", height)
		}
	}
	heights := []int{16}
	if soak.Wanted() {
		heights = []int{16, 20, 24, 30}
	}
	for _, height := range heights {
		m, _ := newTestPlay(t, func(o *PlayOptions) {
			o.Hint, o.Animate, o.Rule = maker(t, spec), false, rule(t, "adversary(share=0.3)")
		})
		playTo(t, m, "greedy", 64)
		open(m, 60, height)
		take(t, m, press(m, "space"))
		for _, m.hint.decision.Elapsed = range []time.Duration{900 * time.Microsecond, 10900 * time.Microsecond, 123456 * time.Second} {
			whole("play", height, screenText(m), "2 plies", "left")
		}
		w := newTestWatch(t, maker(t, spec).New(), func(o *WatchOptions) {
			o.Name, o.About = spec, "4x4, seed 1234567890, new tiles: adversary(share=0.3)"
		})
		open(w, 60, height)
		whole("watch", height, screenText(w), "4x4, seed 1234567890,")
	}
	for text, want := range map[string]string{
		"hint: expectimax(plies=2)": "hint:|expectimax|(plies=2)", "a bc": "a bc", "0123456789abc d": "0123456789|abc d", "one 0123456789": "one|0123456789",
	} {
		must.Equal(t, strings.Join(wrap(text, 10), "|"), want, text, "is wrapped to")
	}
}
