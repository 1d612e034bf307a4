package bitboard_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Two 32768 tiles merge in package board and not here. A board on which all these tiles differ
// gives the expected result.

// unlike replaces each 32768 of a board with a different, larger tile.
func unlike(b bitboard.Board) board.Board {
	full := b.Board()
	for i := range 16 {
		if full.Cell(i) == bitboard.MaxExponent {
			full.Set(i, uint8(bitboard.MaxExponent+1+i))
		}
	}
	return full
}

// alike is the inverse of unlike.
func packedLike(full board.Board) (b bitboard.Board) {
	for i := range 16 {
		b |= bitboard.Board(min(full.Cell(i), bitboard.MaxExponent)) << (4 * i)
	}
	return b
}

// checkSlides compares all slides of a board with those of package board.
func checkSlides(t tester, b bitboard.Board) {
	t.Helper()
	full, twin := b.Board(), unlike(b)
	var all [4]bitboard.Afterstate
	b.Afterstates(&all)
	dead := true
	for _, d := range board.Directions {
		after, reward, moved := twin.Slide(d)
		want := bitboard.Afterstate{Board: packedLike(after), Reward: int32(reward), Moved: moved}
		if all[d] != want {
			t.Fatalf("%v of %v: %+v, want %+v", d, full, all[d], want)
		}
		if b, reward, moved := b.Slide(d); (bitboard.Afterstate{Board: b, Reward: reward, Moved: moved}) != want {
			t.Fatalf("%v of %v alone: %v, %d, %v, want %+v", d, full, b.Board(), reward, moved, want)
		}
		dead = dead && !moved
		// It is the true slide exactly when the true slide makes no 65536.
		after, reward, moved = full.Slide(d)
		if after.Largest() > bitboard.MaxExponent {
			continue
		}
		if after != want.Board.Board() || reward != int64(want.Reward) || moved != want.Moved {
			t.Fatalf("%v of %v: %+v, truly %v, %d, %v", d, full, want, after, reward, moved)
		}
	}
	if b.Terminal() != dead || dead != (twin.Terminal() || b == 0) {
		t.Fatalf("%v: Terminal() = %v", full, b.Terminal())
	}
}

// oneRow returns a board with a line as row 0.
func oneRow(line int) board.Board {
	full := board.New(bitboard.Size)
	for c := range 4 {
		full.Set(c, uint8(line>>(4*c))&15)
	}
	return full
}

// meets reports whether two 32768 tiles of a line have only empty cells between them.
func meets(line int) bool {
	before := 0
	for ; line != 0; line >>= 4 {
		e := line & 15
		if e == bitboard.MaxExponent && before == e {
			return true
		}
		if e != 0 {
			before = e
		}
	}
	return false
}

// Every line in both directions differs from package board exactly where two 32768 tiles meet.
func TestEveryLine(t *testing.T) {
	differ := 0
	for line := range 1 << 16 {
		full := oneRow(line)
		toFirst, rewardFirst, movedFirst := full.Slide(board.Left)
		toLast, rewardLast, movedLast := full.Slide(board.Right)
		first, last := bitboard.SlideLine(uint16(line))
		reward := int64(bitboard.Reward(uint16(line)))
		same := oneRow(line^int(first)) == toFirst && oneRow(line^int(last)) == toLast &&
			reward == rewardFirst && reward == rewardLast &&
			(first != 0) == movedFirst && (last != 0) == movedLast
		if same == meets(line) {
			t.Fatalf("%v: pushed %04x and %04x for %d, board says %v and %v for %d",
				full, uint16(line)^first, uint16(line)^last, reward, toFirst, toLast, rewardFirst)
		}
		if !same {
			differ++
		}
	}
	must.Equal(t, differ, 767, "lines that differ")
}

// Every line as every row and as every column. Cell r, c is cell r+c of the line,
// so row or column i is the line rotated by i cells.
func TestSlideEveryRow(t *testing.T) {
	for line := range bitboard.Board(1 << 16) {
		var b bitboard.Board
		for r := range 4 {
			turned := line>>(4*r) | line<<(16-4*r)&0xffff
			b |= turned << (16 * r)
		}
		checkSlides(t, b)
	}
}

func TestSlideAnyBoard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkSlides(t, anyBoard(t)) })
}
