package ntuple

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// named is the table of the predefined layouts. The name 4x6 means 4 patterns of 6 cells each.
var named = []struct {
	size      board.Size
	name      string
	patterns  string
	isDefault bool // DefaultLayout returns this layout
}{
	{board.Size{Rows: 4, Cols: 4}, "2x4", "0123 4567", false},
	{board.Size{Rows: 4, Cols: 4}, "5x4", "0123 4567 0145 1256 569a", false},
	{board.Size{Rows: 4, Cols: 4}, "4x5", "01234 45678 01245 45689", false},
	{board.Size{Rows: 4, Cols: 4}, "2x6", "012345 456789", false},
	{board.Size{Rows: 4, Cols: 4}, "4x6", "012345 456789 012456 45689a", true},
	{board.Size{Rows: 4, Cols: 4}, "5x6", "012456 456789 012345 234569 01259a", false},
	{board.Size{Rows: 4, Cols: 4}, "6x6", "012456 456789 012345 234569 01259a 345678", false},
	{board.Size{Rows: 4, Cols: 4}, "8x6", "012456 456789 012345 234569 01259a 345678 134567 01489a", false},
	{board.Size{Rows: 4, Cols: 4}, "12x6", "012456 456789 012345 234569 01259a 345678 134567 01489a 012468 012589 01269a 12589a", false},
	{board.Size{Rows: 3, Cols: 3}, "2x3", "012 345", false},
	{board.Size{Rows: 3, Cols: 3}, "3x4", "0134 0123 1345", false},
	{board.Size{Rows: 3, Cols: 3}, "2x6", "012345 012347", true},
	{board.Size{Rows: 3, Cols: 4}, "3x6", "012345 456789 012456", false},
}

// Named returns the layout with the given name: a predefined layout, or the layout that [DefaultLayout]
// returns. The error for an unknown name lists the names for this size.
func Named(size board.Size, name string) (Layout, error) {
	if l, err := DefaultLayout(size); err == nil && l.Name == name {
		return l, nil
	}
	for _, n := range named {
		if n.size == size && n.name == name {
			l, err := ParseLayout(size, n.patterns)
			l.Name = name
			return l, err
		}
	}
	return Layout{}, fmt.Errorf("network %q for %v boards: must be one of %s, or patterns by cell such as %s",
		name, size, strings.Join(Names(size), ", "), named[0].patterns)
}

// Names returns the names of the predefined layouts for a board size, from the smallest layout to the
// largest.
func Names(size board.Size) (names []string) {
	for _, n := range named {
		if n.size == size {
			names = append(names, n.name)
		}
	}
	if l, err := DefaultLayout(size); err == nil && !slices.Contains(names, l.Name) {
		names = append(names, l.Name)
	}
	return names
}

// ParseLayout parses a list of patterns, separated by spaces or commas, such as "012345 456789", and returns
// their layout, with one stage. For the form of a pattern see [ParsePattern].
func ParseLayout(size board.Size, patterns string) (Layout, error) {
	l := Layout{Size: size}
	for _, word := range strings.FieldsFunc(patterns, func(r rune) bool { return r == ' ' || r == ',' }) {
		p, err := ParsePattern(word)
		if err != nil {
			return Layout{}, err
		}
		l.Patterns = append(l.Patterns, p)
	}
	return l, l.Validate()
}

// Layout is the shape of a network, without its weights.
type Layout struct {
	Size     board.Size `json:"size"`
	Name     string     `json:"name,omitempty"` // for display only
	Patterns []Pattern  `json:"patterns"`
	// Stages lists the conditions of the stages. Each stage has its own set of weights, and a board
	// belongs to the last stage whose condition holds for it. The first condition must be empty, so
	// that it holds for all boards. nil means one stage.
	Stages []Stage `json:"stages,omitempty"`
	// Walls, if not 0, makes this the layout of an ending network (package endings) for boards with
	// at least this number of walls; see EndingLayout. During training, the stages of such a
	// network inherit no weights from earlier stages; in players, a stage inherits weights from
	// earlier stages of its family (see Families).
	Walls uint8 `json:"walls,omitempty"`
	// If Fixed is true, each pattern is read at its own cells only, not at their images under the
	// symmetries of the board. All eight indices of a pattern are then equal: its weight is added
	// eight times, so the weight in memory is an eighth of what the pattern adds to a value.
	Fixed bool `json:"fixed,omitempty"`
}

// StageCount returns the number of stages, at least one.
func (l *Layout) StageCount() int { return max(1, len(l.Stages)) }

// Entries returns the number of weights in one stage.
func (l *Layout) Entries() (n int) {
	for _, p := range l.Patterns {
		n += p.Entries()
	}
	return n
}

// Begins returns the offsets, in words, of the tables of a stage if they are stored without gaps, as in files, and
// the end of the last table.
func (l *Layout) Begins() (begins []int, end int) { return l.place(0) }

// Spread returns the same as Begins for tables in memory, which have gaps between them. The size of
// a table is a power of two, and a board reads similar entries of all tables. Without gaps, these
// entries would compete for the same sets of the processor's caches.
func (l *Layout) Spread() (begins []int, end int) { return l.place(311 * 32) }

func (l *Layout) place(gap int) (begins []int, end int) {
	for p := range l.Patterns {
		if p > 0 {
			end += gap
		}
		begins = append(begins, end)
		end += l.Patterns[p].Entries()
	}
	return begins, end
}

// Weights returns the number of weights in all stages.
func (l *Layout) Weights() int { return l.StageCount() * l.Entries() }

// Features returns the number of weights that are summed to evaluate a board: eight for each pattern.
func (l *Layout) Features() int { return 8 * len(l.Patterns) }

// Equal reports whether two layouts have the same patterns, walls and stages.
func (l *Layout) Equal(m *Layout) bool {
	return l.SamePatterns(m) && l.Walls == m.Walls && slices.EqualFunc(l.stages(), m.stages(), slices.Equal[Stage])
}

// SamePatterns reports whether two layouts have the same board size, patterns and symmetries.
func (l *Layout) SamePatterns(m *Layout) bool {
	return l.Size == m.Size && l.Fixed == m.Fixed && slices.EqualFunc(l.Patterns, m.Patterns, slices.Equal[Pattern])
}

// Locate returns the index in l of each of the given patterns; equal patterns get different indices.
// If l lacks a pattern, indices is nil and missing is that pattern.
func (l *Layout) Locate(patterns []Pattern) (indices []int, missing Pattern) {
	for _, p := range patterns {
		at := 0
		for at < len(l.Patterns) && (!slices.Equal(p, l.Patterns[at]) || slices.Contains(indices, at)) {
			at++
		}
		if at == len(l.Patterns) {
			return nil, p
		}
		indices = append(indices, at)
	}
	return indices, nil
}

// StageIndex returns the index of the stage with this condition, or -1 if no stage has it.
func (l *Layout) StageIndex(s Stage) int {
	return slices.IndexFunc(l.stages(), func(t Stage) bool { return slices.Equal(s, t) })
}

// PatternText returns the patterns in the form that ParseLayout reads.
func (l *Layout) PatternText() string {
	return strings.Join(each.Of(l.Patterns, Pattern.String), " ")
}

func (l *Layout) stages() []Stage {
	if len(l.Stages) == 0 {
		return []Stage{{}}
	}
	return l.Stages
}

// MaxStages is the largest number of stages of a network.
const MaxStages = 32

// Validate returns an error that names what is invalid: the size, the number of patterns or stages,
// a pattern's cells or a stage's condition.
func (l *Layout) Validate() error {
	if s := l.Size; !s.Valid() {
		return fmt.Errorf("no networks for %v boards: must be from 2 to 6 rows and columns", s)
	}
	if n := len(l.Patterns); n == 0 || n > MaxPatterns {
		return fmt.Errorf("network with %d patterns: must be from 1 to %d", n, MaxPatterns)
	}
	for _, p := range l.Patterns {
		if err := p.check(l.Size); err != nil {
			return err
		}
	}
	if len(l.Stages) > MaxStages {
		return fmt.Errorf("network with %d stages: must be at most %d", len(l.Stages), MaxStages)
	}
	for i, s := range l.Stages {
		if err := s.check(); err != nil {
			return err
		}
		if (i == 0) != (len(s) == 0) {
			return fmt.Errorf("stage %d has the condition %v: stage 0 must have [], which every board meets, and no other stage may", i, []uint8(s))
		}
	}
	if l.Walls > 0 {
		return l.checkEndings()
	}
	return nil
}

// defaultCells is the number of cells of the patterns of DefaultLayout, and defaultPatterns the maximum number of
// patterns: each takes 64 MiB of weights, and three times that in training.
const (
	defaultCells    = 6
	defaultPatterns = 9
)

// DefaultLayout returns the layout for training on boards of a size if no network is named: 4x6 on
// 4x4, 2x6 on 3x3, and on other sizes the following patterns, without those that are symmetric
// images of another one:
//
//   - every block of 2x3 cells, and
//   - every row and column of four or more cells, extended to six cells by the first cells of the
//     next row or column towards the middle of the board.
//
// If there are more than nine such patterns, the layout has the nine closest to the edge. On boards
// too small for a block, the only pattern is the complete board.
func DefaultLayout(size board.Size) (Layout, error) {
	for _, n := range named {
		if n.size == size && n.isDefault {
			l, err := ParseLayout(size, n.patterns)
			l.Name = n.name
			return l, err
		}
	}
	l := Layout{Size: size}
	if size.Valid() {
		l.Patterns = defaultPatternsOf(size)
		l.Name = fmt.Sprintf("%dx%d", len(l.Patterns), len(l.Patterns[0]))
	}
	if err := l.Validate(); err != nil {
		return Layout{}, err
	}
	return l, nil
}

// defaultPatternsOf returns the patterns of DefaultLayout.
func defaultPatternsOf(size board.Size) (patterns []Pattern) {
	var seen [][]uint8 // results of minImage
	add := func(p Pattern) {
		if minimum := minImage(size, p); !slices.ContainsFunc(seen, func(s []uint8) bool { return slices.Equal(s, minimum) }) {
			seen, patterns = append(seen, minimum), append(patterns, p)
		}
	}
	for distance := range max(size.Rows, size.Cols) {
		if size.Cols >= 4 && distance < (size.Rows+1)/2 {
			add(linePattern(size, distance, false))
		}
		if size.Rows >= 4 && distance < (size.Cols+1)/2 {
			add(linePattern(size, distance, true))
		}
		for r := range size.Rows {
			for c := range size.Cols {
				if min(r, c) != distance {
					continue
				}
				if r+2 <= size.Rows && c+3 <= size.Cols {
					add(blockPattern(size, r, c, 2, 3))
				}
				if r+3 <= size.Rows && c+2 <= size.Cols {
					add(blockPattern(size, r, c, 3, 2))
				}
			}
		}
	}
	if len(patterns) == 0 {
		return []Pattern{blockPattern(size, 0, 0, size.Rows, size.Cols)}
	}
	return patterns[:min(len(patterns), defaultPatterns)]
}

// linePattern returns a row or column, extended to six cells, if it is shorter, by the first cells
// of the next row or column.
func linePattern(size board.Size, line int, column bool) (p Pattern) {
	length, cell := size.Cols, func(line, k int) int { return line*size.Cols + k }
	if column {
		length, cell = size.Rows, func(line, k int) int { return k*size.Cols + line }
	}
	for k := range length {
		p = append(p, uint8(cell(line, k)))
	}
	for k := 0; len(p) < defaultCells; k++ {
		p = append(p, uint8(cell(line+1, k)))
	}
	return p
}

func blockPattern(size board.Size, row, col, rows, cols int) (p Pattern) {
	for r := range rows {
		for c := range cols {
			p = append(p, uint8((row+r)*size.Cols+col+c))
		}
	}
	return p
}

// minImage returns a canonical form of a pattern: the smallest of its images under the symmetries
// of the board. An image is a sorted list of cells.
func minImage(size board.Size, p Pattern) (minimum []uint8) {
	for s := range 8 {
		image := each.Of(p, func(c uint8) uint8 { return uint8(sourceCell(size, s, int(c))) })
		slices.Sort(image)
		if minimum == nil || slices.Compare(image, minimum) < 0 {
			minimum = image
		}
	}
	return minimum
}

// ParseNetwork reads the name of a layout, as Named does, or its patterns, as ParseLayout does.
// Text that begins with a digit is read as patterns unless it looks like 4x6, so the error for a
// pattern with a mistake names the invalid cell.
func ParseNetwork(size board.Size, text string) (Layout, error) {
	cells := digits[:max(16, min(size.Cells(), len(digits)))]
	first, second, crossed := strings.Cut(strings.ToLower(text), "x")
	switch {
	case crossed && first != "" && second != "" && strings.Trim(first+second, "0123456789") == "": // such as 4x6
		return Named(size, text)
	case text != "" && text[0] >= '0' && text[0] <= '9', strings.Trim(strings.ToLower(text), cells+" ,") == "":
		return ParseLayout(size, text)
	}
	return Named(size, text)
}

// ParseStages reads the stages after the first, such as "16384/16384,8192" or "14/14,13", and returns
// all stages, including the first.
func ParseStages(text string) ([]Stage, error) {
	stages := []Stage{{}}
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == '/' || r == ' ' }) {
		s := Stage{}
		for _, word := range strings.Split(part, ",") {
			n, err := strconv.ParseInt(word, 10, 64)
			if err == nil && n > bitboard.MaxExponent && n&(n-1) == 0 {
				n = int64(bits.TrailingZeros64(uint64(n)))
			}
			if err != nil || n < 1 || n > bitboard.MaxExponent {
				return nil, fmt.Errorf("%q: must be tiles up to 32768 or their exponents, such as 16384/16384,8192", word)
			}
			s = append(s, uint8(n))
		}
		slices.Sort(s)
		slices.Reverse(s)
		if slices.ContainsFunc(stages, func(t Stage) bool { return slices.Equal(s, t) }) {
			return nil, fmt.Errorf("%s occurs twice", s.Text())
		}
		stages = append(stages, s)
	}
	if len(stages) > MaxStages {
		return nil, fmt.Errorf("%d stages after the first: must be at most %d", len(stages)-1, MaxStages-1)
	}
	return stages, nil
}
