package solve

// tenKeys converts between canonical boards of 10 cells and keys of 32 bits. The first cell follows
// from the others and the tile sum. The other nine would take 36 bits at four each, but fewer boards
// come up: a sum of 4092, the largest on 10 cells, has room for one 2048 and for three 1024. So four
// cells have fewer than 20,000 states. The last cell is the least of the corners, since the board is
// canonical, and at most 2^9, since four tiles of 1024 are too much.
type tenKeys struct {
	states [1 << 16]uint16 // number of a state of four cells
	cells  []uint16        // its cells
}

// fourStates is the number of states of four cells with exponents up to 11, at most one of them 11.
const fourStates = 11*11*11*11 + 4*11*11*11

func newTenKeys() *tenKeys {
	k := &tenKeys{cells: make([]uint16, 0, fourStates)}
	for i := range k.states {
		largest := 0
		fits := true
		for n := i; n != 0; n >>= 4 {
			fits = fits && n&15 <= 11
			if n&15 == 11 {
				largest++
			}
		}
		if fits && largest <= 1 {
			k.states[i] = uint16(len(k.cells))
			k.cells = append(k.cells, uint16(i))
		}
	}
	return k
}

func (k *tenKeys) key(w word) uint32 {
	return (uint32(w>>36)*fourStates+uint32(k.states[w>>20&0xffff]))*fourStates + uint32(k.states[w>>4&0xffff])
}

// board returns the board without its first cell.
func (k *tenKeys) board(key uint32) word {
	low, high := key%fourStates, key/fourStates
	return word(k.cells[low])<<4 | word(k.cells[high%fourStates])<<20 | word(high/fourStates)<<36
}

// canonicalTen is canonical for 2x5.
func canonicalTen(w word) word {
	const (
		row         = 0xfffff
		left, inner = 0x0000f0000f, 0x000f0000f0 // columns
		center      = 0x00f0000f00
	)
	h := w&center | w&left<<16 | w>>16&left | w&inner<<8 | w>>8&inner
	return min(w, h, w&row<<20|w>>20, h&row<<20|h>>20)
}
