package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// draw returns values with a known mean, of which their controls explain a share.
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

// Intervals of adjusted values cover the true mean as often as they say, and are narrower by what the controls explain.
func TestAdjustCovers(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, n := range []int{80, 150, 400} {
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

// Controls that are noise with heavy tails are left out, and the better one of two candidates is taken.
func TestAdjustChooses(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	better, wider := 0, 0
	for range 60 {
		values, controls, groups := draw(r, 150, 5, 0.6)
		noise := make([][]float64, len(values))
		for i := range noise {
			for range 8 {
				noise[i] = append(noise[i], math.Pow(r.NormFloat64(), 5))
			}
		}
		_, plain := Mean(values)
		_, alone := Mean(Adjust(values, groups, noise))
		_, both := Mean(Adjust(values, groups, noise, controls))
		_, one := Mean(Adjust(values, groups, controls))
		if alone.Half() > 1.05*plain.Half() {
			wider++
		}
		if math.Abs(both.Half()-one.Half()) < 0.02*one.Half() {
			better++
		}
	}
	if wider > 4 || better < 56 {
		t.Errorf("of 60 samples %d are wider with noise, %d take the better controls", wider, better)
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
	for i, x := range Adjust(values[:20], groups[:20], controls[:20]) {
		if x != values[i] {
			t.Fatalf("20 values are adjusted: %v to %v", values[i], x)
		}
	}
	rare := make([][]float64, len(values))
	for i := range rare {
		rare[i] = []float64{0}
		if i%50 == 0 {
			rare[i][0] = values[i] // it would explain everything
		}
	}
	for i, x := range Adjust(values, groups, rare) {
		if x != values[i] {
			t.Fatalf("a control of 6 values changes %v to %v", values[i], x)
		}
	}
	if got := Adjust(nil, []int(nil)); len(got) != 0 {
		t.Error(got)
	}
}
