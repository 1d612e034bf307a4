package quant

import (
	"math/bits"
	"slices"

	"afterstate/ntuple"
)

// A table is coded in the order of its indices, in blocks of entries that agree in all but the
// lower two bits of the last three cells, up to 64. An empty block takes one bit. The others are
// predicted from neighbours that are decoded already: boards with one of the cells one exponent
// lower. Play visits neighbouring boards about as often, and their values are similar.

// near is a number as contexts see it, or a sum of several: the signed sum in the upper half, in
// the lower half their count and the sum of their magnitudes.
type near uint64

const (
	sizeSumBits = maxNumberBits + 3
	oneSeen     = near(1) << sizeSumBits
)

func nearOf(x int32) near {
	if x == 0 {
		return 0
	}
	return near(int64(x)<<32) | oneSeen | near(max(x, -x))
}

// sparse is a table in blocks of up to 64; empty blocks take no memory.
type sparse[T near | int32] struct {
	index  []int32 // of each block among the blocks; 0: none
	blocks [][64]T // the first stays zero
}

// reset makes it an empty table of this many blocks. Capacity for all is reserved at once, which
// takes no memory until it is written; growing would leave copies behind.
func (s *sparse[T]) reset(blocks int) {
	s.index = slices.Grow(s.index[:0], blocks)[:blocks]
	clear(s.index)
	s.blocks = append(slices.Grow(s.blocks[:0], blocks+1), [64]T{})
}

// get returns a block for reading, valid until the next call of add.
func (s *sparse[T]) get(number int) *[64]T { return &s.blocks[s.index[number]] }

// add returns a new block for writing.
func (s *sparse[T]) add(number int) *[64]T {
	if s.index[number] == 0 {
		s.index[number] = int32(len(s.blocks))
		s.blocks = append(s.blocks, [64]T{})
	}
	return &s.blocks[s.index[number]]
}

// drop removes the block that was added last.
func (s *sparse[T]) drop(number int) {
	s.index[number] = 0
	s.blocks = s.blocks[:len(s.blocks)-1]
}

// field is a table that is being coded, with the neighbours of the present block.
type field struct {
	cells, inner int // of the pattern; of them, those a block has all lower bits of
	size         int // numbers of a block
	sparse[near]

	// cube is the block with the neighbours of its inner cells: places 1 to 4 of 5 in
	// each of three dimensions are the block's, 0 are its neighbours'.
	cube   [128]near
	own    *[64]near
	outer  [ntuple.MaxCells - 3]*[64]near // the neighbours in the other cells
	places [64]uint8                      // in the cube, of a block's numbers

	all []int16 // see dense
}

func newField() *field {
	f := new(field)
	for i := range f.places {
		f.places[i] = uint8((i>>4+1)*25 + (i>>2&3+1)*5 + i&3 + 1)
	}
	return f
}

// begin makes it the empty table of a pattern.
func (f *field) begin(p ntuple.Pattern) {
	f.cells, f.inner = len(p), min(3, len(p))
	f.size = 1 << (2 * f.inner)
	f.reset(p.Entries() / f.size)
}

// enter moves to a block.
func (f *field) enter(number int) {
	f.own = f.add(number)
	f.cube = [128]near{}
	at := number * f.size
	for k := range f.cells {
		lower, upper := 1<<(2*k), 1<<(2*(f.cells+k))
		from := &f.blocks[0]
		switch {
		case k >= f.inner && at/lower&3 > 0:
			from = f.get((at - lower) / f.size)
		case k >= f.inner && at/upper&3 > 0:
			from = f.get((at - upper + 3*lower) / f.size)
		case at/upper&3 > 0:
			from = f.get((at - upper) / f.size)
		}
		if k >= f.inner {
			f.outer[k-f.inner] = from
		} else {
			f.face(k, from)
		}
	}
}

// face copies from a neighbour in an inner cell the numbers whose low bits of the cell are 3.
func (f *field) face(k int, from *[64]near) {
	step := [3]uint8{1, 5, 25}[k]
	for i := 3 << (2 * k); i < f.size; i++ {
		if i>>(2*k)&3 == 3 {
			f.cube[f.places[i]-4*step] = from[i]
		}
	}
}

// put sets number i of the block.
func (f *field) put(i int, x int32) {
	n := nearOf(x)
	f.own[i] = n
	f.cube[f.places[i]&127] = n
}

// context is what the neighbours of a number predict.
type context struct {
	seen int // neighbours that are not zero
	sign int // of their sum: 0 none, 1 and 2 rather and clearly positive, 3 and 4 negative
	size int // bits of the sum of their sizes
	fine int // the lowest bit that any of them has
}

// context returns that of number i of the block.
func (f *field) context(i int) context {
	p := f.places[i&63]
	a, b, c := f.cube[(p-1)&127], f.cube[(p-5)&127], f.cube[(p-25)&127]
	sum, any := a+b+c, a|b|c
	for _, o := range f.outer[:f.cells-f.inner] {
		x := o[i&63]
		sum += x
		any |= x
	}
	if any == 0 {
		return context{fine: maxNumberBits}
	}
	total, sizes := int64(sum)>>32, int64(sum&(oneSeen-1))
	n := context{
		seen: int(uint32(sum) >> sizeSumBits),
		sign: 1,
		size: bits.Len64(uint64(sizes)),
		fine: bits.TrailingZeros64(uint64(any)),
	}
	if total < 0 {
		n.sign, total = 3, -total
	}
	if 2*total > sizes {
		n.sign++
	}
	return n
}

// dense returns the integers of the whole table, modulo 1 << 16. They are valid until the next call.
func (f *field) dense() []int16 {
	f.all = slices.Grow(f.all[:0], len(f.index)*f.size)[:len(f.index)*f.size]
	clear(f.all)
	for number, block := range f.index {
		if block == 0 {
			continue
		}
		for i, n := range f.blocks[block][:f.size] {
			f.all[number*f.size+i] = int16(n >> 32)
		}
	}
	return f.all
}
