package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// draw returns values with a known mean; their controls explain a share of the variance.
func draw(r *rand.Rand, n int, mean, share float64) (values []float64, controls [][]float64, groups []int) {
	for i := range n {
		c := []float64{r.NormFloat64() * 1000, 0, 0, 0}
		c[1] = c[0]*0.5 + r.NormFloat64()*100 // correlated with the first
		if r.IntN(3) == 0 {
			c[2] = r.ExpFloat64() - 1 // mostly 0
		}
		explained := (c[0] + 2*(c[1]-c[0]/2)) / 1000
		values = append(values, mean+math.Sqrt(share)*explained+math.Sqrt(1-share)*(r.ExpFloat64()-1))
		controls, groups = append(controls, c), append(groups, i)
	}
	return values, controls, groups
}

// Intervals of adjusted values cover the true mean in 95 % of cases, and are narrower according to what the controls explain.
func TestAdjustCovers(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, n := range []int{MinAdjusted, 150, 400} {
		const trials = 600
		covered, sum, plain, adjusted := 0, 0.0, 0.0, 0.0
		for range trials {
			values, controls, groups := draw(r, n, 5, 0.6)
			_, ci := Mean(values)
			plain += ci.Half()
			mean, ci := Mean(Adjust(values, groups, controls))
			adjusted += ci.Half()
			sum += mean
			if ci.Low <= 5 && 5 <= ci.High {
				covered++
			}
		}
		// Four standard errors of a share of 0.95.
		if share := float64(covered) / trials; share < 0.95-0.035 || share > 0.985 {
			t.Errorf("%d values: 95 %% intervals cover %.1f %%", n, 100*share)
		}
		if bias := sum/trials - 5; math.Abs(bias) > 4*adjusted/trials/2/math.Sqrt(trials) {
			t.Errorf("%d values: the mean is off by %v", n, bias)
		}
		// With 0.61 of the variance explained, intervals are sqrt(0.39) as wide.
		if ratio := adjusted / plain; ratio < 0.58 || ratio > 0.72 {
			t.Errorf("%d values: intervals are %.2f as wide", n, ratio)
		}
	}
}

// A value does not change its own coefficients, nor those of its group.
func TestAdjustFolds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	values, controls, _ := draw(r, 200, 5, 0.5)
	groups := make([]string, len(values))
	for i := range groups {
		groups[i] = string(rune('a' + i%25))
	}
	before := Adjust(values, groups, controls)
	for i := range values {
		changed := append([]float64(nil), values...)
		for j := range changed {
			if groups[j] == groups[i] && j != i {
				changed[j] += 1e6
			}
		}
		if after := Adjust(changed, groups, controls); after[i] != before[i] {
			t.Fatalf("value %d changed from %v to %v with those of its group", i, before[i], after[i])
		}
	}
}

// Controls without information widen intervals only a little, even if their outliers coincide with those of the values.
func TestAdjustNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{MinAdjusted, 300} {
		const trials = 200
		plain, adjusted, wide := 0.0, 0.0, 0
		for range trials {
			values, controls, groups := []float64{}, [][]float64{}, []int{}
			for i := range n {
				long := math.Exp(r.NormFloat64()) // a few games are much longer than others
				values = append(values, 100*long+20*r.NormFloat64())
				controls, groups = append(controls, []float64{10 * math.Sqrt(long) * r.NormFloat64()}), append(groups, i)
			}
			_, ci := Mean(values)
			_, a := Mean(Adjust(values, groups, controls))
			plain, adjusted = plain+ci.Half(), adjusted+a.Half()
			if a.Half() > 1.15*ci.Half() {
				wide++
			}
		}
		if adjusted > 1.05*plain || wide > trials/20 {
			t.Errorf("%d values: intervals are %.3f as wide, and %d of %d more than 1.15 times", n, adjusted/plain, wide, trials)
		}
	}
}

// Controls without information, equal ones and too few values leave the values as they are, or as with fewer controls.
func TestAdjustDegenerate(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	values, controls, groups := draw(r, 300, 5, 0.5)
	none := make([][]float64, len(values))
	for i := range none {
		none[i] = []float64{0, 0}
	}
	for i, x := range Adjust(values, groups, none) {
		if x != values[i] {
			t.Fatalf("controls of 0 change %v to %v", values[i], x)
		}
	}
	twice := make([][]float64, len(values))
	once := make([][]float64, len(values))
	for i, c := range controls {
		once[i], twice[i] = c[:1], []float64{c[0], c[0]}
	}
	a, b := Adjust(values, groups, once), Adjust(values, groups, twice)
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-9 {
			t.Fatalf("a control given twice changes %v to %v", a[i], b[i])
		}
	}
	for i, x := range Adjust(values[:MinAdjusted-1], groups, controls) {
		if x != values[i] {
			t.Fatalf("%d values are adjusted: %v to %v", MinAdjusted-1, values[i], x)
		}
	}
	if got := Adjust(nil, []int(nil), nil); len(got) != 0 {
		t.Error(got)
	}
}

// Intervals of adjusted shares cover the true share, also near 1, where adjusted outcomes can lie outside 0 to 1.
func TestAdjustedShareCovers(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for _, truth := range []float64{0.5, 0.98} {
		const trials, n = 800, 300
		limit := math.Sqrt2 * math.Erfinv(2*truth-1)
		covered, plain, adjusted := 0, 0.0, 0.0
		for range trials {
			values, controls, groups, hits := make([]float64, n), make([][]float64, n), make([]int, n), 0
			for i := range n {
				luck := r.NormFloat64()
				if 0.8*luck+0.6*r.NormFloat64() < limit {
					values[i], hits = 1, hits+1
				}
				controls[i], groups[i] = []float64{luck}, i
			}
			plain += Wilson(hits, n).Half()
			share, ci := AdjustedShare(Adjust(values, groups, controls), groups)
			adjusted += ci.Half()
			if ci.Low <= truth && truth <= ci.High {
				covered++
			}
			if share < 0 || share > 1 || ci.Low < 0 || ci.High > 1 {
				t.Fatalf("%v, %v", share, ci)
			}
		}
		if got := float64(covered) / trials; got < 0.92 || adjusted > plain {
			t.Errorf("share %v: 95 %% intervals cover %.1f %%, %.2f as wide as Wilson's", truth, 100*got, adjusted/plain)
		}
	}
	if share, ci := AdjustedShare([]float64{1, 1, 1, 1}, []int{1, 2, 3, 4}); share != 1 || ci.High != 1 || ci.Low > 0.7 || ci.Low < 0.2 {
		t.Errorf("four of four: %v, %v", share, ci)
	}
}
