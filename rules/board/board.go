package board

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

const (
	// MinSide and MaxSide are the limits of a board's rows and columns.
	MinSide = 2
	MaxSide = 6
	// MaxExponent is the largest exponent in text and JSON.
	MaxExponent = 48
)

const (
	ones  = 0x0101010101010101 // the lowest bit of every lane, that is, of every byte
	lows  = 0x7f7f7f7f7f7f7f7f // all but the highest bit of every lane
	highs = 0x8080808080808080 // the highest bit of every lane
)

// Size is the number of rows and columns of a board.
type Size struct{ Rows, Cols int }

// Valid reports whether both sides are from MinSide to MaxSide.
func (s Size) Valid() bool {
	return s.Rows >= MinSide && s.Rows <= MaxSide && s.Cols >= MinSide && s.Cols <= MaxSide
}

// Cells returns the number of cells.
func (s Size) Cells() int { return s.Rows * s.Cols }

// Turned returns the size of the board rotated by 90 degrees: its rows are the columns of s.
func (s Size) Turned() Size { return Size{Rows: s.Cols, Cols: s.Rows} }

// Upright returns s or s.Turned(), whichever has at least as many columns as rows.
func (s Size) Upright() Size { return Size{Rows: min(s.Rows, s.Cols), Cols: max(s.Rows, s.Cols)} }

// String returns the size as RxC, such as 4x4.
func (s Size) String() string { return fmt.Sprintf("%dx%d", s.Rows, s.Cols) }

// ParseSize parses RxC, such as 4x4, with both sides from 2 to 6. Case and surrounding space are
// ignored.
func ParseSize(text string) (Size, error) {
	r, c, ok := strings.Cut(strings.ToLower(strings.TrimSpace(text)), "x")
	rows, errR := strconv.Atoi(r)
	cols, errC := strconv.Atoi(c)
	s := Size{rows, cols}
	if !ok || errR != nil || errC != nil || !s.Valid() {
		return Size{}, fmt.Errorf("size %q: must be RxC with rows and columns from %d to %d, such as 4x4", text, MinSide, MaxSide)
	}
	return s, nil
}

// MarshalText returns RxC.
func (s Size) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText parses RxC.
func (s *Size) UnmarshalText(text []byte) (err error) {
	*s, err = ParseSize(string(text))
	return err
}

// Board is a position: a size and an exponent for every cell (0 is empty). Boards are values and
// comparable with ==. The zero Board has no cells and no legal move.
type Board struct {
	rows [MaxSide]uint64 // a word for each row; byte c is the exponent in column c
	size Size
}

// New returns the empty board of a size. It panics if the size is not Valid.
func New(s Size) Board {
	if !s.Valid() {
		panic("board: invalid size " + s.String())
	}
	return Board{size: s}
}

// Size returns the number of rows and columns.
func (b *Board) Size() Size { return b.size }

// At returns the exponent in a row and column, counted from 0 at the top left.
func (b *Board) At(row, col int) uint8 { return uint8(b.rows[row] >> (8 * uint(col))) }

// Cell returns the exponent in cell i, row-major from the top left.
func (b *Board) Cell(i int) uint8 { return b.At(i/b.size.Cols, i%b.size.Cols) }

// Row returns row r as a word with the exponent of column c in byte c. Fast evaluators use it.
func (b *Board) Row(r int) uint64 { return b.rows[r] }

// Set sets the exponent of cell i, row-major from the top left.
func (b *Board) Set(i int, exponent uint8) {
	shift := 8 * uint(i%b.size.Cols)
	row := &b.rows[i/b.size.Cols]
	*row = *row&^(0xff<<shift) | uint64(exponent)<<shift
}

// occupied returns a mask of the highest bit of every non-zero lane of x.
func occupied(x uint64) uint64 { return (x + lows) & highs }

// Empty returns the number of empty cells. It combines the occupied masks of all rows in one word,
// with a different bit of each lane for each row, and counts all bits at once.
func (b *Board) Empty() int {
	r := &b.rows
	tiles := occupied(r[0])>>7 | occupied(r[1])>>6 | occupied(r[2])>>5 |
		occupied(r[3])>>4 | occupied(r[4])>>3 | occupied(r[5])>>2
	return b.size.Cells() - bits.OnesCount64(tiles)
}

// lanes returns a mask of the highest bit of the first n lanes.
func lanes(n int) uint64 { return highs & (1<<(8*uint(n)) - 1) }

// PlaceNth sets the exponent of the n-th empty cell, counted row-major from 0, and returns the
// cell's index. It panics if there are n or fewer empty cells.
func (b *Board) PlaceNth(n int, exponent uint8) int {
	all := lanes(b.size.Cols)
	for r := 0; r < b.size.Rows; r++ {
		free := all &^ occupied(b.rows[r])
		count := bits.OnesCount64(free)
		if n >= count {
			n -= count
			continue
		}
		for ; n > 0; n-- {
			free &= free - 1
		}
		lane := uint(bits.TrailingZeros64(free)) &^ 7
		b.rows[r] |= uint64(exponent) << lane
		return r*b.size.Cols + int(lane/8)
	}
	panic("board: too few empty cells on " + b.String())
}

// Largest returns the highest exponent on the board, 0 when it is empty.
func (b *Board) Largest() uint8 {
	x := larger(larger(b.rows[0], b.rows[1]), larger(b.rows[2], b.rows[3]))
	if b.size.Rows > 4 {
		x = larger(x, larger(b.rows[4], b.rows[5]))
	}
	if b.size.Cols > 4 {
		x = larger(x, x>>32)
	}
	x = larger(x, x>>16)
	return uint8(larger(x, x>>8))
}

// larger returns the maximum of x and y, lane by lane. All lanes must be below 128.
func larger(x, y uint64) uint64 {
	m := (x | highs) - y&lows // a lane's highest bit stays set where x >= y
	m &= highs
	keep := m<<1 - m>>7
	return x&keep | y&^keep
}

// Sum returns the sum of all tile values.
func (b *Board) Sum() (sum int64) {
	for r := 0; r < b.size.Rows; r++ {
		for row := b.rows[r]; row != 0; row >>= 8 {
			sum += Tile(uint8(row))
		}
	}
	return sum
}

// Tile returns the tile value of an exponent: 2^exponent, or 0 for an empty cell.
func Tile(exponent uint8) int64 { return int64(1) << (exponent & 63) &^ 1 }

// Terminal reports whether the game is over: no empty cell and no equal neighbours. On every board
// except the empty one this means that no move is legal.
func (b *Board) Terminal() bool {
	all := lanes(b.size.Cols)
	inner := all >> 8 // the lanes with a neighbour to their right
	var above uint64
	for r := 0; r < b.size.Rows; r++ {
		row := b.rows[r]
		if occupied(row) != all || occupied(row^row>>8)&inner != inner || r > 0 && occupied(row^above) != all {
			return false
		}
		above = row
	}
	return true
}

// Direction is the direction in which a slide moves the tiles.
type Direction uint8

// The four directions. The whole program uses these numbers: up 0, right 1, down 2, left 3.
const (
	Up Direction = iota
	Right
	Down
	Left
)

// Directions lists the four directions in order.
var Directions = [4]Direction{Up, Right, Down, Left}

var directionNames = [4]string{"up", "right", "down", "left"}

// String returns the lower-case name.
func (d Direction) String() string {
	if int(d) < len(directionNames) {
		return directionNames[d]
	}
	return fmt.Sprintf("Direction(%d)", uint8(d))
}

// ParseDirection parses a direction's name, ignoring case.
func ParseDirection(s string) (Direction, error) {
	for i, name := range directionNames {
		if strings.EqualFold(s, name) {
			return Direction(i), nil
		}
	}
	return 0, fmt.Errorf("direction %q: must be up, right, down or left", s)
}

// MarshalText returns the name, so that directions are strings and object keys in JSON.
func (d Direction) MarshalText() ([]byte, error) {
	if int(d) >= len(directionNames) {
		return nil, fmt.Errorf("direction %d does not exist", uint8(d))
	}
	return []byte(d.String()), nil
}

// UnmarshalText parses the name of a direction.
func (d *Direction) UnmarshalText(text []byte) (err error) {
	*d, err = ParseDirection(string(text))
	return err
}

// Transposed returns the board mirrored along its main diagonal; RxC becomes CxR.
func (b *Board) Transposed() Board {
	t := Board{rows: b.rows, size: Size{b.size.Cols, b.size.Rows}}
	transposeSix(&t.rows)
	return t
}

// Flipped returns the board with its rows in reverse order.
func (b *Board) Flipped() Board {
	f := *b
	reverseSix(&f.rows, b.size.Rows)
	return f
}

// Symmetries returns the images of the board under the rotations and reflections that keep its
// size, as [Board.Image] numbers them: eight for a square board, four for others. Images may be equal.
func (b *Board) Symmetries() (images []Board) {
	for i := range 8 {
		if image := b.Image(i); image.size == b.size {
			images = append(images, image)
		}
	}
	return images
}

// Image returns the image of the board under the rotation or reflection i, in [0, 8). If bit 2 of i
// is set, the board is transposed; then, if bit 0 is set, the order of the columns is reversed; if
// bit 1 is set, the order of the rows is reversed.
func (b *Board) Image(i int) Board {
	image := *b
	if (i&4 != 0) != (i&1 != 0) {
		image = image.Transposed()
	}
	if i&1 != 0 { // reverse the rows of the transposed board
		image = image.Flipped()
		image = image.Transposed()
	}
	if i&2 != 0 {
		image = image.Flipped()
	}
	return image
}
