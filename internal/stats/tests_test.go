package stats

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// The p-value of the sign test is a binomial tail.
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

// The p-value of the t test is the tail of Student's distribution, and 1 for few values.
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

// The p-value is below 0.05 exactly if the interval excludes 0, and agrees with Student's distribution.
func TestZeroTest(t *testing.T) {
	for _, freedom := range []float64{1, 4, 30, 999} {
		for _, half := range []float64{0.5, 0.999, 1.001, 3} {
			p := ZeroTest(Interval{1 - half, 1 + half}, freedom)
			want := 2 * distuv.StudentsT{Sigma: 1, Nu: freedom}.CDF(-studentT(freedom)/half)
			if math.Abs(p-want) > 1e-9 || (p < 0.05) != (half < 1) {
				t.Errorf("1 ± %v, %v degrees: %v, want %v", half, freedom, p, want)
			}
		}
	}
	if ZeroTest(Interval{2, 2}, 3) != 0 || ZeroTest(Interval{0, 0}, 3) != 1 || !math.IsNaN(ZeroTest(Unknown, 0)) {
		t.Error("equal values, or none")
	}
}

// The example of https://en.wikipedia.org/wiki/Holm-Bonferroni_method, with a test that found nothing.
func TestHolm(t *testing.T) {
	got := Holm([]float64{0.01, 0.04, math.NaN(), 0.03, 0.005})
	for i, want := range []float64{0.03, 0.06, math.NaN(), 0.06, 0.02} {
		if math.Abs(got[i]-want) > 1e-12 || math.IsNaN(got[i]) != math.IsNaN(want) {
			t.Errorf("%d: %v, want %v", i, got[i], want)
		}
	}
	if one := Holm([]float64{0.2}); one[0] != 0.2 {
		t.Errorf("one test: %v", one)
	}
}
