package solve

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// Layout is the set of cells of the walls on a 4x4 board, cell i in bit i, row-major. Players call the free cells a
// formation. Any layout with 1 to 12 walls can be solved.
type Layout uint16

// MaxLayouts is the largest number of layouts among which walls may move.
const MaxLayouts = 4

// ParseLayout parses four rows of '#' for a wall and '.' for a free cell, such as "###./###./..../....". Rows of free
// cells at the end may be missing.
func ParseLayout(text string) (l Layout, err error) {
	rows := strings.Split(text, "/")
	for r, row := range rows {
		if len(row) != 4 || r > 3 || strings.Trim(row, "#.") != "" {
			return 0, fmt.Errorf("layout %q: must be up to four rows of four cells, # for a wall and . for a free cell, such as \"###./###.\"", text)
		}
		for c, cell := range row {
			if cell == '#' {
				l |= 1 << (4*r + c)
			}
		}
	}
	return l, nil
}

// String returns the rows of the layout.
func (l Layout) String() string {
	var text []byte
	for i := range 16 {
		if i > 0 && i%4 == 0 {
			text = append(text, '/')
		}
		text = append(text, ".#"[l>>i&1])
	}
	return string(text)
}

// Walls returns the number of walls.
func (l Layout) Walls() int { return bits.OnesCount16(uint16(l)) }

// word returns a board with the walls and no other tiles.
func (l Layout) word() (w word) {
	for i := range 16 {
		w |= word(l>>i&1) * wall << (4 * i)
	}
	return w
}

// Canonical returns the smallest of the layout's eight symmetric images, which all have the same canonical layout.
// Its walls are towards the top left.
func (l Layout) Canonical() Layout {
	return slices.Min(each.Of(symmetries(l.word()), layoutOf))
}

func symmetries(w word) (all []word) {
	for _, b := range bitboard.Board(w).Symmetries() {
		all = append(all, word(b))
	}
	return all
}

// wall is the exponent of every wall in a word. Package bitboard slides tiles of this exponent and never merges them.
const wall = bitboard.MaxExponent

// layoutOf returns the cells of a word that are walls.
func layoutOf(w word) Layout {
	w &= w >> 2
	w &= w >> 1 & ones
	w = (w | w>>3) & 0x0303030303030303
	w = (w | w>>6) & 0x000f000f000f000f
	w = (w | w>>12) & 0x000000ff000000ff
	return Layout(w | w>>24)
}

// wallsOf returns the layout of a board's walls, given their number. Walls are the largest tiles of the board, all
// different and not smaller than the goal. made reports whether the board also has the goal on another cell. ok is
// false if the board does not have this number of walls.
func wallsOf(b *board.Board, goal uint8, walls int) (at Layout, made, ok bool) {
	seen, goals := uint64(0), Layout(0)
	for i := range 16 {
		switch tile := b.Cell(i); {
		case tile > goal && seen>>tile&1 != 0:
			return 0, false, false
		case tile > goal:
			seen, at = seen|1<<tile, at|1<<i
		case tile == goal:
			goals |= 1 << i
		}
	}
	switch missing := walls - at.Walls(); {
	case missing == 0:
		return at, goals != 0, true
	case missing == 1 && goals != 0: // the smallest wall is as large as the goal
		return at | goals, goals.Walls() > 1, true
	}
	return 0, false, false
}

// pack returns the word for a board. ok is false if its walls are on no layout of the ending, or if the goal is made.
func (e *walls) pack(b *board.Board, goal uint8) (w word, ok bool) {
	at, made, ok := wallsOf(b, goal, e.layouts[0].Walls())
	if !ok || made || e.images[at] == 0 {
		return 0, false
	}
	w = at.word()
	for i := range 16 {
		if at>>i&1 == 0 {
			w |= word(b.Cell(i)) << (4 * i)
		}
	}
	return w, true
}

// maxEndingGoal is the largest goal of an ending.
const maxEndingGoal = 1 << 12

// layouts returns the layouts of an ending that passed checkWalls.
func (p *Problem) layouts() (all []Layout) {
	for _, text := range strings.Fields(p.Walls) {
		l, err := ParseLayout(text)
		if err != nil {
			panic(err)
		}
		all = append(all, l)
	}
	return all
}

// checkWalls checks the layouts and the goal of an ending. It makes the layouts canonical and removes duplicates.
func (p *Problem) checkWalls() error {
	if s := p.Size; s != (board.Size{}) && s != bitboard.Size {
		return fmt.Errorf("walls on a %v board: must be 4x4", s)
	}
	p.Size = bitboard.Size
	var texts []string
	var all []Layout
	for _, text := range strings.Fields(p.Walls) {
		l, err := ParseLayout(text)
		if err != nil {
			return err
		}
		if l = l.Canonical(); !slices.Contains(all, l) {
			all, texts = append(all, l), append(texts, l.String())
		}
	}
	p.Walls = strings.Join(texts, " ")
	n := all[0].Walls()
	switch {
	case n == 0 || n > 12:
		return fmt.Errorf("layout with %d walls: must have 1 to 12", n)
	case len(all) > MaxLayouts:
		return fmt.Errorf("%d layouts: must be at most %d", len(all), MaxLayouts)
	case len(all) > 1 && !p.Free:
		return fmt.Errorf("%d layouts: must be one if the walls are fixed", len(all))
	case p.Goal == 0:
		return errors.New("an ending without a goal: must have one, a tile smaller than the walls")
	}
	for _, l := range all {
		if l.Walls() != n {
			return fmt.Errorf("layouts with %d and %d walls: must have the same number", n, l.Walls())
		}
	}
	if p.Goal > 0 && p.keys(len(all), 16-n) > 1<<32-2 {
		return fmt.Errorf("goal %d with %d free cells and %d layouts is too large to solve: use a smaller goal or more walls", p.Goal, 16-n, len(all))
	}
	return nil
}

// keys returns the number of keys of an ending with the given numbers of layouts and free cells.
func (p *Problem) keys(layouts, cells int) float64 {
	keys := float64(layouts)
	for range cells - 1 {
		keys *= float64(p.goal())
	}
	return keys
}

// wallsName returns a text that identifies the layouts in file names.
func (p *Problem) wallsName() string {
	name := "-walls"
	if p.Free {
		name = "-free"
	}
	for _, l := range p.layouts() {
		name += fmt.Sprintf("-%04x", uint16(l))
	}
	return name
}

// fits reports whether a board belongs to the ending: its walls are on an image of one of the layouts, and the goal is
// not made.
func (p *Problem) fits(b *board.Board) bool {
	layouts := p.layouts()
	at, made, ok := wallsOf(b, p.goal(), layouts[0].Walls())
	return ok && !made && slices.Contains(layouts, at.Canonical())
}

// arguments returns the size or the walls as arguments for the command "solve".
func (p *Problem) arguments() string {
	if p.Walls == "" {
		return p.Size.String()
	}
	if texts := strings.Fields(p.Walls); p.Free {
		return "--layouts '" + strings.Join(texts, ",") + "'"
	}
	return "--walls '" + p.Walls + "'"
}

// extent returns the extent of a problem. For a large ending it returns a fraction of bound, as an
// estimate: the endings solved so far with nine or more free cells have at most a sixth of the
// boards that bound counts, and at most a fifth of its boards in the largest layer.
func (p *Problem) extent() Extent {
	e := p.bound()
	if p.Walls != "" && e.Boards > 100_000_000 {
		e.Boards, e.Afterstates, e.Largest = e.Boards/4, e.Afterstates/8, e.Largest/4
	}
	return e
}

// bound returns the extent of a problem. For an ending it is an upper bound: all boards with tiles below the goal.
func (p *Problem) bound() Extent {
	if p.Walls == "" {
		e, _ := ExtentOf(p.Size)
		return e
	}
	layouts := p.layouts()
	cells := 16 - layouts[0].Walls()
	counts := []int64{1} // number of boards, by half the tile sum
	for range cells {
		next := slices.Clone(counts)
		for e := range p.goal() - 1 {
			tile := int(board.Tile(e+1)) / 2
			next = append(next, make([]int64, max(0, len(counts)+tile-len(next)))...)
			for i, n := range counts {
				next[i+tile] += n
			}
		}
		counts = next
	}
	e := Extent{Size: p.Size}
	for _, n := range counts {
		n *= int64(len(layouts))
		e.Boards += n
		e.Afterstates += n
		e.Largest = max(e.Largest, n)
	}
	return e
}

// ending returns the mean and the highest value of the starts of an ending, which are the boards with two 2s on free
// cells of the first layout. The valuer must hold the values of the afterstates with the tile sum 4.
func (v *valuer) ending() (mean, best float64) {
	walls := v.g.walls.layouts[0].word()
	n := 0
	for i := range 16 {
		for j := range i {
			w := walls | 1<<(4*i) | 1<<(4*j)
			if walls>>(4*i)&15 != 0 || walls>>(4*j)&15 != 0 {
				continue
			}
			var after [4]bitboard.Board
			bitboard.Board(w).Slides(&after)
			value := 0.0
			for _, a := range after {
				if a := word(a); a != w && v.g.allows(w, a) {
					value = max(value, v.next[0].find(v.g.key(v.g.canonical(a))))
				}
			}
			mean, best, n = mean+value, max(best, value), n+1
		}
	}
	return mean / float64(n), best
}

// endingMoves does what Moves does, for an ending. A move that the rule for walls does not allow
// has the value NaN. It fails with ErrUnreached for a board whose walls are on no layout of the
// ending, or that has the goal.
func (t *Table) endingMoves(b *board.Board) (moves [4]search.MoveValue, err error) {
	goal := t.Problem.goal()
	before, ok := t.g.walls.pack(b, goal)
	if !ok {
		return moves, ErrUnreached
	}
	var after [4]bitboard.Board
	bitboard.Board(before).Slides(&after)
	for d, a := range after {
		a := word(a)
		if a == before {
			continue
		}
		m := search.MoveValue{Legal: true, Value: math.NaN()}
		if t.g.allows(before, a) {
			if m.Value, err = t.afterstate(a); err != nil {
				return [4]search.MoveValue{}, err
			}
		}
		moves[d] = m
	}
	return moves, nil
}

// endingOf parses the file name of an ending's table. ok is false for other names.
func endingOf(name string) (p Problem, ok bool) {
	parts := strings.Split(strings.TrimSuffix(name, ".table"), "-")
	if len(parts) < 5 || parts[1] != "walls" && parts[1] != "free" {
		return p, false
	}
	n := len(parts)
	p.Free = parts[1] == "free"
	for _, part := range parts[2 : n-2] {
		l, err := strconv.ParseUint(part, 16, 16)
		if err != nil {
			return p, false
		}
		p.Walls += Layout(l).String() + " "
	}
	var errs [2]error
	p.Goal, errs[0] = strconv.ParseInt(parts[n-2], 10, 64)
	p.P4, errs[1] = strconv.ParseFloat(strings.TrimPrefix(parts[n-1], "p"), 64)
	p, err := p.normal()
	return p, err == nil && errs == [2]error{} && p.name()+".table" == name
}
