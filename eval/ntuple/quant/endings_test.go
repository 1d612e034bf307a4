package quant

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/afterstate2048/afterstate/eval/endings"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// What a stage of an ending network has not learned reads as in the stage before of the same ending, or as zero, in every form
// for players; training starts from such weights.
func TestEndings(t *testing.T) {
	l, err := ntuple.EndingLayout(layout(t, soak.Pick("2x4", "5x4")), 4)
	if err != nil {
		t.Fatal(err)
	}
	n := learned(t, l)
	n.FoldBias()
	file, _ := requantized(t, n, Options{})
	raw, err := Dequantize(file)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	dense, err := DequantizeInt16(file)
	if err != nil {
		t.Fatal(err)
	}
	defer dense.Close()
	sparse, err := DequantizeSparse(file)
	if err != nil {
		t.Fatal(err)
	}
	defer sparse.Close()
	whole, err := n.Int16()
	if err != nil {
		t.Fatal(err)
	}
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
