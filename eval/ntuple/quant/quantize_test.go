package quant

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/board"
)

// The error of every decoded weight is at most half a step, or one step more where the weight would
// otherwise look unlearned.
func TestQuantize(t *testing.T) {
	for i, patterns := range []string{"0123 4567 0145", "01 012 4569"} {
		l := must.Get(ntuple.ParseLayout(board.Size{Rows: 4, Cols: 4}, patterns))(t)
		l.Stages, l.Fixed = []ntuple.Stage{{}, {9}, {11}}, i == 1
		n := learned(t, l)
		n.Bias = 7
		for _, width := range []int{16, 9} {
			_, m := requantized(t, n, Options{Bits: width})
			if !m.Equal(&n.Layout) || m.Bias != 7 || m.Info.Measured.Mean != 2000 || m.Info.State != nil || m.Bits != width {
				t.Errorf("%+v", m)
			}
			largest := float32(0)
			for s := range n.StageCount() {
				for p := range n.Patterns {
					largest = max(largest, slices.Max(n.Table(s, p)), -slices.Min(n.Table(s, p)))
				}
			}
			step := float64(largest) / float64(int(1)<<(width-1)-1)
			for s := range n.StageCount() {
				for p := range n.Patterns {
					for i, w := range n.Table(s, p) {
						got := weight(m.Network, s, p, i)
						off := math.Abs(float64(weight(n, s, p, i) - got))
						limit := 0.501
						if s > 0 && math.Abs(float64(got)) < 1.01*step {
							limit = 1.51
						}
						if w != 0 && off > limit*step {
							t.Fatalf("%d bits: weight %d of stage %d is %v, want %v within %v", width, i, s, got, w, limit*step)
						}
						if w == 0 && m.Table(s, p)[i] != 0 {
							t.Fatalf("weight %d, never seen, is %v", i, got)
						}
					}
				}
			}
		}
	}
}

// A file uses the size that it may have, and weights that play reads often are the most precise.
func TestQuantizeSize(t *testing.T) {
	n := learned(t, layout(t, "2x4", ntuple.Stage{}, ntuple.Stage{9}))
	visits := make([][]uint32, 2)
	for s := range visits {
		visits[s] = make([]uint32, n.Entries())
		for i := range visits[s] {
			if i%3 == 0 {
				visits[s][i] = 1000
			}
		}
	}
	complete, exact := requantized(t, n, Options{Visits: visits})
	t.Logf("%d bytes: %+v", len(complete), exact.Loss)
	begins, _ := n.Begins()
	last := exact.Loss.RMS
	for _, share := range soak.Pick([]int{30}, []int{60, 30, 10}) {
		size := len(complete) * share / 100
		file, m := requantized(t, n, Options{Size: size, Visits: visits})
		t.Logf("%d bytes of %d: %+v", len(file), size, m.Loss)
		if len(file) > size || len(file) < size*97/100-2200 || m.Loss.RMS <= last || m.Loss.Weights != exact.Loss.Weights || m.Loss.Kept >= exact.Loss.Kept {
			t.Errorf("%d bytes, want nearly %d; %+v", len(file), size, m.Loss)
		}
		last = m.Loss.RMS
		var off [2]float64
		for p := range n.Patterns {
			for i, w := range n.Table(0, p) {
				d := float64(w - m.Table(0, p)[i])
				often := 0
				if (begins[p]+i)%3 == 0 {
					often = 1
				}
				off[often] += d * d
			}
		}
		if off[1]/off[0] > 0.2 {
			t.Errorf("squared errors of weights visited: %.0f, of others, twice as many: %.0f", off[1], off[0])
		}
	}
	file, m := requantized(t, n, Options{Size: len(complete) + 5000, Visits: visits})
	if m.Loss != exact.Loss || len(file) != len(complete) {
		t.Errorf("%d bytes where %d do, %+v", len(file), len(complete), m.Loss)
	}
	_, without := requantized(t, n, Options{Size: len(complete) / 3})
	if without.Loss.RMS <= exact.Loss.RMS {
		t.Errorf("%+v", without.Loss)
	}
	for want, o := range map[string]Options{
		"2 to 16":         {Bits: 17},
		"too few":         {Size: 1000},
		"another network": {Visits: visits[:1]},
	} {
		_, _, err := Quantize(n, info, o)
		must.Contains(t, fmt.Sprint(err), want)
	}
	n.Table(1, 0)[77] = float32(math.NaN())
	if _, _, err := Quantize(n, info, Options{}); err == nil {
		t.Error("a weight that is no number")
	}
}

// A network whose weights are all zero takes almost no space.
func TestQuantizeNothing(t *testing.T) {
	for _, size := range []int{0, 5000} {
		n := must.Get(ntuple.New(layout(t, "2x4", ntuple.Stage{}, ntuple.Stage{9})))(t)
		file, m := requantized(t, n, Options{Size: size})
		if !same(n, m.Network) || len(file) > 2000 {
			t.Errorf("%d bytes", len(file))
		}
		n.Close()
	}
}
