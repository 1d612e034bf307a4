package quant

import (
	"errors"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
)

// Each passes every table of the network that DequantizeInt16 decodes, once;
// it returns what visit returns, and errors about streams.
func TestEach(t *testing.T) {
	recorded := must.Get(os.ReadFile("testdata/quantized.model"))(t)
	n := learned(t, layout(t, "5x4", ntuple.Stage{}, ntuple.Stage{4}, ntuple.Stage{6}))
	n.Bias, n.Downgrade = 10, 8
	present, _ := requantized(t, n, Options{})
	for _, file := range [][]byte{recorded, present} {
		want := must.Get(DequantizeInt16(file))(t)
		defer want.Close()
		tables := must.Get(OpenInt16(file))(t)
		scale := want.Int16Scale()
		if tables.Scale != scale || tables.Bias != want.Bias || tables.Downgrade != want.Downgrade || !tables.Layout.Equal(&want.Layout) {
			t.Errorf("%+v", tables)
		}
		var mu sync.Mutex
		seen := map[[2]int]bool{}
		err := tables.Each(func(pattern, first int, all [][]int16) error {
			mu.Lock()
			defer mu.Unlock()
			for i, table := range all {
				stage := first + i
				if place := [2]int{stage, pattern}; seen[place] || !slices.Equal(table, want.Int16Table(stage, pattern)) {
					t.Errorf("stage %d, pattern %d: again, or another table", stage, pattern)
				} else {
					seen[place] = true
				}
			}
			return nil
		})
		if err != nil || len(seen) != want.StageCount()*len(want.Patterns) {
			t.Errorf("%d tables, %v", len(seen), err)
		}
		if err := tables.Each(func(int, int, [][]int16) error { return os.ErrClosed }); !errors.Is(err, os.ErrClosed) {
			t.Errorf("an error of visit: %v", err)
		}
		file[len(file)-1] ^= 1
		if err := tables.Each(func(int, int, [][]int16) error { return nil }); !errors.Is(err, ntuple.ErrModel) {
			t.Errorf("a damaged stream: %v", err)
		}
		if _, err := OpenInt16(file); !errors.Is(err, ntuple.ErrModel) {
			t.Errorf("a wrong checksum: %v", err)
		}
		if _, err := DequantizeSparse(file); !errors.Is(err, ntuple.ErrModel) {
			t.Errorf("a wrong checksum, for a sparse network: %v", err)
		}
	}
}
