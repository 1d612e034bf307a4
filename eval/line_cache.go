package eval

import "afterstate/board"

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

// worthOf returns the value of the line of a key.
func (e *Lines) worthOf(key uint64) float64 {
	entry := &e.cache[key*0x9e3779b97f4a7c15>>52]
	if entry.line != key {
		var cells [board.MaxSide]uint8
		n := key >> lengthBits & 7
		for i := range cells {
			cells[i] = uint8(key >> (8 * i))
		}
		entry.line, entry.worth = key, e.worth(cells[:n], key>>borderBit&1 != 0)
	}
	return entry.worth
}

// columns returns a board's columns as words, the exponent of row r in byte r.
func columns(b *board.Board) (words [board.MaxSide]uint64) {
	for r := range b.Size().Rows {
		row := b.Row(r)
		for c := range words {
			words[c] |= row >> (8 * c) & 0xff << (8 * r)
		}
	}
	return words
}
