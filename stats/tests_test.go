package stats

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// The sign test is a binomial tail.
func TestSignTest(t *testing.T) {
	for first := range 12 {
		for other := range 12 {
			want := 0.0
			for k := first; k <= first+other; k++ {
				want += distuv.Binomial{N: float64(first + other), P: 0.5}.Prob(float64(k))
			}
			if got := SignTest(first, other); math.Abs(got-want) > 1e-12 {
				t.Errorf("%d of %d: %v, want %v", first, first+other, got, want)
			}
		}
	}
}

// The t test is the tail of Student's distribution, and finds nothing in few values.
func TestMeanTest(t *testing.T) {
	for _, n := range []int{10, 33, 500} {
		for _, at := range []float64{-3, -0.5, 0, 0.5, 2, 4} {
			squares := float64(n-1) * float64(n) // a standard error of 1
			want := 1 - distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)}.CDF(at)
			if got := MeanTest(at, squares, n); math.Abs(got-want) > 1e-9 {
				t.Errorf("t=%v of %d: %v, want %v", at, n, got, want)
			}
		}
	}
	if MeanTest(1, 0, 9) != 1 || MeanTest(1, 0, 10) != 0 || MeanTest(0, 0, 10) != 1 {
		t.Error("equal values")
	}
}
