package quant

import (
	"math"
	"runtime"
	"sync/atomic"

	"afterstate/internal/workers"
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
	endings   bool          // an ending network, whose stages do not fall back on one another
}

func newTable(l *ntuple.Layout, stageBias []float32, scale float32) *table {
	return &table{field: newField(), scale: scale, stageBias: stageUnits(l, stageBias, scale), endings: l.Walls > 0}
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
	if stage == 0 || t.endings {
		return 0
	}
	if x := t.before.get(number)[i]; x != 0 {
		return x
	}
	return t.stageBias[stage]
}

// touch stores the entry's units for later stages.
func (t *table) touch(number, i int, units int32) {
	if len(t.stageBias) > 1 && !t.endings {
		t.before.add(number)[i] = units
	}
}

// inParallel calls do for each pattern, on all cores, with a table of the goroutine's own.
func inParallel(l *ntuple.Layout, stageBias []float32, scale float32, do func(t *table, pattern int)) {
	var next atomic.Int64
	workers.Run(min(len(l.Patterns), runtime.GOMAXPROCS(0)), func(int) {
		t := newTable(l, stageBias, scale)
		for p := next.Add(1) - 1; p < int64(len(l.Patterns)); p = next.Add(1) - 1 {
			do(t, int(p))
		}
	})
}
