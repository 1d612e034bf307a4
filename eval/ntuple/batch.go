package ntuple

import "github.com/afterstate2048/afterstate/rules/bitboard"

// Batch is up to four boards to be valued at once, so that their memory reads overlap. Set N and
// Boards, then call Evaluate, or Prefetch and Sums.
type Batch struct {
	N      int // boards
	Boards [4]bitboard.Board
	At     [4][]SymIndices // where they read, filled by Prefetch; of a sparse network places, not indices
	Values [4]float32      // filled by Sums
	Stages [4]int          // filled by Prefetch
	views  [4]bitboard.Board
	tables [4]**float32
	totals [4]int32 // of a short network's numbers
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
// between it and Sums overlaps with the memory reads.
func (n *Network) Prefetch(b *Batch) {
	if b.N == 0 {
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
