package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// If every value is a separate cluster, the clustered forms equal the plain ones.
func TestClusteredSingles(t *testing.T) {
	xs := []float64{3, 1, 4, 1, 5, 9, 2, 6}
	singles := []int{0, 1, 2, 3, 4, 5, 6, 7}
	mean, ci := Mean(xs)
	got, gotCI := Clustered(xs, singles)
	if math.Abs(got-mean) > 1e-12 || math.Abs(gotCI.Low-ci.Low) > 1e-9 || math.Abs(gotCI.High-ci.High) > 1e-9 {
		t.Errorf("mean %v %v, want %v %v", got, gotCI, mean, ci)
	}
}

// Repeating every value within its cluster must not shrink the interval.
func TestClusteredCopies(t *testing.T) {
	var xs, all []float64
	var hits, allHits []bool
	var singles, clusters []int
	r := rand.New(rand.NewPCG(1, 2))
	for c := range 30 {
		x := r.Float64()
		xs, hits, singles = append(xs, x), append(hits, x < 0.4), append(singles, c)
		for range 10 {
			all, allHits, clusters = append(all, x), append(allHits, x < 0.4), append(clusters, c)
		}
	}
	_, want := Clustered(xs, singles)
	if _, got := Clustered(all, clusters); math.Abs(got.Half()-want.Half()) > 1e-9 {
		t.Errorf("ten copies of each value: ± %v, want ± %v", got.Half(), want.Half())
	}
	_, want = ClusteredShare(hits, singles)
	if _, got := ClusteredShare(allHits, clusters); math.Abs(got.Half()-want.Half()) > 0.01 {
		t.Errorf("ten copies of each outcome: %v, want %v", got, want)
	}
}

// If clusters have different chances, clustered intervals contain the true share in about 95 % of
// draws, and Wilson's in far fewer.
func TestClusteredCoverage(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const draws, truth = 2000, 0.75
	held, heldPlain := 0, 0
	for range draws {
		var hits []bool
		var clusters []int
		n := 0
		for c := range 60 {
			chance := 0.5 + 0.5*r.Float64() // mean 0.75
			for range 12 {
				hit := r.Float64() < chance
				if hit {
					n++
				}
				hits, clusters = append(hits, hit), append(clusters, c)
			}
		}
		if _, ci := ClusteredShare(hits, clusters); ci.Low <= truth && truth <= ci.High {
			held++
		}
		if ci := Wilson(n, len(hits)); ci.Low <= truth && truth <= ci.High {
			heldPlain++
		}
	}
	if share := float64(held) / draws; share < 0.935 || share > 0.975 {
		t.Errorf("the interval contains the share in %.3f of draws, want 0.95", share)
	}
	if share := float64(heldPlain) / draws; share > 0.93 {
		t.Errorf("the plain interval contains it in %.3f: the clusters are too weak for this test", share)
	}
}

func TestClusteredEdges(t *testing.T) {
	if m, ci := Clustered(nil, []int(nil)); !math.IsNaN(m) || ci.Known() {
		t.Errorf("no values: %v %v", m, ci)
	}
	if m, ci := Clustered([]float64{1, 3}, []int{7, 7}); m != 2 || ci.Known() {
		t.Errorf("one cluster: %v %v", m, ci)
	}
	share, ci := ClusteredShare([]bool{true, true, true, true}, []int{0, 0, 1, 1})
	if share != 1 || ci.High != 1 || ci.Low > 0.5 || ci.Low <= 0 {
		t.Errorf("all hits in two clusters: %v %v", share, ci)
	}
	if got, ci := ClusteredRatio([]float64{1, 2}, []float64{0, 0}); !math.IsNaN(got) || ci.Known() {
		t.Errorf("a ratio with sum 0 is %v %v", got, ci)
	}
}
