package ntuple

import (
	"fmt"
	"unsafe"
)

// int16Form holds the weights of a network for players: 16-bit integers with one scale for all, so
// that twice as many fit into the processor's caches. Sums are integer sums, so every order of
// adding returns the same value.
type int16Form struct {
	scale    float32
	tables   [][][]int16 // by stage and pattern
	pointers [][]*int16  // where they begin
}

// Int16 returns a copy of the network in 16-bit integers, for players: half as large, faster, and
// on huge pages. Each weight is off by less than 1/16,000 of the largest. All stages are promoted.
// Trainers cannot use it. The caller closes it.
func (n *Network) Int16() (*Network, error) {
	largest := float32(0)
	for stage := range n.weights {
		largest = max(largest, n.stageBias(stage))
		for _, w := range n.weights[stage] {
			largest = max(largest, w, -w)
		}
	}
	c, err := NewInt16(n.Layout, scaleFor(largest))
	if err != nil {
		return nil, err
	}
	c.Bias, c.Downgrade = n.Bias, n.Downgrade
	for stage := range n.weights {
		n.fillInt16(stage, c.int16)
	}
	return c, nil
}

// NewInt16 returns a network in the form of [Network.Int16] with all weights zero. A weight is its
// entry of [Network.Int16Table] times scale, in points. Fill the tables before the first value is
// read, each stage with all of its weights: these stages do not fall back on earlier ones.
func NewInt16(l Layout, scale float32) (*Network, error) {
	c, err := empty(l)
	if err != nil {
		return nil, err
	}
	c.int16 = &int16Form{scale: scale}
	for range c.StageCount() {
		words, free, err := Allocate[int16](l.Entries())
		if err != nil {
			c.Close()
			return nil, fmt.Errorf("memory for %d weights: %w", l.Entries(), err)
		}
		c.free = append(c.free, free)
		c.int16.add(&l, words)
	}
	return c, nil
}

// Int16Over returns a network in the form of [Network.Int16] over memory that the caller provides:
// the weights of each stage, as [Network.Int16Weights] returns them. Closing it calls free.
func Int16Over(l Layout, scale float32, stages [][]int16, free func()) (*Network, error) {
	c, err := empty(l)
	if err != nil {
		return nil, err
	}
	c.int16 = &int16Form{scale: scale}
	if len(stages) != c.StageCount() {
		return nil, fmt.Errorf("weights of %d stages: want %d", len(stages), c.StageCount())
	}
	for _, words := range stages {
		if len(words) != l.Entries() {
			return nil, fmt.Errorf("%d weights in a stage: want %d", len(words), l.Entries())
		}
		c.int16.add(&c.Layout, words)
	}
	c.free = []func(){free}
	return c, nil
}

// Int16Weights returns the weights of a stage of a 16-bit network, the tables of all patterns one
// after another, and the scale of all. They are read-only.
func (n *Network) Int16Weights(stage int) (words []int16, scale float32) {
	return unsafe.Slice(n.int16.pointers[stage][0], n.Entries()), n.int16.scale
}

// Int16Table returns the integers of one pattern in a stage of a network made by NewInt16 or Int16,
// in the order of [Pattern.Index].
func (n *Network) Int16Table(stage, pattern int) []int16 { return n.int16.tables[stage][pattern] }

// add appends the memory of one more stage.
func (s *int16Form) add(l *Layout, words []int16) {
	tables, begins := Tables(l, words)
	s.tables, s.pointers = append(s.tables, tables), append(s.pointers, begins)
}

// fillInt16 fills a stage. Pages without weights are not written.
func (n *Network) fillInt16(stage int, s *int16Form) {
	for p, t := range s.tables[stage] {
		for i := range t {
			w := n.tables[stage][p][i]
			if w == 0 && stage > 0 {
				w = n.weight(stage, p, uint32(i))
			}
			if w != 0 {
				t[i] = s.of(w)
			}
		}
	}
}

// sumInt16 is Sum for 16-bit networks.
func (n *Network) sumInt16(stage int, at []SymIndices) float32 {
	var total int32
	if n.reader.fast {
		total = sum16(&at[0], n.tablesOf(stage), len(n.Patterns))
	} else {
		total = sumTables16(n.int16.tables[stage], at)
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
		return (**float32)(unsafe.Pointer(&n.int16.pointers[stage][0]))
	}
	return &n.pointers[stage][0]
}

// sumsInt16 is Sums for 16-bit networks.
func (n *Network) sumsInt16(b *Batch) {
	if n.reader.fast {
		sums16(b, len(n.Patterns))
	}
	for i := range b.N {
		if !n.reader.fast {
			b.totals[i] = sumTables16(n.int16.tables[b.Stages[i]], b.At[i])
		}
		b.Values[i] = float32(float32(b.totals[i])*n.int16.scale) + n.Bias
	}
}
