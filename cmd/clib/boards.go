//go:build clib

package main

// #include <stdint.h>
import "C"

import (
	"fmt"
	"strconv"

	"github.com/afterstate2048/afterstate/internal/palette"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// boardOf converts exponents to a board.
func boardOf(size board.Size, exponents []uint8) (board.Board, error) {
	b := board.New(size)
	for i, e := range exponents {
		if e > board.MaxExponent {
			return b, fmt.Errorf("cell %d is %d: must be an exponent from 0 to %d, such as 11 for 2048", i, e, board.MaxExponent)
		}
		b.Set(i, e)
	}
	return b, nil
}

// afterstate_boards_afterstates writes the results of the four slides of n boards of one size, as
// afterstate_vector_afterstates does.
//
//export afterstate_boards_afterstates
func afterstate_boards_afterstates(n C.int64_t, rows, cols C.int32_t, boards, after *C.uint8_t, merged *C.int64_t, legal *C.uint8_t) (text *C.char) {
	defer guard(&text)
	size := board.Size{Rows: int(rows), Cols: int(cols)}
	if !size.Valid() {
		return errorText(sizeError(size))
	}
	const maximum = 1 << 50 // more boards exceed the address space
	if n < 0 || n > maximum {
		return errorText(fmt.Errorf("%d boards: must be from 0 to %d", n, maximum))
	}
	cells := size.Cells()
	from, to := slice[uint8](boards, int(n)*cells), optional[uint8](after, 4*int(n)*cells)
	sums, changed := optional[[4]int64](merged, int(n)), optional[[4]bool](legal, int(n))
	for i := range int(n) {
		b, err := boardOf(size, from[i*cells:(i+1)*cells])
		if err != nil {
			return errorText(fmt.Errorf("board %d: %w", i, err))
		}
		var all [4]board.Afterstate
		b.Afterstates(&all)
		for d := range all {
			if to != nil {
				writeBoard(&all[d].Board, to[(4*i+d)*cells:])
			}
			if sums != nil {
				sums[i][d] = all[d].Reward
			}
			if changed != nil {
				changed[i][d] = all[d].Moved
			}
		}
	}
	return nil
}

func sizeError(s board.Size) error {
	return fmt.Errorf("size %v: rows and columns must be from %d to %d", s, board.MinSide, board.MaxSide)
}

// writeBoard writes the exponents of a board, one byte per cell.
func writeBoard(b *board.Board, to []uint8) {
	for i := range b.Size().Cells() {
		to[i] = b.Cell(i)
	}
}

// afterstate_boards_spawn puts the tile that a random number selects on a board: cell
// (random>>32)*n>>32 of the n empty ones in row-major order, and a 4 if the lower 32 bits are below
// floor(p4 * 2^32). The board is unchanged if it has no empty cell, which is an error.
//
//export afterstate_boards_spawn
func afterstate_boards_spawn(rows, cols C.int32_t, cells *C.uint8_t, p4 C.double, random C.uint64_t) (text *C.char) {
	defer guard(&text)
	size := board.Size{Rows: int(rows), Cols: int(cols)}
	if !size.Valid() {
		return errorText(sizeError(size))
	}
	to := slice[uint8](cells, size.Cells())
	b, err := boardOf(size, to)
	switch {
	case err != nil:
		return errorText(err)
	case b.Empty() == 0:
		return errorText(fmt.Errorf("%v has no empty cell for a new tile", b))
	case !(p4 >= 0 && p4 <= 1):
		return errorText(fmt.Errorf("p4 is %v: must be the probability of a 4, from 0 to 1", float64(p4)))
	}
	game.NewRandom(0, 0, float64(p4)).Place(&b, uint64(random))
	writeBoard(&b, to)
	return nil
}

// afterstate_palette writes the colours of board pictures, three bytes each for red, green and
// blue: the colours of the tiles by exponent, from 0 (an empty cell) to 48; the colours of the
// numbers on them in the same order; the colour of the grid.
//
//export afterstate_palette
func afterstate_palette(rgb *C.uint8_t) (text *C.char) {
	defer guard(&text)
	const tiles = board.MaxExponent + 1
	to := slice[uint8](rgb, 3*(2*tiles+1))
	put := func(i int, colour string) {
		n, _ := strconv.ParseUint(colour[1:], 16, 32) // cannot fail: a test of package palette checks the colours
		copy(to[3*i:], []uint8{uint8(n >> 16), uint8(n >> 8), uint8(n)})
	}
	put(0, palette.EmptyLight)
	put(tiles, palette.EmptyLight)
	put(2*tiles, palette.GridLight)
	for e := 1; e < tiles; e++ {
		fill, ink := palette.Tile(uint8(e))
		put(e, fill)
		put(tiles+e, ink)
	}
	return nil
}

// afterstate_run_checkpoint sets path to the path of a training run's network, a text that the
// caller frees.
//
//export afterstate_run_checkpoint
func afterstate_run_checkpoint(run *C.char, path **C.char) (text *C.char) {
	defer guard(&text)
	found, err := checkpoint(C.GoString(run))
	return answerText(path, found, err)
}
