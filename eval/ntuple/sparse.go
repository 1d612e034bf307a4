package ntuple

import "unsafe"

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
func NewSparse(h Head, scale float32) (*Network, error) {
	n, err := empty(h)
	if err != nil {
		return nil, err
	}
	n.sparse = &sparseForm{scale: scale}
	n.reader.fast = false
	for range n.StageCount() {
		tables := make([]sparseTable, len(h.Patterns))
		for p := range tables {
			tables[p].begins = make([]uint32, h.Patterns[p].Entries()/sparseBlock)
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

// locate replaces indices by the places of their weights in the tables. All blocks are found before the first
// weight is read: the reads of each step do not depend on each other, so the processor overlaps them.
//
// It and sum have no bounds checks, which would take a third of their time: indices are those of the patterns, and
// begins those of blocks.
func (s *sparseForm) locate(stage int, at []SymIndices) {
	tables := s.tables[stage][:len(at)]
	for p := range tables {
		b, i := unsafe.Pointer(unsafe.SliceData(tables[p].begins)), &at[p]
		i[0] = *blockOf(b, i[0]) + i[0]%sparseBlock
		i[1] = *blockOf(b, i[1]) + i[1]%sparseBlock
		i[2] = *blockOf(b, i[2]) + i[2]%sparseBlock
		i[3] = *blockOf(b, i[3]) + i[3]%sparseBlock
		i[4] = *blockOf(b, i[4]) + i[4]%sparseBlock
		i[5] = *blockOf(b, i[5]) + i[5]%sparseBlock
		i[6] = *blockOf(b, i[6]) + i[6]%sparseBlock
		i[7] = *blockOf(b, i[7]) + i[7]%sparseBlock
	}
}

// blockOf returns the address of where the block of an index begins.
func blockOf(begins unsafe.Pointer, i uint32) *uint32 {
	return (*uint32)(unsafe.Add(begins, 4*uintptr(i/sparseBlock)))
}

// sum adds the weights at the places that locate found.
func (s *sparseForm) sum(stage int, at []SymIndices) (total int32) {
	tables := s.tables[stage][:len(at)]
	for p := range tables {
		w, i := unsafe.Pointer(unsafe.SliceData(tables[p].weights)), &at[p]
		total += int32(*weightAt(w, i[0])) + int32(*weightAt(w, i[1])) + int32(*weightAt(w, i[2])) + int32(*weightAt(w, i[3])) +
			int32(*weightAt(w, i[4])) + int32(*weightAt(w, i[5])) + int32(*weightAt(w, i[6])) + int32(*weightAt(w, i[7]))
	}
	return total
}

func weightAt(weights unsafe.Pointer, place uint32) *int16 {
	return (*int16)(unsafe.Add(weights, 2*uintptr(place)))
}

// sumSparse is Sum for sparse networks whose weights were located.
func (n *Network) sumSparse(stage int, at []SymIndices) float32 {
	return float32(float32(n.sparse.sum(stage, at))*n.sparse.scale) + n.Bias
}
