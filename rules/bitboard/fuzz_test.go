package bitboard_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// FuzzSlide tests any board, also with adjacent 32768 tiles.
func FuzzSlide(f *testing.F) {
	for _, seed := range []uint64{0, 1, 0x1111222233334444, 0x123456789abcdef0, 0xeeee0f0f0ee0dd11, 1<<64 - 1} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, x uint64) {
		b := bitboard.Board(x)
		checkCounts(t, b, b.Board())
		checkSlides(t, b)
		for _, image := range b.Symmetries() {
			checkSlides(t, image)
			if image.Canonical() != b.Canonical() {
				t.Fatalf("%v and its image %v: canonical %v and %v", b.Board(), image.Board(), b.Canonical().Board(), image.Canonical().Board())
			}
		}
	})
}

// FuzzPack takes the exponents of the upper and the lower half, a byte each.
func FuzzPack(f *testing.F) {
	f.Add(uint64(0x0c0d0e0f10110e0f), uint64(0x0102010203040506), uint8(3), uint64(1))
	f.Add(uint64(0x090a0b0c0d0e0f10), uint64(0x0001010203040507), uint8(1), uint64(2))
	f.Add(uint64(0x3030302f2f2e2d2c), uint64(0x0000000001020101), uint8(200), uint64(3))
	f.Fuzz(func(t *testing.T, upper, lower uint64, moves uint8, seed uint64) {
		var exponents [16]byte
		binary.LittleEndian.PutUint64(exponents[:], upper)
		binary.LittleEndian.PutUint64(exponents[8:], lower)
		full := board.New(bitboard.Size)
		for i, e := range exponents {
			full.Set(i, e%(board.MaxExponent+1))
		}
		follow(t, rand.New(rand.NewPCG(seed, 0)), full, int(moves))
	})
}
