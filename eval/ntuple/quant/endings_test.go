package quant

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/afterstate2048/afterstate/eval/endings"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// In every form for players, a weight that a stage of an ending network has not learned has the value of the previous
// stage of the same ending, or zero. Training starts from such weights.
func TestEndings(t *testing.T) {
	l := must.Get(ntuple.EndingLayout(layout(t, soak.Pick("2x4", "5x4")), 4))(t)
	n := learned(t, l)
	n.FoldBias()
	file, _ := requantized(t, n, Options{})
	raw := must.Get(Dequantize(file))(t)
	defer raw.Close()
	dense := must.Get(DequantizeInt16(file))(t)
	defer dense.Close()
	sparse := must.Get(DequantizeSparse(file))(t)
	defer sparse.Close()
	whole := must.Get(n.Int16())(t)
	defer whole.Close()
	r := rand.NewPCG(1, 2)
	for i := range soak.Pick(1000, 4000) {
		b := endings.Start(4+i%3, r)
		if i%50 == 0 {
			b |= 0x9900 // often a complete chain
		}
		want := float64(whole.Value(b))
		for form, small := range map[string]*ntuple.Network{"raw": raw, "dense": dense, "sparse": sparse} {
			if got := float64(small.Value(b)); math.Abs(got-want) > 1 {
				t.Fatalf("%s, %016x: %v, want %v", form, uint64(b), got, want)
			}
		}
	}
}
