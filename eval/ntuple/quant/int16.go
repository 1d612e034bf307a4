package quant

import "github.com/afterstate2048/afterstate/eval/ntuple"

// DequantizeInt16 decodes the network alone, in 16-bit integers: the result of Dequantize followed
// by [ntuple.Network.Int16], up to rounding, in less time and memory.
func DequantizeInt16(file []byte) (*ntuple.Network, error) {
	c, body, err := open(file)
	if err != nil {
		return nil, err
	}
	n, err := ntuple.NewInt16(c.Head, c.Scale)
	if err != nil {
		return nil, err
	}
	return filled(n, c.unpack(body, n, func(_ int, tables [][]int16) error {
		c.promote(tables)
		return nil
	}))
}

// DequantizeSparse is DequantizeInt16 for where memory is short, as in browsers: the network takes a
// fraction of the memory, and values take longer; see [ntuple.NewSparse].
func DequantizeSparse(file []byte) (*ntuple.Network, error) {
	t, err := OpenInt16(file)
	if err != nil {
		return nil, err
	}
	n, err := ntuple.NewSparse(t.Head, t.Scale)
	if err != nil {
		return nil, err
	}
	return filled(n, t.Each(func(pattern int, tables [][]int16) error {
		for stage, table := range tables {
			n.SetSparseTable(stage, pattern, table)
		}
		return nil
	}))
}

// Int16Tables is a network that is decoded a table at a time, in 16-bit integers.
type Int16Tables struct {
	ntuple.Head
	Scale float32 // of a unit, in points
	// Each decodes all tables and passes those of each pattern, by stage, to visit, maybe on several goroutines at the same
	// time. They have the contents of [ntuple.Network.Int16Table] and are valid until visit returns. Memory is taken for
	// one pattern a core. An error about a file wraps [ntuple.ErrModel]; one of visit is returned, and others may
	// follow it.
	Each func(visit func(pattern int, tables [][]int16) error) error
}

// OpenInt16 checks a file that Quantize wrote and decodes its header. The file must not change later. An
// error wraps [ntuple.ErrModel].
func OpenInt16(file []byte) (*Int16Tables, error) {
	c, body, err := open(file)
	if err != nil {
		return nil, err
	}
	each := func(visit func(pattern int, tables [][]int16) error) error {
		return c.unpack(body, nil, func(p int, tables [][]int16) error {
			c.promote(tables)
			return visit(p, tables)
		})
	}
	return &Int16Tables{c.Head, c.Scale, each}, nil
}

// TablesOf are those of a 16-bit network.
func TablesOf(n *ntuple.Network) *Int16Tables {
	_, scale := n.Int16Weights(0)
	each := func(visit func(pattern int, tables [][]int16) error) error {
		for p := range n.Patterns {
			if err := visit(p, stages(n, p)); err != nil {
				return err
			}
		}
		return nil
	}
	return &Int16Tables{n.Head, scale, each}
}
