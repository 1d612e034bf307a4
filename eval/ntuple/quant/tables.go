package quant

import (
	stdcontext "context"
	"fmt"
	"math"
	"runtime"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/workers"
)

// The integers of the first stage are its weights in units of the scale. One of a later stage is the difference to
// what the weight reads if that stage has not learned it, modulo 1 << 16; 0 means not learned.

// maxBits is the most bits of a magnitude: that of a difference of two signed 16-bit integers.
const maxBits = 16

// workspace is the memory of a goroutine that decodes or encodes patterns.
type workspace struct {
	unpacker
	words []int16
	free  func()
}

// eachPattern calls do for each pattern, on all cores, with the goroutine's workspace.
func (c *Header) eachPattern(do func(w *workspace, pattern int) error) error {
	all := make([]workspace, runtime.GOMAXPROCS(0))
	defer func() {
		for _, w := range all {
			if w.free != nil {
				w.free()
			}
		}
	}()
	return workers.Each(stdcontext.Background(), len(all), len(c.Patterns), func(_ stdcontext.Context, worker, p int) error {
		return do(&all[worker], p)
	})
}

// tables are memory for the tables of a pattern in all stages, valid until the next call.
func (w *workspace) tables(c *Header, pattern int) (tables [][]int16, err error) {
	if w.words == nil {
		largest := 0
		for _, p := range c.Patterns {
			largest = max(largest, p.Entries())
		}
		if w.words, w.free, err = ntuple.Allocate[int16](c.StageCount() * largest); err != nil {
			return nil, fmt.Errorf("memory for %d weights: %w", c.StageCount()*largest, err)
		}
	}
	entries := c.Patterns[pattern].Entries()
	for s := range c.StageCount() {
		tables = append(tables, w.words[s*entries:][:entries])
	}
	return tables, nil
}

// streams returns the codes of the tables in a body, by stage and pattern.
func (c *Header) streams(body []byte) ([][][]byte, error) {
	streams := make([][][]byte, len(c.Bytes))
	for s := range c.Bytes {
		for _, length := range c.Bytes[s] {
			if length < 0 || length > len(body) {
				return nil, fmt.Errorf("truncated: a stream of %d bytes where %d are left", length, len(body))
			}
			streams[s] = append(streams[s], body[:length])
			body = body[length:]
		}
	}
	if len(body) > 0 {
		return nil, fmt.Errorf("%d bytes more than its streams", len(body))
	}
	return streams, nil
}

// unpack decodes the streams, on all cores: those of a pattern, stage after stage, into the tables of n, or if that is nil
// into memory for one pattern a core. It passes the tables of each pattern, in which 0 means not learned, to done.
func (c *Header) unpack(body []byte, n *ntuple.Network, done func(pattern int, tables [][]int16) error) error {
	streams, err := c.streams(body)
	if err != nil {
		return fmt.Errorf("%w: %w", ntuple.ErrModel, err)
	}
	return c.eachPattern(func(w *workspace, p int) (err error) {
		var tables [][]int16
		if n != nil {
			tables = stages(n, p)
		} else if tables, err = w.tables(c, p); err != nil {
			return err
		}
		for s := range tables {
			w.begin(tables[s], c.Patterns[p], streams[s][p])
			if err := w.unpack(); err != nil {
				return fmt.Errorf("%w: stage %d, pattern %s: %w", ntuple.ErrModel, s, c.Patterns[p], err)
			}
			c.learn(tables[s], tables[:s])
		}
		return done(p, tables)
	})
}

// stages are the tables of a pattern in all stages of an Int16 network.
func stages(n *ntuple.Network, pattern int) (tables [][]int16) {
	for s := range n.StageCount() {
		tables = append(tables, n.Int16Table(s, pattern))
	}
	return tables
}

// untouched returns what weight i of a pattern reads in a stage that has not learned it, in units. before are the
// units of the stages before.
func (c *Header) untouched(before [][]int16, i int) int16 {
	if len(before) == 0 || c.Walls > 0 {
		return 0
	}
	for s := len(before) - 1; s >= 0; s-- {
		if x := before[s][i]; x != 0 {
			return x
		}
	}
	return c.stageUnits(len(before))
}

// learn turns the differences of a table into units, where 0 still means not learned.
func (c *Header) learn(table []int16, before [][]int16) {
	if len(before) == 0 || c.Walls > 0 {
		return
	}
	for i, x := range table {
		if x != 0 {
			table[i] = x + c.untouched(before, i)
		}
	}
}

// promote makes weights that a stage has not learned what they read.
func (c *Header) promote(tables [][]int16) {
	for s := len(tables) - 1; s > 0 && c.Walls == 0; s-- {
		for i, x := range tables[s] {
			if x == 0 {
				tables[s][i] = c.untouched(tables[:s], i)
			}
		}
	}
}

// stageUnits is StageBias of a weight in units.
func (c *Header) stageUnits(stage int) int16 {
	if stage >= len(c.StageBias) || c.Scale == 0 {
		return 0
	}
	unit := float64(c.StageBias[stage]) / float64(c.Features()) / float64(c.Scale)
	return int16(max(-math.MaxInt16, min(math.MaxInt16, math.RoundToEven(unit))))
}
