package quant

import (
	"fmt"
	"unsafe"

	"afterstate/ntuple"
)

// DequantizeInt16 decodes the network alone, in 16-bit integers: the result of Dequantize followed
// by [ntuple.Network.Int16], up to rounding, in less time and memory.
func DequantizeInt16(file []byte) (*ntuple.Network, error) {
	t, err := OpenInt16(file)
	if err != nil {
		return nil, err
	}
	return t.network()
}

// DequantizeSparse is DequantizeInt16 for where memory is short, as in browsers: the network takes a
// fraction of the memory, and values take longer; see [ntuple.NewSparse].
func DequantizeSparse(file []byte) (*ntuple.Network, error) {
	t, err := OpenInt16(file)
	if err != nil {
		return nil, err
	}
	n, err := ntuple.NewSparse(t.Layout, t.Scale)
	if err != nil {
		return nil, err
	}
	n.Bias, n.Downgrade = t.Bias, t.Downgrade
	err = t.Each(func(stage, pattern int, table []int16) error {
		n.SetSparseTable(stage, pattern, table)
		return nil
	})
	if err != nil {
		n.Close()
		return nil, err
	}
	return n, nil
}

// Int16Tables is a file whose network can be decoded a table at a time, in 16-bit integers.
type Int16Tables struct {
	Layout    ntuple.Layout
	Scale     float32 // of a unit, in points
	Bias      float32 // as Network's
	Downgrade uint8   // as Network's
	c         *compact
	body      []byte
}

// OpenInt16 checks a file that Quantize wrote and decodes its header. The file must not change later. An
// error wraps [ntuple.ErrModel].
func OpenInt16(file []byte) (*Int16Tables, error) {
	c, body, err := openChecked(file)
	if err != nil {
		return nil, err
	}
	return &Int16Tables{c.Layout, c.Scale, c.Bias, c.Downgrade, c, body}, nil
}

// Each decodes all tables on all cores and passes each to visit, on several goroutines. A table has the
// contents of [ntuple.Network.Int16Table] of the network that DequantizeInt16 returns; it is valid until
// visit returns. Memory is taken for one pattern a core. An
// error about the file wraps [ntuple.ErrModel]; one of visit is returned, and others may follow it.
func (t *Int16Tables) Each(visit func(stage, pattern int, table []int16) error) error {
	each := func(p int, tables [][]int16) error {
		for s, table := range tables {
			if err := visit(s, p, table); err != nil {
				return err
			}
		}
		return nil
	}
	return t.c.unpack(t.body, t.memory, func(p int, tables [][]int16) error {
		t.finish(tables)
		return each(p, tables)
	})
}

// memory takes memory for the tables of one pattern at a time.
func (t *Int16Tables) memory() (tables func(pattern int) [][]int16, free func(), err error) {
	largest := 0
	for _, p := range t.Layout.Patterns {
		largest = max(largest, p.Entries())
	}
	words, free, err := ntuple.Allocate[uint64](t.Layout.StageCount() * largest / 4)
	if err != nil {
		return nil, nil, fmt.Errorf("memory for %d weights: %w", t.Layout.StageCount()*largest, err)
	}
	all := unsafe.Slice((*int16)(unsafe.Pointer(&words[0])), 4*len(words))
	return func(pattern int) (tables [][]int16) {
		entries := t.Layout.Patterns[pattern].Entries()
		for s := range t.Layout.StageCount() {
			tables = append(tables, all[s*largest:][:entries:entries])
		}
		return tables
	}, free, nil
}

// network decodes all tables.
func (t *Int16Tables) network() (*ntuple.Network, error) {
	n, err := t.c.differences(t.body)
	if err != nil {
		return nil, err
	}
	n.Bias, n.Downgrade = t.Bias, t.Downgrade
	if t.Layout.StageCount() > 1 {
		t.c.eachPattern(func(p int) { t.finish(stages(n, p)) })
	}
	return n, nil
}

// finish turns differences into what players read.
func (t *Int16Tables) finish(tables [][]int16) {
	t.c.learn(tables)
	t.c.promote(tables)
}
