package record

import (
	"fmt"
	"strings"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// PackMoves packs moves into two bits each, the first in the lowest bits of the first byte. It
// panics on an invalid direction.
func PackMoves(moves []board.Direction) []byte {
	packed := make([]byte, (len(moves)+3)/4)
	for i, d := range moves {
		if d > board.Left {
			panic("record: no such direction as " + d.String())
		}
		packed[i/4] |= byte(d) << (i % 4 * 2)
	}
	return packed
}

// UnpackMoves is the inverse of PackMoves. It fails, before it allocates, unless the bytes are
// exactly those that PackMoves returns for count moves.
func UnpackMoves(packed []byte, count int) ([]board.Direction, error) {
	if count < 0 || len(packed) != count/4+(count%4+3)/4 {
		return nil, fmt.Errorf("moves: %d bytes do not hold %d moves: want 4 moves a byte", len(packed), count)
	}
	if used := count % 4 * 2; used > 0 && packed[len(packed)-1]>>used != 0 {
		return nil, fmt.Errorf("moves: the bits after move %d are not zero", count)
	}
	moves := make([]board.Direction, count)
	for i := range moves {
		moves[i] = board.Direction(packed[i/4] >> (i % 4 * 2) & 3)
	}
	return moves, nil
}

// base36 are the characters for cells; a 6x6 board uses all of them.
const base36 = "0123456789abcdefghijklmnopqrstuvwxyz"

// appendSpawns appends two characters per tile. The record must be valid.
func appendSpawns(dst []byte, spawns []game.Spawn) []byte {
	for _, s := range spawns {
		dst = append(dst, base36[s.Cell], '0'+s.Exponent)
	}
	return dst
}

// unpackSpawns is the inverse of appendSpawns; check compares cells with the board's size later.
func unpackSpawns(text string, count int) ([]game.Spawn, error) {
	if len(text) != 2*count {
		return nil, fmt.Errorf("spawns has %d characters: want %d, two for each of %d tiles", len(text), 2*count, count)
	}
	spawns := make([]game.Spawn, count)
	for i := range spawns {
		cell, exponent := strings.IndexByte(base36, text[2*i]), text[2*i+1]-'0'
		if cell < 0 || exponent != 1 && exponent != 2 {
			return nil, fmt.Errorf("spawn %d is %q: want a cell 0-9a-z and 1 (a 2) or 2 (a 4)", i+1, text[2*i:2*i+2])
		}
		spawns[i] = game.Spawn{Cell: cell, Exponent: exponent}
	}
	return spawns, nil
}
