package ntuple

import (
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Batch holds up to four boards that are evaluated together, so that their memory reads overlap. Set N and Boards,
// then call Evaluate, or Prefetch and Sums.
type Batch struct {
	N      int // number of boards
	Boards [4]bitboard.Board
	At     [4][]SymIndices // table indices, or in a sparse network places in the stored blocks; filled by Prefetch
	Values [4]float32      // filled by Sums
	Stages [4]int          // filled by Prefetch
	views  [4]bitboard.Board
	tables [4]**float32
	totals [4]int32 // sums of the integers of a 16-bit network
}

// NewBatch returns an empty batch for this network.
func (n *Network) NewBatch() *Batch {
	b := new(Batch)
	for i := range b.At {
		b.At[i] = make([]SymIndices, len(n.Patterns))
	}
	return b
}

// Evaluate computes the values of the batch's boards.
func (n *Network) Evaluate(b *Batch) {
	n.Prefetch(b)
	n.Sums(b)
}

// Prefetch computes the indices of the batch's boards and prefetches their weights. Work done
// between Prefetch and Sums overlaps with the memory reads.
func (n *Network) Prefetch(b *Batch) {
	if b.N == 0 || n.merged != nil {
		return
	}
	for i := range b.N {
		b.views[i] = n.DowngradeBoard(b.Boards[i])
		if len(n.Stages) > 1 {
			b.Stages[i] = n.Stage(b.views[i])
		}
		if n.sparse == nil {
			b.tables[i] = n.tablesOf(b.Stages[i])
		}
	}
	switch {
	case n.reader.fast && n.int16 != nil:
		locate16(b, &n.reader.controls[0], len(n.Patterns))
		return
	case n.reader.fast:
		locate(b, &n.reader.controls[0], len(n.Patterns))
		return
	}
	for i := range b.N {
		n.reader.read(b.At[i], b.views[i])
	}
	if n.sparse != nil {
		for i := range b.N {
			n.sparse.locate(b.Stages[i], b.At[i])
		}
	}
}

// Sums computes the values of the batch's boards after Prefetch.
func (n *Network) Sums(b *Batch) {
	if b.N == 0 {
		return
	}
	switch {
	case n.int16 != nil:
		n.sumsInt16(b)
		return
	case n.sparse != nil:
		for i := range b.N {
			b.Values[i] = n.sumSparse(b.Stages[i], b.At[i])
		}
		return
	}
	if n.reader.fast {
		sums(b, len(n.Patterns))
	} else {
		for i := range b.N {
			b.Values[i] = sumTables(n.weights.Tables[b.Stages[i]], b.At[i])
		}
	}
	for i := range b.N {
		if s := b.Stages[i]; s > 0 && !n.flat {
			b.Values[i] = n.sumStaged(s, b.At[i])
		}
		b.Values[i] += n.Bias
	}
}

// Boards of more than 16 cells do not fit into a word. Their indices are computed from the cells of a
// board.Board. Tables, sums and files are the same as for smaller boards.
//
// A cell of a pattern has four bits, so tiles above 32768 are read as 32768. Tile downgrading
// avoids most of them: see DowngradeWide.

// Wide reports whether the layout is for boards of more than 16 cells. [Network.ValueOf] and
// [WideBatch] evaluate such boards; the methods that take a packed board do not.
func (l *Layout) Wide() bool { return !Packs(l.Size) }

// exponentHalves[e] contains the upper two bits of exponent e in its upper half, and the lower two bits in its
// lower half.
var exponentHalves = func() (h [16]uint64) {
	for e := range h {
		h[e] = uint64(e>>2)<<32 | uint64(e&3)
	}
	return h
}()

// readWide writes the indices of b to dst, one entry per pattern. It builds both halves of an index in one word.
func (r *reader) readWide(dst []SymIndices, b *board.Board) {
	var parts [64]uint64
	for row := range r.size.Rows {
		x := b.Row(row)
		if x&0xf0f0f0f0f0f0f0f0 != 0 {
			x = capped(x)
		}
		for i := 8 * row; x != 0; i++ {
			parts[i&63] = exponentHalves[x&15]
			x >>= 8
		}
	}
	for p := range r.places {
		out := &dst[p]
		for s := range r.ways {
			places, x := r.places[p][s], uint64(0)
			for _, c := range places {
				x = x<<2 | parts[c&63]
			}
			out[s&7] = uint32(x>>32)<<(2*len(places)) | uint32(x)
		}
		if r.ways == 4 {
			out[4], out[5], out[6], out[7] = out[0], out[1], out[2], out[3]
		}
	}
}

// capped returns a row with exponents above 15 replaced by 15.
func capped(x uint64) (row uint64) {
	for i := 0; i < 64; i += 8 {
		row |= min(x>>i&0xff, bitboard.MaxExponent) << i
	}
	return row
}

// ValueOf returns the value of a board of the network's size, like [Network.Value]. A tile above
// 32768 is read as 32768, unless the network downgrades it.
func (n *Network) ValueOf(b *board.Board) float32 {
	if !n.Wide() {
		return n.Value(n.word(b))
	}
	if len(n.Patterns) > 8 {
		var dst [MaxPatterns]SymIndices
		return n.wideBy(dst[:], b)
	}
	var dst [8]SymIndices
	return n.wideBy(dst[:], b)
}

// word packs a board of at most 16 cells. If the board has tiles above 32768, it is downgraded, and tiles that are
// still too large are replaced by 32768.
func (n *Network) word(b *board.Board) bitboard.Board {
	w, ok := Pack(b)
	if !ok {
		small := n.DowngradeWide(*b)
		for i := range small.Size().Cells() {
			small.Set(i, min(small.Cell(i), bitboard.MaxExponent))
		}
		w, _ = Pack(&small)
	}
	return w
}

func (n *Network) wideBy(dst []SymIndices, b *board.Board) float32 {
	at := dst[:len(n.Patterns)]
	return n.Sum(n.wideIndices(at, b), at)
}

func (n *Network) wideIndices(dst []SymIndices, b *board.Board) (stage int) {
	view := n.DowngradeWide(*b)
	n.reader.readWide(dst, &view)
	return n.stageOf(&view)
}

// IndicesOf computes the table indices of a board of the network's size, like [Network.Indices]. It
// also returns the board's stage.
func (n *Network) IndicesOf(dst []SymIndices, b *board.Board) (stage int) {
	if n.Wide() {
		return n.wideIndices(dst, b)
	}
	view := n.DowngradeBoard(n.word(b))
	n.reader.read(dst, view)
	return n.Stage(view)
}

// stageOf does what Stage does, for boards of every size.
func (n *Network) stageOf(b *board.Board) int {
	s := len(n.Stages) - 1
	for s > 0 && !n.Stages[s].holdsOn(b) {
		s--
	}
	return s
}

// WideBatch is a [Batch] for boards of more than 16 cells. Set N and Boards, then call PrefetchWide
// and Sums.
type WideBatch struct {
	Batch
	Boards [4]board.Board // in place of Batch.Boards
}

// NewWideBatch returns an empty batch for this network.
func (n *Network) NewWideBatch() *WideBatch { return &WideBatch{Batch: *n.NewBatch()} }

// PrefetchWide does what [Network.Prefetch] does, for a WideBatch. Call [Network.Sums] after it.
func (n *Network) PrefetchWide(b *WideBatch) {
	for i := range b.N {
		view := n.DowngradeWide(b.Boards[i])
		if len(n.Stages) > 1 {
			b.Stages[i] = n.stageOf(&view)
		}
		b.tables[i] = n.tablesOf(b.Stages[i])
		n.reader.readWide(b.At[i], &view)
	}
}

// DowngradeWide does what [Network.DowngradeBoard] does, for boards of every size.
func (n *Network) DowngradeWide(b board.Board) board.Board {
	if n.Downgrade == 0 || b.Largest() < n.Downgrade {
		return b
	}
	return bitboard.DowngradeBoard(b, viewMoves, n.Downgrade)
}
