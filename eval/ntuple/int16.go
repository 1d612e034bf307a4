package ntuple

import (
	"fmt"
	"math"
	"slices"
	"unsafe"
)

// int16Form holds the weights of a network for players: 16-bit integers with one scale for all. The processor's
// caches hold twice as many of them as of float32 weights, and sums of integers do not depend on the order of
// summation.
type int16Form struct {
	Store[int16]
	scale float32
}

// Int16 returns a copy of the network in 16-bit integers, for players: half as large, faster, and on huge pages. The
// error of each weight is less than 1/16,000 of the largest weight. A weight that a stage has not learned is copied
// from the previous stage of its family. The bias of an ending network is folded into its weights; see
// [Network.FoldBias]. Trainers cannot use the copy. The caller closes it.
func (n *Network) Int16() (*Network, error) {
	h := n.Head
	largest, share := float32(0), float32(0)
	if h.Walls > 0 {
		h.Bias = 0
		share, largest = n.Bias/float32(h.Features()), h.madeWeight()
	}
	for _, tables := range n.weights.Tables {
		for _, table := range tables {
			for _, w := range table {
				if w != 0 {
					largest = max(largest, w+share, -w-share)
				}
			}
		}
	}
	c, err := NewInt16(h, max(largest, math.SmallestNonzeroFloat32*math.MaxInt16)/math.MaxInt16)
	if err != nil {
		return nil, err
	}
	round := func(w float32) int16 { return int16(math.Round(float64(w) / float64(c.int16.scale))) }
	for _, f := range h.Families() {
		for p := range h.Patterns {
			// for each weight, its value in the latest stage of the family that has learned it
			known := make([]float32, h.Patterns[p].Entries())
			for stage := f.First; stage < f.First+f.Count; stage++ {
				to := c.Int16Table(stage, p)
				for i, w := range n.weights.Tables[stage][p] {
					if w != 0 {
						known[i] = w + share
					}
					if known[i] != 0 { // do not write zeros: pages that are never written take no memory
						to[i] = round(known[i])
					}
				}
			}
		}
	}
	if h.Walls > 0 {
		for p, pattern := range h.Patterns {
			c.Int16Table(0, p)[pattern.madeIndex()] = round(h.madeWeight())
		}
	}
	return c, nil
}

// NewInt16 returns a network in the form of [Network.Int16] with all weights zero. A weight in points is its entry of
// [Network.Int16Table] times scale. Fill the tables before the first value is read. Fill those of every stage, because
// a stage in this form does not fall back on earlier stages.
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

// Int16Over returns a network in the form of [Network.Int16] whose weights are in memory that the caller provides:
// one slice for each stage, laid out by [Layout.Spread]. Closing the network calls free, and so does Int16Over if
// it fails.
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

// Int16Scale returns the factor that turns the integers of a network made by NewInt16, Int16 or Int16Over into points.
func (n *Network) Int16Scale() float32 { return n.int16.scale }

// Int16Table returns the integers of one pattern in a stage of a network made by NewInt16, Int16 or Int16Over, in
// the order of [Pattern.Index]. Only tables of a network made by NewInt16 may be changed, and only before the
// first value is read.
func (n *Network) Int16Table(stage, pattern int) []int16 { return n.int16.Tables[stage][pattern] }

// sumInt16 implements Sum for 16-bit networks.
func (n *Network) sumInt16(stage int, at []SymIndices) float32 {
	var total int32
	if n.reader.fast {
		total = sum16(&at[0], n.tablesOf(stage), len(n.Patterns))
	} else {
		total = sumTables16(n.int16.Tables[stage], at)
	}
	return n.points(total)
}

// points returns the value of a board in a 16-bit network, given the sum of its weights.
func (n *Network) points(total int32) float32 { return float32(float32(total)*n.int16.scale) + n.Bias }

// sumTables16 is the reference implementation in Go for the kernel sum16.
func sumTables16(tables [][]int16, at []SymIndices) (sum int32) {
	for p, t := range tables {
		i := &at[p]
		switch len(t) { // with a constant length and a mask, the compiler drops the bounds checks
		case 1 << 24:
			const m = 1<<24 - 1
			t := (*[1 << 24]int16)(t)
			sum += int32(t[i[0]&m]) + int32(t[i[1]&m]) + int32(t[i[2]&m]) + int32(t[i[3]&m]) +
				int32(t[i[4]&m]) + int32(t[i[5]&m]) + int32(t[i[6]&m]) + int32(t[i[7]&m])
		case 1 << 16:
			const m = 1<<16 - 1
			t := (*[1 << 16]int16)(t)
			sum += int32(t[i[0]&m]) + int32(t[i[1]&m]) + int32(t[i[2]&m]) + int32(t[i[3]&m]) +
				int32(t[i[4]&m]) + int32(t[i[5]&m]) + int32(t[i[6]&m]) + int32(t[i[7]&m])
		default:
			for _, i := range at[p] {
				sum += int32(t[i])
			}
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

// sumsInt16 implements Sums for 16-bit networks.
func (n *Network) sumsInt16(b *Batch) {
	if n.reader.fast && n.merged == nil {
		sums16(b, len(n.Patterns))
	}
	for i := range b.N {
		switch {
		case n.merged != nil:
			b.totals[i] = n.merged.sum(n.DowngradeBoard(b.Boards[i]))
		case !n.reader.fast:
			b.totals[i] = sumTables16(n.int16.Tables[b.Stages[i]], b.At[i])
		}
		b.Values[i] = n.points(b.totals[i])
	}
}

// sparseForm holds 16-bit weights like int16Form, but only blocks in which some weight is not zero. For a network
// with few learned weights, that takes a third to a tenth of the memory. Blocks are grouped into chunks, which
// make a second level of lookup, since large parts of a table have no stored blocks.
type sparseForm struct {
	scale  float32
	tables [][]sparseTable // indexed by stage and pattern
}

// sparseTable is the table of a pattern in a stage. The tables of a pattern in one family share begins and weights.
type sparseTable struct {
	chunks  []uint32 // for each chunk, the index of its first block in begins; 0: all weights are zero
	begins  []uint32 // for each block of the stored chunks, the index of its first weight; 0: all are zero
	weights []int16  // weights of the stored blocks; the first block is all zeros
}

const (
	// sparseBlock is the number of entries of a block. These differ only in the lower two bits of
	// the last three cells, so boards that read them tend to occur together.
	sparseBlock = 64
	// chunkBlocks is the number of blocks of a chunk. In patterns of six cells, the blocks of a
	// chunk differ only in the lower two bits of the first three cells.
	chunkBlocks = 64
)

// NewSparse returns a network like [NewInt16], with all weights zero, that takes memory only for
// blocks of weights that are not zero. Fill its tables with [Network.SetSparseTables]. Use it for
// players if memory is short: computing values takes longer, since the kernels do not support it,
// and it has no Int16Table.
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
			tables[p] = sparseTable{make([]uint32, chunkCount(h.Patterns[p].Entries())), make([]uint32, chunkBlocks), make([]int16, sparseBlock)}
		}
		n.sparse.tables = append(n.sparse.tables, tables)
	}
	return n, nil
}

func chunkCount(entries int) int {
	return (entries + chunkBlocks*sparseBlock - 1) / (chunkBlocks * sparseBlock)
}

// SetSparseTables sets the integers of one pattern in all stages of the family (see [Layout.Families]) that starts with
// stage first, in a network made by NewSparse. The tables are in the order of [Pattern.Index] and are not retained.
// Blocks that equal those of the previous stage are not stored again. Different patterns and families may be set
// concurrently.
func (n *Network) SetSparseTables(pattern, first int, tables [][]int16) {
	begins, end := make([]uint32, chunkBlocks), uint32(sparseBlock)
	var stored []*[sparseBlock]int16
	chunks := make([][]uint32, len(tables))
	for s, table := range tables {
		chunks[s] = make([]uint32, chunkCount(len(table)))
		for c := range chunks[s] {
			var places, above [chunkBlocks]uint32
			if s > 0 {
				above = [chunkBlocks]uint32(begins[chunks[s-1][c]:])
			}
			for i := range min(chunkBlocks, len(table)/sparseBlock-c*chunkBlocks) {
				at := c*chunkBlocks + i
				switch b := block(table, at); {
				case *b == [sparseBlock]int16{}:
				case s > 0 && *b == *block(tables[s-1], at):
					places[i] = above[i]
				default:
					places[i], end = end, end+sparseBlock
					stored = append(stored, b)
				}
			}
			switch {
			case places == [chunkBlocks]uint32{}:
			case places == above:
				chunks[s][c] = chunks[s-1][c]
			default:
				chunks[s][c] = uint32(len(begins))
				begins = append(begins, places[:]...)
			}
		}
	}
	// with the exact capacity, because growing the slice would take half as much memory again
	weights := make([]int16, sparseBlock, end)
	for _, b := range stored {
		weights = append(weights, b[:]...)
	}
	for s := range tables {
		n.sparse.tables[first+s][pattern] = sparseTable{chunks[s], slices.Clip(begins), weights}
	}
}

func block(table []int16, i int) *[sparseBlock]int16 {
	return (*[sparseBlock]int16)(table[i*sparseBlock:])
}

// locate replaces indices by the places of their weights in the stored blocks. It finds all places
// before the first weight is read: the reads of each step do not depend on each other, so the
// processor overlaps them.
//
// locate and sum have no bounds checks, which would take a third of their time: indices are within
// the tables of their patterns, entries of chunks within begins, and entries of begins within
// weights.
func (s *sparseForm) locate(stage int, at []SymIndices) {
	tables := s.tables[stage][:len(at)]
	for p := range tables {
		c, b, i := unsafe.Pointer(unsafe.SliceData(tables[p].chunks)), unsafe.Pointer(unsafe.SliceData(tables[p].begins)), &at[p]
		i[0] = placeOf(c, b, i[0])
		i[1] = placeOf(c, b, i[1])
		i[2] = placeOf(c, b, i[2])
		i[3] = placeOf(c, b, i[3])
		i[4] = placeOf(c, b, i[4])
		i[5] = placeOf(c, b, i[5])
		i[6] = placeOf(c, b, i[6])
		i[7] = placeOf(c, b, i[7])
	}
}

// placeOf returns the place of the weight with index i in a table with these chunks and begins.
func placeOf(chunks, begins unsafe.Pointer, i uint32) uint32 {
	at := *entry(chunks, i/(chunkBlocks*sparseBlock)) + i/sparseBlock%chunkBlocks
	return *entry(begins, at) + i%sparseBlock
}

func entry(words unsafe.Pointer, i uint32) *uint32 { return (*uint32)(unsafe.Add(words, 4*uintptr(i))) }

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

// sumSparse implements Sum for sparse networks. Call locate before it.
func (n *Network) sumSparse(stage int, at []SymIndices) float32 {
	return float32(float32(n.sparse.sum(stage, at))*n.sparse.scale) + n.Bias
}
