package ntuple

import (
	"math/bits"
	"slices"
)

// sparseForm holds 16-bit weights as int16Form does, but only those that are not zero, with a bit for
// each entry of a table that says whether it has one. Three bytes for 16 entries and two for each
// weight: a fifth to a tenth of the tables of a network of which few weights are known.
type sparseForm struct {
	scale  float32
	tables [][]sparseTable // by stage and pattern
}

// sparseTable is the table of a pattern in a stage.
type sparseTable struct {
	groups  []sparseGroup
	weights []int16 // those that are not zero, in the order of their indices
}

// sparseGroup is 64 entries of a table. Its three words take 12 bytes, where a uint64 would make it 16.
type sparseGroup struct {
	low, high uint32 // which of them are not zero
	first     uint32 // index of their first weight
}

const groupSize = 64

// NewSparse returns a network like [NewInt16] that stores the weights that are not zero alone, with all
// weights zero. Fill its tables by [Network.SetSparseTable]. It is for players where memory is short:
// machine code does not read it, and it has no Int16Table and no Int16Weights.
func NewSparse(l Layout, scale float32) (*Network, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	n := &Network{Layout: l, reader: newReader(&l), flat: true, sparse: &sparseForm{scale: scale}}
	n.reader.fast = false
	n.Stages = slices.Clone(l.stages())
	for range n.StageCount() {
		tables := make([]sparseTable, len(l.Patterns))
		for p := range tables {
			tables[p].groups = make([]sparseGroup, l.Patterns[p].Entries()/groupSize)
		}
		n.sparse.tables = append(n.sparse.tables, tables)
	}
	return n, nil
}

// SetSparseTable sets the integers of one pattern in a stage of a network made by NewSparse to those of
// a table in the order of [Pattern.Index], which it does not retain. Different tables may be set at the
// same time.
func (n *Network) SetSparseTable(stage, pattern int, table []int16) {
	t := &n.sparse.tables[stage][pattern]
	count := 0
	for g := range t.groups {
		mask := uint64(0)
		for i, x := range (*[groupSize]int16)(table[g*groupSize:]) {
			if x != 0 {
				mask |= 1 << i
			}
		}
		t.groups[g] = sparseGroup{uint32(mask), uint32(mask >> 32), uint32(count)}
		count += bits.OnesCount64(mask)
	}
	t.weights = make([]int16, 0, count)
	for g := range t.groups {
		for mask := t.groups[g].mask(); mask != 0; mask &= mask - 1 {
			t.weights = append(t.weights, table[g*groupSize+bits.TrailingZeros64(mask)])
		}
	}
}

func (g *sparseGroup) mask() uint64 { return uint64(g.high)<<32 | uint64(g.low) }

// sum adds the weights of one pattern.
func (t *sparseTable) sum(at *SymIndices) (sum int32) {
	for _, i := range at {
		g := &t.groups[i/groupSize]
		// Shifted so that the entry's bit is the highest: those below it precede it.
		if mask := g.mask() << (^i % groupSize); int64(mask) < 0 {
			sum += int32(t.weights[int(g.first)+bits.OnesCount64(mask)-1])
		}
	}
	return sum
}

// sumSparse is Sum for sparse networks.
func (n *Network) sumSparse(stage int, at []SymIndices) float32 {
	var total int32
	for p := range n.sparse.tables[stage] {
		total += n.sparse.tables[stage][p].sum(&at[p])
	}
	return float32(float32(total)*n.sparse.scale) + n.Bias
}
