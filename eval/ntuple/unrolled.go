package ntuple

import (
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// unrolled names the networks whose index computation is unrolled in Go, for machines without the
// kernel.
type unrolled uint8

const (
	isOther unrolled = iota
	is4x6
	is8x6
	is12x6
)

func unrolledFor(l *Layout) unrolled {
	for name, kind := range map[string]unrolled{"4x6": is4x6, "8x6": is8x6, "12x6": is12x6} {
		n, err := Named(bitboard.Size, name)
		if err == nil && l.SamePatterns(&n) {
			return kind
		}
	}
	return isOther
}

// turned returns the symmetries in their order, each rotated by half a turn: cell i is in nibble
// 15-i, so a row of cells reads like an index.
func turned(b bitboard.Board) [8]bitboard.Board {
	x := b.Symmetries()
	return [8]bitboard.Board{x[3], x[2], x[1], x[0], x[7], x[6], x[5], x[4]}
}

// sixteen extracts every other pair of bits, from the lowest on.
func sixteen(x uint64) uint32 {
	x &= 0x3333333333333333
	x = (x | x>>2) & 0x0f0f0f0f0f0f0f0f
	x = (x | x>>4) & 0x00ff00ff00ff00ff
	x = (x | x>>8) & 0x0000ffff0000ffff
	return uint32(x | x>>16)
}

// halves extracts the upper two bits of all exponents into the upper half, and the lower two into the
// lower one.
func halves(b bitboard.Board) uint64 {
	return uint64(sixteen(uint64(b>>2)))<<32 | uint64(sixteen(uint64(b)))
}

// indices4x6 fills the indices of 012345 456789 012456 45689a.
func indices4x6(dst *[4]SymIndices, b bitboard.Board) {
	for s, x := range turned(b) {
		x, s := halves(x), s&7
		dst[0][s] = joined(p012345(x))
		dst[1][s] = joined(p456789(x))
		dst[2][s] = joined(p012456(x))
		dst[3][s] = joined(p45689a(x))
	}
}

// indices8x6 fills the indices of 012456 456789 012345 234569 01259a 345678 134567
// 01489a.
func indices8x6(dst *[8]SymIndices, b bitboard.Board) {
	for s, x := range turned(b) {
		x, s := halves(x), s&7
		dst[0][s] = joined(p012456(x))
		dst[1][s] = joined(p456789(x))
		dst[2][s] = joined(p012345(x))
		dst[3][s] = joined(p234569(x))
		dst[4][s] = joined(p01259a(x))
		dst[5][s] = joined(p345678(x))
		dst[6][s] = joined(p134567(x))
		dst[7][s] = joined(p01489a(x))
	}
}

// indices12x6 fills the indices of those of 8x6 and of 012468 012589 01269a 12589a.
func indices12x6(dst *[12]SymIndices, b bitboard.Board) {
	indices8x6((*[8]SymIndices)(dst[:]), b)
	for s, x := range turned(b) {
		x, s := halves(x), s&7
		dst[8][s] = joined(p012468(x))
		dst[9][s] = joined(p012589(x))
		dst[10][s] = joined(p01269a(x))
		dst[11][s] = joined(p12589a(x))
	}
}

// joined makes an index of twelve bits in each half.
func joined(x uint64) uint32 { return uint32(x>>20) | uint32(x) }

// These put a pattern's cells together in both halves, two bits each; cell i lies in bits 30-2i.

const both = 1<<32 + 1

func p012345(x uint64) uint64 { return x >> 20 & (0xfff * both) }
func p456789(x uint64) uint64 { return x >> 12 & (0xfff * both) }
func p012456(x uint64) uint64 { return x>>20&(0xfc0*both) | x>>18&(0x3f*both) }
func p45689a(x uint64) uint64 { return x>>12&(0xfc0*both) | x>>10&(0x3f*both) }
func p234569(x uint64) uint64 { return x>>16&(0xffc*both) | x>>12&(0x3*both) }
func p01259a(x uint64) uint64 { return x>>20&(0xfc0*both) | x>>16&(0x30*both) | x>>10&(0xf*both) }
func p345678(x uint64) uint64 { return x >> 14 & (0xfff * both) }
func p134567(x uint64) uint64 { return x>>18&(0xc00*both) | x>>16&(0x3ff*both) }
func p01489a(x uint64) uint64 { return x>>20&(0xf00*both) | x>>16&(0xc0*both) | x>>10&(0x3f*both) }
func p012468(x uint64) uint64 {
	return x>>20&(0xfc0*both) | x>>18&(0x30*both) | x>>16&(0xc*both) | x>>14&(0x3*both)
}
func p012589(x uint64) uint64 { return x>>20&(0xfc0*both) | x>>16&(0x30*both) | x>>12&(0xf*both) }
func p01269a(x uint64) uint64 { return x>>20&(0xfc0*both) | x>>14&(0x30*both) | x>>10&(0xf*both) }
func p12589a(x uint64) uint64 { return x>>18&(0xf00*both) | x>>14&(0xc0*both) | x>>10&(0x3f*both) }
