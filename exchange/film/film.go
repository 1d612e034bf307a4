// Package film renders a game as an animated SVG file that plays in any browser, and in a README,
// without a script.
//
//	err := film.Write(file, g, "auto, seed 1")
//
// Every tile of the game is one SVG element, animated to appear, slide and disappear at the right
// times. Slides follow [board.Board.Motions].
package film

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/afterstate2048/afterstate/internal/palette"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// MaxMoves is the maximum number of moves in a film. A film takes about 900 bytes per move.
const MaxMoves = 500

// Dimensions, in SVG user units.
const (
	cell   = 64 // a tile and one gap
	gap    = 6  // between tiles
	tile   = cell - gap
	head   = 46 // space above the board
	margin = 14
)

// moving is the duration of a move in seconds.
const moving = 0.1

// sliding is the share of a move's duration during which tiles slide. For the remainder they rest.
const sliding = 0.5

// holding is how long the last board is shown before the film repeats, in seconds.
const holding = 3

// Write writes a film of a game from its first move to its current position. It fails if the game has more
// than MaxMoves moves or if w fails. The game must have started with two spawns, not from a given board.
func Write(w io.Writer, g *game.Game, title string) error {
	steps := g.Steps()
	if len(steps) > MaxMoves {
		return fmt.Errorf("a film of %d moves: must be at most %d", len(steps), MaxMoves)
	}
	b := g.Board()
	f := &filming{size: b.Size(), total: float64(len(steps)+1)*moving + holding}
	f.shoot(g.Start(), steps)
	out := bufio.NewWriter(w)
	f.write(out, title)
	return out.Flush()
}

// filming is the state of one call of Write.
type filming struct {
	size   board.Size
	total  float64 // duration of the film in seconds
	actors []*actor
	scores []int64 // score at the start and after each move
}

// actor is one tile, from its appearance until it merges or the film ends.
type actor struct {
	exponent uint8
	born     float64 // time of appearance in seconds
	gone     float64 // time of disappearance in seconds; 0 if the tile stays to the end of the film
	path     []waypoint
}

// waypoint is a keyframe: the cell of a tile at a time in seconds.
type waypoint struct {
	at   float64
	cell int
}

// shoot computes the paths of all tiles.
func (f *filming) shoot(start [2]game.Spawn, steps []game.Step) {
	b := board.New(f.size)
	on := make([]*actor, f.size.Cells()) // the tile on each cell
	enter := func(cell int, exponent uint8, at float64) {
		a := &actor{exponent: exponent, born: at, path: []waypoint{{at, cell}}}
		f.actors = append(f.actors, a)
		on[cell] = a
	}
	for _, s := range start {
		b.Set(s.Cell, s.Exponent)
		enter(s.Cell, s.Exponent, 0)
	}
	score := int64(0)
	f.scores = append(f.scores, score)
	for i, step := range steps {
		from := float64(i+1) * moving
		arrive := from + sliding*moving
		next := make([]*actor, len(on))
		merged := map[int]uint8{} // by cell, the exponent of the merged tile
		for _, m := range b.Motions(step.Move) {
			a := on[m.From]
			if m.From != m.To {
				a.path = append(a.path, waypoint{from, m.From}, waypoint{arrive, m.To})
			}
			if m.Merged {
				a.gone = arrive
				merged[m.To] = a.exponent + 1
				continue
			}
			next[m.To] = a
		}
		after, reward, _ := b.Slide(step.Move)
		b, on = after, next
		for cell := range f.size.Cells() { // in order, so that the output is deterministic
			if exponent, ok := merged[cell]; ok {
				enter(cell, exponent, arrive)
			}
		}
		b.Set(step.Spawn.Cell, step.Spawn.Exponent)
		enter(step.Spawn.Cell, step.Spawn.Exponent, arrive)
		score += reward
		f.scores = append(f.scores, score)
	}
}

func (f *filming) write(w *bufio.Writer, title string) {
	width := f.size.Cols*cell + gap + 2*margin
	height := f.size.Rows*cell + gap + head + margin
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="ui-sans-serif,system-ui,Helvetica,Arial,sans-serif">`+"\n", width, height, width, height)
	fmt.Fprintf(w, "<title>2048: %s, score %d after %d moves</title>\n", html.EscapeString(title), f.scores[len(f.scores)-1], len(f.scores)-1)
	fmt.Fprintf(w, `<rect width="%d" height="%d" rx="12" fill="#15181e"/>`+"\n", width, height)
	fmt.Fprintf(w, `<text x="%d" y="30" font-size="15" fill="#aab2c0">%s</text>`+"\n", margin, html.EscapeString(title))
	f.writeDefs(w)
	f.writeScores(w, width-margin)
	fmt.Fprintf(w, `<g transform="translate(%d,%d)">`+"\n", margin, head)
	fmt.Fprintf(w, `<rect width="%d" height="%d" rx="8" fill="%s"/>`+"\n", f.size.Cols*cell+gap, f.size.Rows*cell+gap, palette.GridDark)
	for i := range f.size.Cells() {
		x, y := f.place(i)
		fmt.Fprintf(w, `<rect x="%d" y="%d" width="%d" height="%d" rx="5" fill="%s"/>`, x, y, tile, tile, palette.EmptyDark)
	}
	fmt.Fprintln(w)
	for _, a := range f.actors {
		f.writeActor(w, a)
	}
	fmt.Fprint(w, "</g>\n</svg>\n")
}

// writeDefs defines each tile value once, for reference by the actors.
func (f *filming) writeDefs(w *bufio.Writer) {
	var seen [64]bool
	fmt.Fprint(w, "<defs>\n")
	for _, a := range f.actors {
		if seen[a.exponent] {
			continue
		}
		seen[a.exponent] = true
		fill, ink := palette.Tile(a.exponent)
		value := fmt.Sprint(board.Tile(a.exponent))
		size := [...]int{26, 26, 22, 19, 16, 13, 12}[min(len(value)-1, 6)]
		fmt.Fprintf(w, `<g id="t%d"><rect width="%d" height="%d" rx="5" fill="%s"/><text x="%d" y="%d" font-size="%d" font-weight="700" text-anchor="middle" fill="%s">%s</text></g>`+"\n",
			a.exponent, tile, tile, fill, tile/2, tile/2+size*36/100, size, ink, value)
	}
	fmt.Fprint(w, "</defs>\n")
}

// writeScores shows each score until the next move that changes it.
func (f *filming) writeScores(w *bufio.Writer, right int) {
	fmt.Fprintf(w, `<g font-size="15" font-weight="700" text-anchor="end" fill="#f2f4f8">`+"\n")
	for i := 0; i < len(f.scores); {
		j := i
		for j < len(f.scores) && f.scores[j] == f.scores[i] {
			j++
		}
		from, until := 0.0, 0.0
		if i > 0 {
			from = (float64(i) + sliding) * moving
		}
		if j < len(f.scores) {
			until = (float64(j) + sliding) * moving
		}
		fmt.Fprintf(w, `<text x="%d" y="30">%d%s</text>`+"\n", right, f.scores[i], f.shown(from, until))
		i = j
	}
	fmt.Fprint(w, "</g>\n")
}

func (f *filming) writeActor(w *bufio.Writer, a *actor) {
	x, y := f.place(a.path[0].cell)
	fmt.Fprintf(w, `<use href="#t%d" transform="translate(%d,%d)">%s`, a.exponent, x, y, f.shown(a.born, a.gone))
	if len(a.path) > 1 {
		var values, times strings.Builder
		fmt.Fprintf(&values, "%d,%d", x, y)
		times.WriteString("0")
		last := 0.0
		for _, p := range a.path[1:] {
			x, y = f.place(p.cell)
			last = p.at / f.total
			fmt.Fprintf(&values, ";%d,%d", x, y)
			fmt.Fprintf(&times, ";%s", part(last))
		}
		fmt.Fprintf(&values, ";%d,%d", x, y)
		fmt.Fprintf(w, `<animateTransform attributeName="transform" type="translate" dur="%.2fs" repeatCount="indefinite" values="%s" keyTimes="%s;1"/>`, f.total, values.String(), times.String())
	}
	fmt.Fprint(w, "</use>\n")
}

// shown returns the animation that makes an element visible between two times in seconds. If until is
// 0, the element stays visible to the end of the film.
func (f *filming) shown(from, until float64) string {
	values, times := "1", "0"
	if from > 0 {
		values, times = "0;1", "0;"+part(from/f.total)
	}
	if until > 0 {
		values, times = values+";0", times+";"+part(until/f.total)
	}
	if values == "1" {
		return ""
	}
	return fmt.Sprintf(`<animate attributeName="opacity" calcMode="discrete" dur="%.2fs" repeatCount="indefinite" values="%s" keyTimes="%s"/>`, f.total, values, times)
}

// part formats a share of the film's duration with five decimals, enough for MaxMoves.
func part(x float64) string {
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.5f", x), "0"), ".")
}

// place returns a cell's top left corner.
func (f *filming) place(i int) (x, y int) {
	return i%f.size.Cols*cell + gap, i/f.size.Cols*cell + gap
}
