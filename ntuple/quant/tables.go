package quant

import (
	stdcontext "context"
	"fmt"
	"runtime"
	"sync/atomic"

	"afterstate/internal/workers"
	"afterstate/ntuple"
)

// differences decodes the integers of all stages into the tables of an Int16 network, on all cores. An
// integer of a later stage is the difference to what the weight reads if that stage has not learned
// it, modulo 1 << 16; 0 means not learned.
func (c *Summary) differences(body []byte) (*ntuple.Network, error) {
	n, err := ntuple.NewInt16(c.Layout, c.Scale)
	if err != nil {
		return nil, err
	}
	memory := func() (func(int) [][]int16, func(), error) {
		return func(p int) [][]int16 { return stages(n, p) }, func() {}, nil
	}
	if err := c.unpack(body, memory, func(int, [][]int16) error { return nil }); err != nil {
		n.Close()
		return nil, err
	}
	return n, nil
}

// stages are the tables of a pattern in all stages of an Int16 network.
func stages(n *ntuple.Network, pattern int) (tables [][]int16) {
	for s := range n.StageCount() {
		tables = append(tables, n.Int16Table(s, pattern))
	}
	return tables
}

// streams returns the codes of the tables in a body, by stage and pattern.
func (c *Summary) streams(body []byte) [][][]byte {
	streams := make([][][]byte, len(c.Bytes))
	for s := range c.Bytes {
		for _, length := range c.Bytes[s] {
			streams[s] = append(streams[s], body[:length])
			body = body[length:]
		}
	}
	return streams
}

// unpack decodes the streams, on all cores: those of a pattern, stage after stage, into tables, which it
// passes to done. Each thread asks memory once where the tables of a pattern are, and frees that at its end.
func (c *Summary) unpack(body []byte, memory func() (tables func(pattern int) [][]int16, free func(), err error),
	done func(pattern int, tables [][]int16) error) error {
	streams := c.streams(body)
	var next atomic.Int64
	return workers.Try(stdcontext.Background(), min(len(c.Patterns), runtime.GOMAXPROCS(0)), func(ctx stdcontext.Context, _ int) error {
		tables, free, err := memory()
		if err != nil {
			return err
		}
		defer free()
		var u unpacker
		for p := int(next.Add(1)) - 1; p < len(c.Patterns) && ctx.Err() == nil; p = int(next.Add(1)) - 1 {
			all := tables(p)
			for s := range all {
				u.begin(all[s], c.Patterns[p], streams[s][p])
				if err := u.unpack(); err != nil {
					return fmt.Errorf("%w: stage %d, pattern %s: %w", ntuple.ErrModel, s, c.Patterns[p], err)
				}
			}
			if err := done(p, all); err != nil {
				return err
			}
		}
		return nil
	})
}

// before is what weight i of a pattern reads in a stage that has not learned it, in units. tables are
// those of the stages before.
func before(tables [][]int16, i int, bias int16) int16 {
	for s := len(tables) - 1; s >= 0; s-- {
		if x := tables[s][i]; x != 0 {
			return x
		}
	}
	return bias
}

// learn turns differences of a pattern into units, where 0 still means not learned.
func (c *Summary) learn(tables [][]int16) {
	if c.Walls > 0 {
		return // its stages are no differences
	}
	for s := 1; s < len(tables); s++ {
		bias := c.stageUnits(s)
		for i, x := range tables[s] {
			if x != 0 {
				tables[s][i] = x + before(tables[:s], i, bias)
			}
		}
	}
}

// promote makes weights that a stage has not learned what they read.
func (c *Summary) promote(tables [][]int16) {
	if c.Walls > 0 {
		return
	}
	for s := len(tables) - 1; s > 0; s-- {
		bias := c.stageUnits(s)
		for i, x := range tables[s] {
			if x == 0 {
				tables[s][i] = before(tables[:s], i, bias)
			}
		}
	}
}

// stageUnits is StageBias of a weight in units.
func (c *Summary) stageUnits(stage int) int16 {
	return int16(stageUnits(&c.Layout, c.StageBias, c.Scale)[stage])
}

// eachPattern calls do for each pattern, on all cores.
func (c *Summary) eachPattern(do func(pattern int)) {
	inParallel(&c.Layout, nil, 0, func(_ *table, p int) { do(p) })
}
