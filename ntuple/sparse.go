package ntuple

import (
	"slices"
	"unsafe"
)

// sparseForm holds 16-bit weights as int16Form does, but of each table only the blocks that have one
// that is not zero. Of a network of which few weights are known, that is a third to a tenth of the memory.
type sparseForm struct {
	scale  float32
	tables [][]sparseTable // by stage and pattern
}

// sparseTable is the table of a pattern in a stage.
type sparseTable struct {
	begins  []uint32 // of each block, where its weights begin; 0: all are zero
	weights []int16  // of the blocks that are stored; the first is all zeros
}

// sparseBlock is the number of entries of a block. They agree in all but the lower two bits of the last
// three cells, so that their boards occur together.
const sparseBlock = 64

// NewSparse returns a network like [NewInt16] that takes memory only where weights are known, with all
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
			tables[p].begins = make([]uint32, l.Patterns[p].Entries()/sparseBlock)
			tables[p].weights = make([]int16, sparseBlock)
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
	end := uint32(sparseBlock)
	for i := range t.begins {
		t.begins[i] = 0
		if *block(table, i) != [sparseBlock]int16{} {
			t.begins[i] = end
			end += sparseBlock
		}
	}
	t.weights = make([]int16, sparseBlock, end) // the exact size: growing would take half as much again
	for i, begin := range t.begins {
		if begin != 0 {
			t.weights = append(t.weights, block(table, i)[:]...)
		}
	}
}

func block(table []int16, i int) *[sparseBlock]int16 {
	return (*[sparseBlock]int16)(table[i*sparseBlock:])
}

// sum adds the weights of one pattern. It has no bounds checks, which would take a third of its time:
// indices are those of the pattern, and begins those of blocks.
func (t *sparseTable) sum(at *SymIndices) int32 {
	b, w := unsafe.Pointer(&t.begins[0]), unsafe.Pointer(&t.weights[0])
	p0, p1, p2, p3 := sparsePlace(b, w, at[0]), sparsePlace(b, w, at[1]), sparsePlace(b, w, at[2]), sparsePlace(b, w, at[3])
	p4, p5, p6, p7 := sparsePlace(b, w, at[4]), sparsePlace(b, w, at[5]), sparsePlace(b, w, at[6]), sparsePlace(b, w, at[7])
	return int32(*p0) + int32(*p1) + int32(*p2) + int32(*p3) + int32(*p4) + int32(*p5) + int32(*p6) + int32(*p7)
}

// sparsePlace returns the address of the weight with an index.
func sparsePlace(begins, weights unsafe.Pointer, i uint32) *int16 {
	begin := *(*uint32)(unsafe.Add(begins, 4*uintptr(i/sparseBlock)))
	return (*int16)(unsafe.Add(weights, 2*uintptr(begin+i%sparseBlock)))
}

// sumSparse is Sum for sparse networks.
func (n *Network) sumSparse(stage int, at []SymIndices) float32 {
	var total int32
	for p := range n.sparse.tables[stage] {
		total += n.sparse.tables[stage][p].sum(&at[p])
	}
	return float32(float32(total)*n.sparse.scale) + n.Bias
}
