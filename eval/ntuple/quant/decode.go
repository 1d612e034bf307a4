package quant

import (
	stdcontext "context"
	"errors"
	"fmt"
	"math/bits"
	"runtime"
	"slices"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/workers"
	"github.com/afterstate2048/afterstate/internal/yield"
)

// A quantized file stores one integer for each weight. In the first stage of an [ntuple.Family], the
// integer is the weight in units of Header.Scale points. In a later stage, it is the weight minus the value
// that the weight would inherit from the earlier stages, modulo 1 << 16; 0 means not learned.

// maxBits is the maximum number of bits of a magnitude, which may be a difference of two signed 16-bit integers.
const maxBits = 16

// workspace is the memory of a goroutine that decodes or encodes patterns.
type workspace struct {
	unpacker
	words []int16
	free  func()
}

// unit is the work that one goroutine decodes or encodes at a time: a pattern in all stages of a family. number is
// the index of this unit among all units.
type unit struct {
	ntuple.Family
	pattern, number int
}

// eachUnit calls do for each pattern in each family, on all cores, with the goroutine's workspace.
func (c *Header) eachUnit(do func(w *workspace, u unit) error) error {
	all := make([]workspace, runtime.GOMAXPROCS(0))
	defer func() {
		for _, w := range all {
			if w.free != nil {
				w.free()
			}
		}
	}()
	families := c.Families()
	return workers.Each(stdcontext.Background(), len(all), len(families)*len(c.Patterns), func(_ stdcontext.Context, worker, i int) error {
		return do(&all[worker], unit{families[i/len(c.Patterns)], i % len(c.Patterns), i})
	})
}

// tables returns memory for the tables of a unit, one for each stage. The memory is valid until the
// next call.
func (w *workspace) tables(c *Header, u unit) (tables [][]int16, err error) {
	if w.words == nil {
		largest, mostStages := 0, 0
		for _, p := range c.Patterns {
			largest = max(largest, p.Entries())
		}
		for _, f := range c.Families() {
			mostStages = max(mostStages, f.Count)
		}
		if w.words, w.free, err = ntuple.Allocate[int16](mostStages * largest); err != nil {
			return nil, fmt.Errorf("memory for %d weights: %w", mostStages*largest, err)
		}
	}
	entries := c.Patterns[u.pattern].Entries()
	for s := range u.Count {
		tables = append(tables, w.words[s*entries:][:entries])
	}
	return tables, nil
}

// streams divides a body into the streams of the tables, by stage and pattern. It fails if their
// lengths do not match the body.
func (c *Header) streams(body []byte) ([][][]byte, error) {
	streams := make([][][]byte, len(c.Bytes))
	for s := range c.Bytes {
		for _, length := range c.Bytes[s] {
			if length < 0 || length > len(body) {
				return nil, fmt.Errorf("truncated: the next stream has %d bytes, but only %d are left", length, len(body))
			}
			streams[s] = append(streams[s], body[:length])
			body = body[length:]
		}
	}
	if len(body) > 0 {
		return nil, fmt.Errorf("%d bytes follow the last stream", len(body))
	}
	return streams, nil
}

// unpack decodes the streams on all cores. It decodes each unit, stage after stage, into the tables of n, or if n
// is nil into memory for one unit per core, and passes the tables of each unit to done. In these tables 0 means
// not learned, unless promoted is set: then weights that a stage has not learned have the value of the stage
// before.
func (c *Header) unpack(body []byte, n *ntuple.Network, promoted bool, done func(u unit, tables [][]int16) error) error {
	streams, err := c.streams(body)
	if err != nil {
		return fmt.Errorf("%w: %w", ntuple.ErrModel, err)
	}
	return c.eachUnit(func(w *workspace, u unit) (err error) {
		var tables [][]int16
		if n != nil {
			tables = stages(n, u)
		} else if tables, err = w.tables(c, u); err != nil {
			return err
		}
		for i := range tables {
			w.begin(tables[i], c.Patterns[u.pattern], streams[u.First+i][u.pattern])
			if err := w.unpack(); err != nil {
				return fmt.Errorf("%w: stage %d, pattern %s: %w", ntuple.ErrModel, u.First+i, c.Patterns[u.pattern], err)
			}
			switch {
			case i == 0:
			case promoted:
				promote(tables[i], tables[i-1])
			default:
				addInherited(tables[i], tables[:i])
			}
		}
		return done(u, tables)
	})
}

// stages returns the tables of a unit in a 16-bit network.
func stages(n *ntuple.Network, u unit) (tables [][]int16) {
	for i := range u.Count {
		tables = append(tables, n.Int16Table(u.First+i, u.pattern))
	}
	return tables
}

// inherited returns the value, in units, that weight i of a pattern has in a stage that has not
// learned it. before contains the weights, in units, of the earlier stages in the family.
func inherited(before [][]int16, i int) int16 {
	for s := len(before) - 1; s >= 0; s-- {
		if x := before[s][i]; x != 0 {
			return x
		}
	}
	return 0
}

// addInherited turns the differences in a stage's table into weights in units, where 0 still means not learned.
func addInherited(table []int16, before [][]int16) {
	for i, x := range table {
		if x != 0 {
			table[i] = x + inherited(before, i)
		}
	}
}

// promote turns the differences in a stage's table into weights in units, as addInherited does, and copies
// weights that the stage has not learned from above, the promoted table of the previous stage.
// Weights that no stage has learned stay 0.
func promote(table, above []int16) {
	// part is the number of entries that are skipped together if all are zero in above, as in most parts of ending
	// networks.
	const part = 32
	for len(table) >= part && len(above) >= part {
		t, a := (*[part]int16)(table), (*[part]int16)(above)
		if *a != [part]int16{} {
			for i, x := range a {
				t[i] += x
			}
		}
		table, above = table[part:], above[part:]
	}
}

// DequantizeInt16 decodes the network, without its metadata, into 16-bit integers. Up to rounding,
// the result equals that of Dequantize followed by [ntuple.Network.Int16], but DequantizeInt16
// needs less time and memory.
func DequantizeInt16(file []byte) (*ntuple.Network, error) {
	c, body, err := open(file)
	if err != nil {
		return nil, err
	}
	n, err := ntuple.NewInt16(c.Head, c.Scale)
	if err != nil {
		return nil, err
	}
	return filled(n, c.unpack(body, n, true, func(unit, [][]int16) error { return nil }))
}

// DequantizeSparse does what DequantizeInt16 does, for programs with little memory, such as
// browsers: the network takes a fraction of the memory, and computing values takes longer; see
// [ntuple.NewSparse].
func DequantizeSparse(file []byte) (*ntuple.Network, error) {
	t, err := OpenInt16(file)
	if err != nil {
		return nil, err
	}
	n, err := ntuple.NewSparse(t.Head, t.Scale)
	if err != nil {
		return nil, err
	}
	return filled(n, t.Each(func(pattern, first int, tables [][]int16) error {
		n.SetSparseTables(pattern, first, tables)
		return nil
	}))
}

// Int16Tables is a network in 16-bit integers that is decoded one table at a time.
type Int16Tables struct {
	ntuple.Head
	Scale float32 // points per unit
	// Each decodes all tables. It calls visit for each pattern in each family, with the tables of the family's
	// stages; first is the index of its first stage. It may call visit on several goroutines at the same time. The
	// tables have the contents of [ntuple.Network.Int16Table] and are valid until visit returns. Each allocates
	// memory for one pattern in one family per core. An error about the file wraps [ntuple.ErrModel]. If visit
	// fails, Each returns its error, possibly after further calls of visit.
	Each func(visit func(pattern, first int, tables [][]int16) error) error
}

// OpenInt16 checks a file that Quantize wrote and decodes its header. The file must not change later. An
// error wraps [ntuple.ErrModel].
func OpenInt16(file []byte) (*Int16Tables, error) {
	c, body, err := open(file)
	if err != nil {
		return nil, err
	}
	each := func(visit func(pattern, first int, tables [][]int16) error) error {
		return c.unpack(body, nil, true, func(u unit, tables [][]int16) error {
			return visit(u.pattern, u.First, tables)
		})
	}
	return &Int16Tables{c.Head, c.Scale, each}, nil
}

var errUnsound = errors.New("truncated or corrupt: its weights are not validly encoded")

// unpacker decodes a table.
type unpacker struct {
	ransDecoder
	around
	maskContext
	models *models
	table  []int16
	plan   *plan
	masks  []uint64 // for each block, a mask with a bit for each non-zero entry
	block  int      // index of the next block
	at     int      // index of the first entry of the current block
	todo   uint64   // integers of the current block that are not decoded yet, as bits in the order of entryTurns
}

// begin prepares u to decode a pattern into table, whose previous contents do not matter.
func (u *unpacker) begin(table []int16, p ntuple.Pattern, stream []byte) {
	l := newPlan(p)
	*u = unpacker{
		ransDecoder: newRansDecoder(stream), around: newAround(), models: u.models,
		table: table, plan: l, masks: slices.Grow(u.masks[:0], l.blocks)[:l.blocks],
	}
	clear(u.masks)
	if u.models == nil {
		u.models = new(models)
	}
	u.models.reset()
}

const (
	// maxBytes is the maximum number of bytes of a stream that decoding one block reads.
	maxBytes = 4 * (1 + 16 + 4*64)
	// maxBlocks is the maximum number of blocks that one call of the kernel decodes, because the Go
	// scheduler cannot preempt the kernel.
	maxBlocks = 1 << 10
)

// unpack decodes the table.
func (u *unpacker) unpack() error {
	if haveKernel && u.plan.size == 64 {
		for len(u.in)-u.pos >= maxBytes && u.block < len(u.masks) && !u.short {
			tableKernel(u, min(u.block+maxBlocks, len(u.masks)))
		}
	}
	return u.plain()
}

// plain decodes the table, or the part that the kernel has left, without the kernel.
func (u *unpacker) plain() error {
	u.decode()
	if !u.sound() {
		return errUnsound
	}
	return nil
}

// decode decodes the rest of the table.
func (u *unpacker) decode() {
	for u.next() {
		yield.Point()
		u.rows()
		u.integers()
	}
}

// next moves to the next block that is not empty, and reports whether there is one.
func (u *unpacker) next() bool {
	for u.block < len(u.masks) && !u.short {
		b := u.block
		u.block++
		u.at = b * u.plan.size
		clear(u.table[u.at:][:u.plan.size])
		u.enter(u.plan, b)
		u.maskContext = u.around.maskContext(u.masks)
		if u.symbol(b, &u.models.filled[u.filled]) != 0 {
			return true
		}
	}
	return false
}

// rows decodes which integers of the current block are not zero.
func (u *unpacker) rows() {
	mask := uint64(0)
	for i, r := range u.plan.rows() {
		row := u.symbol(i, &u.models.rows[u.row(mask, int(r))])
		mask |= uint64(row) << (4 * r)
		u.todo |= turned[r][row]
	}
	u.masks[u.block-1] = mask
}

// integers decodes the integers of the current block that are not zero.
func (u *unpacker) integers() {
	for i := 0; u.todo != 0; i += 2 {
		e := int(entryTurns[bits.TrailingZeros64(u.todo)])
		u.todo &= u.todo - 1
		h := u.hint(u.table, u.at, e)
		s := u.symbol(i, u.models.start(&h))
		n := int(minBits[h.sizes]) + s>>1
		if s>>1 == startLengths {
			n = 1 + u.symbol(i, &u.models.long[h.sizes&(symbolCount-1)])
		}
		end := u.symbol(i+1, u.models.end(&h, n))
		x := 1<<(n-1) | 1<<end | u.bits(i+1, max(0, n-2-end))<<(end+1)
		if s&1 != 0 {
			x = -x
		}
		u.table[u.at+e] = int16(x)
	}
}
