package ntuple

import (
	"afterstate/bitboard"
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

// indices4x6 fills the indices of 012345 456789 012456 45689a.
func indices4x6(dst *[4]SymIndices, b bitboard.Board) {
	for s, x := range turned(b) {
		l, h, s := sixteen(uint64(x)), sixteen(uint64(x>>2)), s&7
		dst[0][s] = p012345(h)<<12 | p012345(l)
		dst[1][s] = p456789(h)<<12 | p456789(l)
		dst[2][s] = p012456(h)<<12 | p012456(l)
		dst[3][s] = p45689a(h)<<12 | p45689a(l)
	}
}

// indices8x6 fills the indices of 012456 456789 012345 234569 01259a 345678 134567
// 01489a.
func indices8x6(dst *[8]SymIndices, b bitboard.Board) {
	for s, x := range turned(b) {
		l, h, s := sixteen(uint64(x)), sixteen(uint64(x>>2)), s&7
		dst[0][s] = p012456(h)<<12 | p012456(l)
		dst[1][s] = p456789(h)<<12 | p456789(l)
		dst[2][s] = p012345(h)<<12 | p012345(l)
		dst[3][s] = p234569(h)<<12 | p234569(l)
		dst[4][s] = p01259a(h)<<12 | p01259a(l)
		dst[5][s] = p345678(h)<<12 | p345678(l)
		dst[6][s] = p134567(h)<<12 | p134567(l)
		dst[7][s] = p01489a(h)<<12 | p01489a(l)
	}
}

// indices12x6 fills the indices of those of 8x6 and of 012468 012589 01269a 12589a.
func indices12x6(dst *[12]SymIndices, b bitboard.Board) {
	indices8x6((*[8]SymIndices)(dst[:]), b)
	for s, x := range turned(b) {
		l, h, s := sixteen(uint64(x)), sixteen(uint64(x>>2)), s&7
		dst[8][s] = p012468(h)<<12 | p012468(l)
		dst[9][s] = p012589(h)<<12 | p012589(l)
		dst[10][s] = p01269a(h)<<12 | p01269a(l)
		dst[11][s] = p12589a(h)<<12 | p12589a(l)
	}
}

// These put a pattern's cells together, two bits each; cell i lies in bits 30-2i.

func p012345(x uint32) uint32 { return x >> 20 }
func p456789(x uint32) uint32 { return x >> 12 & 0xfff }
func p012456(x uint32) uint32 { return x>>20&0xfc0 | x>>18&0x3f }
func p45689a(x uint32) uint32 { return x>>12&0xfc0 | x>>10&0x3f }
func p234569(x uint32) uint32 { return x>>16&0xffc | x>>12&0x3 }
func p01259a(x uint32) uint32 { return x>>20&0xfc0 | x>>16&0x30 | x>>10&0xf }
func p345678(x uint32) uint32 { return x >> 14 & 0xfff }
func p134567(x uint32) uint32 { return x>>18&0xc00 | x>>16&0x3ff }
func p01489a(x uint32) uint32 { return x>>20&0xf00 | x>>16&0xc0 | x>>10&0x3f }
func p012468(x uint32) uint32 { return x>>20&0xfc0 | x>>18&0x30 | x>>16&0xc | x>>14&0x3 }
func p012589(x uint32) uint32 { return x>>20&0xfc0 | x>>16&0x30 | x>>12&0xf }
func p01269a(x uint32) uint32 { return x>>20&0xfc0 | x>>14&0x30 | x>>10&0xf }
func p12589a(x uint32) uint32 { return x>>18&0xf00 | x>>14&0xc0 | x>>10&0x3f }
