package arena

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Published: Newcombe, Improved confidence intervals for the difference between
// binomial proportions based on paired data (1998), method 10.
func TestPairedShares(t *testing.T) {
	if ci := pairedShares(36, 12, 2, 0); !near(ci.Low, 0.0569, 5e-5) || !near(ci.High, 0.3404, 5e-5) {
		t.Errorf("%v, want [0.0569, 0.3404]", ci)
	}
	if ci := pairedShares(36, 2, 12, 0); !near(ci.Low, -0.3404, 5e-5) || !near(ci.High, -0.0569, 5e-5) {
		t.Errorf("the other way round: %v", ci)
	}
	if pairedShares(0, 0, 0, 0).Known() {
		t.Error("something is known of no games")
	}
}

// The intervals hold the difference as often as they say, however the shares are
// and whether the pairs agree more often than by chance or not.
func TestPairedSharesHold(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 1))
	for _, p := range []float64{0.02, 0.3, 0.9} {
		for _, q := range []float64{0.02, 0.5} {
			for _, common := range []float64{0, 0.8} {
				const trials, n = 2000, 60
				held := 0
				for range trials {
					var table [2][2]int
					for range n {
						u, v := chance.Float64(), chance.Float64()
						if chance.Float64() < common {
							v = u
						}
						table[b2i(u < p)][b2i(v < q)]++
					}
					ci := pairedShares(table[1][1], table[1][0], table[0][1], table[0][0])
					if ci.Low <= p-q && p-q <= ci.High {
						held++
					}
					if ci.Low < -1 || ci.High > 1 || ci.Low > ci.High {
						t.Fatalf("%v of %v", ci, table)
					}
				}
				if held < trials*92/100 {
					t.Errorf("shares %v and %v, %v in common: %d of %d intervals hold", p, q, common, held, trials)
				}
			}
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestCompareReach(t *testing.T) {
	a := played("a", []int64{100, 200, 300, 400}, []uint8{7, 8, 8, 10}).Games
	b := played("b", []int64{100, 100, 500, 300}, []uint8{7, 7, 9, 9}).Games
	c := Compare(a, b)
	if c.Higher != 2 || c.Lower != 1 || c.WonCI != Wilson(2, 4) {
		t.Errorf("%+v", c)
	}
	want := []ReachDifference{
		{7, 1, 1, 0, pairedShares(4, 0, 0, 0)},
		{8, 0.75, 0.5, 0.25, pairedShares(2, 1, 0, 1)},
		{9, 0.25, 0.5, -0.25, pairedShares(1, 0, 1, 2)},
		{10, 0.25, 0, 0.25, pairedShares(0, 1, 0, 3)},
	}
	if !slices.Equal(c.Reach, want) {
		t.Errorf("%+v, want %+v", c.Reach, want)
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
			t.Fatal("the values were put in another order")
		}
	}
}
