package quant

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/afterstate2048/afterstate/eval/endings"
	"github.com/afterstate2048/afterstate/eval/ntuple"
)

// The stages of an ending network do not fall back on one another, in no form of it: what one has not learned reads as zero.
func TestEndings(t *testing.T) {
	l, err := ntuple.EndingLayout(layout(t, "5x4"), 4)
	if err != nil {
		t.Fatal(err)
	}
	n := learned(t, l)
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
	r := rand.NewPCG(1, 2)
	for i := range 4000 {
		b := endings.Start(4+i%3, r)
		if i%50 == 0 {
			b |= 0x9900 // often a complete chain
		}
		want := float64(n.Value(b))
		for form, small := range map[string]*ntuple.Network{"raw": raw, "dense": dense, "sparse": sparse} {
			if got := float64(small.Value(b)); math.Abs(got-want) > 1 {
				t.Fatalf("%s, %016x: %v, want %v", form, uint64(b), got, want)
			}
		}
	}
}
