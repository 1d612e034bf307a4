package ntuple

import (
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

const (
	// MinCells is the minimum number of cells of a pattern.
	MinCells = 2
	// MaxCells is the maximum number of cells of a pattern: 16^7 weights take a gigabyte.
	MaxCells = 7
	// MaxPatterns is the maximum number of patterns of a network.
	MaxPatterns = 64
)

// Pattern is a list of cells, row-major from the top left. The exponents in these cells determine
// the index into the pattern's table: first the upper two bits of each exponent, in the order of
// the list, then the lower two bits of each.
//
// This order is faster than plain exponents, because small tiles change all the time and large ones
// stay: successive boards agree in the upper halves and differ in the lower ones, so their weights
// are close together. In games of the 4x6 network, twenty moves touch a third fewer new pages of
// memory, and training is 15 % faster. Cells that change often, such as those in the middle, are best
// listed last.
type Pattern []uint8

// digits contains a digit for each cell: hexadecimal digits are enough for 4x4, and 6x6 needs all
// 36.
const digits = "0123456789abcdefghijklmnopqrstuvwxyz"

// ParsePattern reads a pattern, a digit from 0 to z for each cell.
func ParsePattern(text string) (Pattern, error) {
	p := make(Pattern, 0, len(text))
	for _, c := range strings.ToLower(text) {
		i := strings.IndexRune(digits, c)
		if i < 0 {
			return nil, fmt.Errorf("pattern %q: %q is not a cell: must be 0 to 9 or a to z, as in 012456", text, c)
		}
		p = append(p, uint8(i))
	}
	return p, nil
}

// String returns the pattern in the form that ParsePattern reads.
func (p Pattern) String() string {
	var b strings.Builder
	for _, c := range p {
		b.WriteByte(digits[int(c)%len(digits)])
	}
	return b.String()
}

// MarshalText returns the same text as String.
func (p Pattern) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText parses a pattern as ParsePattern does.
func (p *Pattern) UnmarshalText(text []byte) (err error) {
	*p, err = ParsePattern(string(text))
	return err
}

// Entries returns the number of weights in the pattern's table.
func (p Pattern) Entries() int { return 1 << (4 * len(p)) }

// Index returns the table index for these exponents, one per cell, each at most 15.
func (p Pattern) Index(exponents []uint8) int {
	high, low := 0, 0
	for _, e := range exponents {
		high, low = high<<2|int(e>>2), low<<2|int(e&3)
	}
	return high<<(2*len(p)) | low
}

// check returns an error unless the pattern is valid for boards of this size.
func (p Pattern) check(size board.Size) error {
	if len(p) < MinCells || len(p) > MaxCells {
		return fmt.Errorf("pattern %q has %d cells, must be from %d to %d", p, len(p), MinCells, MaxCells)
	}
	var seen uint64
	for _, c := range p {
		if int(c) >= size.Cells() {
			return fmt.Errorf("pattern %q: a %v board has no cell %c, its last is %c", p, size, digits[int(c)%len(digits)], digits[size.Cells()-1])
		}
		seen |= 1 << c
	}
	if bits.OnesCount64(seen) != len(p) {
		return fmt.Errorf("pattern %q names a cell twice", p)
	}
	return nil
}

// Stage is the condition under which a set of weights is used: a board must have, for each of these
// exponents, a separate tile of at least this exponent. {14} requires a tile of 16384 or more, {14, 13} also
// a second tile of 8192 or more. The empty list holds for every board.
type Stage []uint8

// Text returns the tiles of the condition, such as "16384+8192", or "any" if it is empty.
func (s Stage) Text() string {
	if len(s) == 0 {
		return "any"
	}
	return strings.Join(each.Of(s, func(e uint8) string { return strconv.FormatInt(board.Tile(e), 10) }), "+")
}

// check returns an error unless all exponents are from 1 to 15, in descending order.
func (s Stage) check() error {
	last := uint8(bitboard.MaxExponent)
	for _, e := range s {
		if e < 1 || e > last {
			return fmt.Errorf("stage %v: must be exponents from %d to 1, the largest first", []uint8(s), bitboard.MaxExponent)
		}
		last = e
	}
	return nil
}

// Holds reports whether b meets the condition.
func (s Stage) Holds(b bitboard.Board) bool {
	for k, e := range s {
		if atLeast(b, e) <= k {
			return false
		}
	}
	return true
}

// holdsOn does what Holds does, for boards of every size.
func (s Stage) holdsOn(b *board.Board) bool {
	for k, e := range s {
		found := 0
		for i := range b.Size().Cells() {
			if b.Cell(i) >= e {
				found++
			}
		}
		if found <= k {
			return false
		}
	}
	return true
}

// atLeast returns the number of tiles of exponent e or more, for e from 1 to 15. It splits each nibble into
// its highest bit and the three lower ones, x. Adding 8-e to x sets the highest bit if x >= e; for e >= 8,
// adding 16-e sets it if x >= e-8.
func atLeast(b bitboard.Board, e uint8) int {
	const ones, highs = 0x1111111111111111, 0x8888888888888888
	low := uint64(b) &^ highs
	if e >= 8 {
		return bits.OnesCount64((low + uint64(16-e)*ones) & uint64(b) & highs)
	}
	return bits.OnesCount64((low + uint64(8-e)*ones | uint64(b)) & highs)
}

// MarshalJSON writes a list of numbers. Go would write a list of bytes as base64.
func (s Stage) MarshalJSON() ([]byte, error) {
	numbers := make([]int, len(s))
	for i, e := range s {
		numbers[i] = int(e)
	}
	return json.Marshal(numbers)
}

// UnmarshalJSON reads a list of numbers.
func (s *Stage) UnmarshalJSON(text []byte) error {
	var numbers []int
	if err := json.Unmarshal(text, &numbers); err != nil || numbers == nil {
		return fmt.Errorf("a stage must be a list of exponents such as [14,13], not %.20s", text)
	}
	*s = Stage{}
	for _, n := range numbers {
		if n < 0 || n > math.MaxUint8 {
			return fmt.Errorf("a stage must be a list of exponents such as [14,13], not %d", n)
		}
		*s = append(*s, uint8(n))
	}
	return nil
}
