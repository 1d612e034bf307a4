package quant

import (
	"errors"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"afterstate/ntuple"
)

// table is the integers of a pattern's weights, stage after stage. One of the first stage is the
// weight in units of the scale. One of a later stage is the difference to what the weight reads if
// that stage has not learned it; 0 means not learned.
type table struct {
	*field
	scale     float32
	stageBias []int32       // by stage
	before    sparse[int32] // what the stages before read, in units
}

func newTable(l *ntuple.Layout, stageBias []float32, scale float32) *table {
	return &table{field: newField(), scale: scale, stageBias: stageUnits(l, stageBias, scale)}
}

// stageUnits is the stages' biases of a weight in units.
func stageUnits(l *ntuple.Layout, stageBias []float32, scale float32) []int32 {
	units := make([]int32, l.StageCount())
	for s := 1; s < min(len(stageBias), len(units)) && scale > 0; s++ {
		const limit = 1<<(maxNumberBits-1) - 1
		unit := float64(stageBias[s]) / float64(l.Features()) / float64(scale)
		units[s] = int32(max(-limit, min(limit, math.RoundToEven(unit))))
	}
	return units
}

// begin makes it the table of a pattern in a stage.
func (t *table) begin(stage int, p ntuple.Pattern) {
	t.field.begin(p)
	if stage == 0 && len(t.stageBias) > 1 {
		t.before.reset(len(t.index))
	}
}

// untouched is what entry i of a block reads if this stage has not learned it, in units.
func (t *table) untouched(stage, number, i int) int32 {
	if stage == 0 {
		return 0
	}
	if x := t.before.get(number)[i]; x != 0 {
		return x
	}
	return t.stageBias[stage]
}

// touch stores the entry's units for later stages.
func (t *table) touch(number, i int, units int32) {
	if len(t.stageBias) > 1 {
		t.before.add(number)[i] = units
	}
}

var errExhausted = errors.New("truncated or corrupt: it ends before its weights")

// decode decodes the weights of a stage from a stream, block by block, in units of the scale, and
// passes each block with its first index to fill.
func (t *table) decode(stage int, p ntuple.Pattern, stream []byte, fill func(at int, units []int32)) error {
	t.begin(stage, p)
	d, model := newDecoder(stream), newNumberModel()
	filled, block := 0, new([64]int32)
	for number := range t.index {
		filled = d.get(&model.filled[filled])
		if filled == 0 {
			continue
		}
		t.enter(number)
		*block = [64]int32{}
		for i := range t.size {
			c := t.context(i)
			x := model.get(d, &c)
			if x == 0 {
				continue
			}
			t.put(i, x)
			units := t.untouched(stage, number, i) + x
			t.touch(number, i, units)
			block[i] = units
		}
		fill(number*t.size, block[:t.size])
		if d.exhausted() {
			return errExhausted
		}
	}
	return nil
}

// inParallel calls do for each pattern, on all cores, with a table of the goroutine's own.
func inParallel(l *ntuple.Layout, stageBias []float32, scale float32, do func(t *table, pattern int)) {
	var next atomic.Int64
	var threads sync.WaitGroup
	for range min(len(l.Patterns), runtime.GOMAXPROCS(0)) {
		threads.Go(func() {
			t := newTable(l, stageBias, scale)
			for p := next.Add(1) - 1; p < int64(len(l.Patterns)); p = next.Add(1) - 1 {
				do(t, int(p))
			}
		})
	}
	threads.Wait()
}
