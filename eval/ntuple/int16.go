package ntuple

import (
	"fmt"
	"math"
	"sort"
	"unsafe"
)

// int16Form holds the weights of a network for players: 16-bit integers with one scale for all, so
// that twice as many fit into the processor's caches. Sums are integer sums, so every order of
// adding returns the same value.
type int16Form struct {
	Store[int16]
	scale float32
}

// Int16 returns a copy of the network in 16-bit integers, for players: half as large, faster, and
// on huge pages. Each weight is off by less than 1/16,000 of the largest. All stages are promoted.
// Trainers cannot use it. The caller closes it.
func (n *Network) Int16() (*Network, error) {
	return roundInt16(&n.Head, func(use func(stage, at int, part []float32)) error {
		begins, _ := n.Begins()
		for p, begin := range begins {
			for at := 0; at < n.Patterns[p].Entries(); at += readBlock / 4 {
				for stage, tables := range n.weights.Tables {
					use(stage, begin+at, tables[p][at:min(at+readBlock/4, len(tables[p]))])
				}
			}
		}
		return nil
	})
}

// roundInt16 makes the network of Int16. blocks passes all weights, block by block through all stages, with their place among
// those of a stage one after another; it is called twice.
func roundInt16(h *Head, blocks func(use func(stage, at int, part []float32)) error) (*Network, error) {
	largest := float32(0)
	for stage := range h.StageCount() {
		largest = max(largest, h.stageBias(stage))
	}
	err := blocks(func(_, _ int, part []float32) {
		for _, w := range part {
			largest = max(largest, w, -w)
		}
	})
	if err != nil {
		return nil, err
	}
	c, err := NewInt16(*h, max(largest, math.SmallestNonzeroFloat32*math.MaxInt16)/math.MaxInt16)
	if err != nil {
		return nil, err
	}
	known := make([]float32, readBlock/4) // the weights of the stages before
	begins, _ := h.Begins()
	err = blocks(func(stage, at int, part []float32) {
		if stage == 0 || h.Walls > 0 {
			clear(known)
		}
		known, unseen := known, h.stageBias(stage)
		for len(part) > 0 { // a table at a time
			p := sort.SearchInts(begins, at+1) - 1
			table := c.Int16Table(stage, p)[at-begins[p]:]
			n := min(len(table), len(part))
			for i, w := range part[:n] {
				if w == 0 {
					w = known[i]
				}
				known[i] = w
				if w == 0 {
					w = unseen
				}
				if w != 0 { // untouched pages take no memory
					table[i] = int16(math.Round(float64(w) / float64(c.int16.scale)))
				}
			}
			at, part, known = at+n, part[n:], known[n:]
		}
	})
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// NewInt16 returns a network in the form of [Network.Int16] with all weights zero. A weight is its
// entry of [Network.Int16Table] times scale, in points. Fill the tables before the first value is
// read, each stage with all of its weights: these stages do not fall back on earlier ones.
func NewInt16(h Head, scale float32) (*Network, error) {
	c, err := empty(h)
	if err != nil {
		return nil, err
	}
	store, free, err := NewStore[int16](&h.Layout)
	if err != nil {
		return nil, err
	}
	c.int16, c.free = &int16Form{store, scale}, []func(){free}
	return c, nil
}

// Int16Over returns a network in the form of [Network.Int16] over memory that the caller provides:
// the weights of each stage, whose tables begin where [Layout.Spread] says. Closing it calls free, and so does Int16Over
// if it fails.
func Int16Over(h Head, scale float32, stages [][]int16, free func()) (*Network, error) {
	c, err := empty(h)
	if err == nil && len(stages) != c.StageCount() {
		err = fmt.Errorf("weights of %d stages: must be %d", len(stages), c.StageCount())
	}
	if err != nil {
		free()
		return nil, err
	}
	c.int16, c.free = &int16Form{scale: scale}, []func(){free}
	begins, size := h.Spread()
	for _, words := range stages {
		if len(words) != size {
			c.Close()
			return nil, fmt.Errorf("%d words in a stage: must be %d", len(words), size)
		}
		c.int16.add(&h.Layout, words, begins)
	}
	return c, nil
}

// Int16Scale returns what the integers of a network made by NewInt16, Int16 or Int16Over are multiplied by.
func (n *Network) Int16Scale() float32 { return n.int16.scale }

// Int16Table returns the integers of one pattern in a stage of a network made by NewInt16, Int16 or Int16Over,
// in the order of [Pattern.Index]. After that they are read-only.
func (n *Network) Int16Table(stage, pattern int) []int16 { return n.int16.Tables[stage][pattern] }

// sumInt16 is Sum for 16-bit networks.
func (n *Network) sumInt16(stage int, at []SymIndices) float32 {
	var total int32
	if n.reader.fast {
		total = sum16(&at[0], n.tablesOf(stage), len(n.Patterns))
	} else {
		total = sumTables16(n.int16.Tables[stage], at)
	}
	return float32(float32(total)*n.int16.scale) + n.Bias
}

// sumTables16 is the reference of the kernel's sum16.
func sumTables16(tables [][]int16, at []SymIndices) (sum int32) {
	for p, t := range tables {
		if i := &at[p]; len(t) == 1<<24 { // an index needs no bounds check
			const m = 1<<24 - 1
			t := (*[1 << 24]int16)(t)
			sum += int32(t[i[0]&m]) + int32(t[i[1]&m]) + int32(t[i[2]&m]) + int32(t[i[3]&m]) +
				int32(t[i[4]&m]) + int32(t[i[5]&m]) + int32(t[i[6]&m]) + int32(t[i[7]&m])
			continue
		}
		for _, i := range at[p] {
			sum += int32(t[i])
		}
	}
	return sum
}

// tablesOf returns the address of a stage's array of table pointers, for the kernels.
func (n *Network) tablesOf(stage int) **float32 {
	if n.int16 != nil {
		return (**float32)(unsafe.Pointer(n.int16.Pointers(stage)))
	}
	return n.weights.Pointers(stage)
}

// sumsInt16 is Sums for 16-bit networks.
func (n *Network) sumsInt16(b *Batch) {
	if n.reader.fast {
		sums16(b, len(n.Patterns))
	}
	for i := range b.N {
		if !n.reader.fast {
			b.totals[i] = sumTables16(n.int16.Tables[b.Stages[i]], b.At[i])
		}
		b.Values[i] = float32(float32(b.totals[i])*n.int16.scale) + n.Bias
	}
}

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
// machine code does not read it, and it has no Int16Table.
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
