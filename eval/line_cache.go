package eval

import "github.com/afterstate2048/afterstate/rules/board"

// lineCache is a direct-mapped cache of line values by key. A search meets the same few thousand
// lines many times, and computing one takes several times as long as a lookup. (The 4x4 search has
// tables of all lines instead.)
type lineCache [1 << 12]struct {
	line  uint64 // the key; 0: empty
	worth float64
}

const (
	lengthBits = 48 // above the cells, one per byte
	borderBit  = 52
)

// lineKey packs a line's cells, one per byte, with its length and whether it lies on the border.
func lineKey(cells uint64, length int, border bool) uint64 {
	key := cells | uint64(length)<<lengthBits
	if border {
		key |= 1 << borderBit
	}
	return key
}

// lineOf returns the line of a key: its cells, for which memory is given, and whether it lies on the border.
func lineOf(key uint64, memory *[board.MaxSide]uint8) (cells []uint8, border bool) {
	for i := range memory {
		memory[i] = uint8(key >> (8 * i))
	}
	return memory[:key>>lengthBits&7], key>>borderBit&1 != 0
}

// worthOf returns the value of the line of a key.
func (e *Lines) worthOf(key uint64) float64 {
	entry := &e.cache[key*0x9e3779b97f4a7c15>>52]
	if entry.line != key {
		var memory [board.MaxSide]uint8
		entry.line, entry.worth = key, e.worth(lineOf(key, &memory))
	}
	return entry.worth
}

// lineKeys returns the keys of all rows from the top, then of all columns from the left.
func lineKeys(b *board.Board, keys *[2 * board.MaxSide]uint64) []uint64 {
	s := b.Size()
	var columns [board.MaxSide]uint64 // the exponent of row r in byte r
	for r := range s.Rows {
		row := b.Row(r)
		keys[r] = lineKey(row, s.Cols, r == 0 || r == s.Rows-1)
		for c := range columns {
			columns[c] |= row >> (8 * c) & 0xff << (8 * r)
		}
	}
	for c := range s.Cols {
		keys[s.Rows+c] = lineKey(columns[c], s.Rows, c == 0 || c == s.Cols-1)
	}
	return keys[:s.Rows+s.Cols]
}
