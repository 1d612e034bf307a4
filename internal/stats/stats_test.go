package stats

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

// Published: Newcombe, Interval estimation for the difference between independent
// proportions (1998), the Wilson score method without continuity correction.
func TestWilsonAgainstPublishedIntervals(t *testing.T) {
	for _, c := range []struct {
		hits, n   int
		low, high float64
	}{
		{81, 263, 0.2553, 0.3662},
		{15, 148, 0.0624, 0.1605},
		{0, 20, 0, 0.1611},
		{1, 29, 0.0061, 0.1718},
	} {
		for _, flip := range []bool{false, true} {
			hits, low, high := c.hits, c.low, c.high
			if flip { // intervals are symmetric in hits and misses
				hits, low, high = c.n-c.hits, 1-c.high, 1-c.low
			}
			if ci := Wilson(hits, c.n); !near(ci.Low, low, 5e-5) || !near(ci.High, high, 5e-5) {
				t.Errorf("Wilson(%d, %d) = %v, want [%v, %v]", hits, c.n, ci, low, high)
			}
		}
	}
}

// The ends are the shares q from which the observed one is just z standard errors
// away, with the standard error of q itself.
func TestWilsonSolvesItsEquation(t *testing.T) {
	for n := 1; n < 60; n++ {
		for hits := 0; hits <= n; hits++ {
			ci := Wilson(hits, n)
			p := float64(hits) / float64(n)
			for _, q := range []float64{ci.Low, ci.High} {
				if got, want := (p-q)*(p-q), z95*z95*q*(1-q)/float64(n); !near(got, want, 1e-12) {
					t.Fatalf("Wilson(%d, %d): %v is no root: %v, want %v", hits, n, q, got, want)
				}
			}
			if ci.Low > p || ci.High < p || ci.Low < 0 || ci.High > 1 {
				t.Fatalf("Wilson(%d, %d) = %v around %v", hits, n, ci, p)
			}
		}
	}
	if Wilson(0, 0).Known() {
		t.Error("something is known of no games")
	}
}

func TestMeanAgainstTablesOfStudentsT(t *testing.T) {
	for n, quantile := range map[int]float64{2: 12.706, 3: 4.303, 10: 2.262, 30: 2.045, 61: 2.000, 100_000: 1.960} {
		xs := make([]float64, n)
		sum, squares := 0.0, 0.0
		for i := range xs {
			xs[i] = 1000 + float64(i*7919%101) // no pattern that matters
			sum += xs[i]
			squares += xs[i] * xs[i]
		}
		want := sum / float64(n)
		deviation := math.Sqrt((squares - sum*sum/float64(n)) / float64(n-1))
		mean, ci := Mean(xs)
		half := quantile * deviation / math.Sqrt(float64(n))
		if !near(mean, want, 1e-9*want) || !near(ci.Half(), half, 3e-4*half) || !near((ci.Low+ci.High)/2, mean, 1e-9*want) {
			t.Errorf("%d values: %v %v, want %v ± %v", n, mean, ci, want, half)
		}
	}
	// By hand: 1..10 has mean 5.5 and s = sqrt(55/6); 2.262157 * s / sqrt(10) = 2.165851.
	if mean, ci := Mean([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}); mean != 5.5 || !near(ci.Half(), 2.165851, 1e-6) {
		t.Errorf("1 to 10: %v %v", mean, ci)
	}
}

func TestStudentTIsGonums(t *testing.T) {
	for nu := 1.0; nu < 1e7; nu = math.Ceil(nu * 1.3) {
		if got, want := studentT(nu), (distuv.StudentsT{Sigma: 1, Nu: nu}).Quantile(0.975); !near(got, want, 1e-9*want) {
			t.Errorf("%v degrees of freedom: %v, want %v", nu, got, want)
		}
	}
}

func TestTooLittleIsNotKnown(t *testing.T) {
	if mean, ci := Mean([]float64{7}); mean != 7 || ci.Known() {
		t.Errorf("one value: %v %v", mean, ci)
	}
	if mean, ci := Mean(nil); !math.IsNaN(mean) || ci.Known() {
		t.Errorf("no value: %v %v", mean, ci)
	}
	if text, err := json.Marshal([]Interval{Unknown, {1, 2.5}}); err != nil || string(text) != "[null,[1,2.5]]" {
		t.Errorf("intervals as JSON: %s, %v", text, err)
	}
	if !math.IsNaN(Median(nil)) {
		t.Error("the median of no values is not NaN")
	}
}

func TestQuantiles(t *testing.T) {
	chance := rand.New(rand.NewPCG(2, 2))
	for n := 1; n < 300; n++ {
		xs := make([]float64, n)
		for i := range xs {
			xs[i] = float64(chance.IntN(n/2 + 1)) // with equal ones
		}
		before := slices.Clone(xs)
		sorted := slices.Sorted(slices.Values(xs))
		for _, q := range []float64{0, 0.25, 0.5, 0.9, 1} {
			at := q * float64(n-1)
			low, high := sorted[int(math.Floor(at))], sorted[int(math.Ceil(at))]
			want := low + (at-math.Floor(at))*(high-low)
			if got := Quantile(xs, q); math.Abs(got-want) > 1e-9 {
				t.Fatalf("%v of %v: %v, want %v", q, xs, got, want)
			}
		}
		if !slices.Equal(xs, before) {
			t.Fatal("Quantile changed the order of the values")
		}
	}
}

// Welch's interval by a worked example: https://en.wikipedia.org/wiki/Welch%27s_t-test, example 1.
func TestDifference(t *testing.T) {
	a := []float64{27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4}
	b := []float64{27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4}
	mean, ci, freedom := Difference(a, b)
	// t = -2.46 with 25.0 degrees of freedom: the interval is mean ± 2.0595 * |mean|/2.46.
	if math.Abs(mean+2.1667) > 0.001 || math.Abs(ci.Half()-2.0595*2.1667/2.4554) > 0.002 {
		t.Errorf("%v, %v", mean, ci)
	}
	if p := ZeroTest(ci, freedom); !near(freedom, 25, 0.05) || !near(p, 0.021, 5e-4) {
		t.Errorf("p is %v, with %v degrees of freedom", p, freedom)
	}
	if mean, ci, _ := Difference(a, b[:1]); math.Abs(mean-(20.82-27.1)) > 0.01 || ci.Known() {
		t.Errorf("%v, %v", mean, ci)
	}
	if mean, ci, _ := Difference([]float64{2, 2}, []float64{1, 1}); mean != 1 || ci != (Interval{1, 1}) {
		t.Errorf("%v, %v", mean, ci)
	}
}
