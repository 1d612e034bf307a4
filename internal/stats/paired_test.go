package stats

import (
	"math/rand/v2"
	"testing"
)

// Published: Newcombe, Improved confidence intervals for the difference between
// binomial proportions based on paired data (1998), method 10.
func TestPairedShares(t *testing.T) {
	if ci := PairedShares(36, 12, 2, 0); !near(ci.Low, 0.0569, 5e-5) || !near(ci.High, 0.3404, 5e-5) {
		t.Errorf("%v, want [0.0569, 0.3404]", ci)
	}
	if ci := PairedShares(36, 2, 12, 0); !near(ci.Low, -0.3404, 5e-5) || !near(ci.High, -0.0569, 5e-5) {
		t.Errorf("with the shares exchanged: %v", ci)
	}
	if PairedShares(0, 0, 0, 0).Known() {
		t.Error("something is known of no games")
	}
}

// The intervals contain the difference in 95 % of cases, for any shares, and whether or not the
// pairs agree more often than by chance.
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
					ci := PairedShares(table[1][1], table[1][0], table[0][1], table[0][0])
					if ci.Low <= p-q && p-q <= ci.High {
						held++
					}
					if ci.Low < -1 || ci.High > 1 || ci.Low > ci.High {
						t.Fatalf("%v of %v", ci, table)
					}
				}
				if held < trials*92/100 {
					t.Errorf("shares %v and %v, %v in common: %d of %d intervals contain the difference", p, q, common, held, trials)
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
