package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Slip chooses moves with the probabilities of the logit model, and SlipMean weights with them.
func TestSlip(t *testing.T) {
	random := rand.NewPCG(1, 2)
	const draws = 200_000
	for _, values := range [][]float32{{100, 90, 50, 20}, {7}, {-5, -4}, {0.2, 0.9, 0.4}} {
		for _, slips := range []float32{0, 0.05, 0.3, 10} {
			var want, got [4]float64
			best, sum := 0, 0.0
			for i, v := range values {
				if v > values[best] {
					best = i
				}
			}
			for i, v := range values {
				if want[i] = math.Exp(float64(v-values[best]) / (float64(slips) * max(1, float64(values[best])))); slips == 0 {
					want[i] = 0
				}
				sum += want[i]
			}
			if slips == 0 {
				want[best], sum = 1, 1
			}
			for range draws {
				got[Slip(values, slips, random.Uint64())] += 1.0 / draws
			}
			mean, worth := 0.0, []float64{7, 1, 5, 3}[:len(values)]
			for i, w := range worth {
				mean += want[i] / sum * w
			}
			if got := SlipMean(values, slips, worth); math.Abs(got-mean) > 1e-4*math.Abs(mean) {
				t.Errorf("values %v, slips %v: mean %v, want %v", values, slips, got, mean)
			}
			for i := range want {
				if share := want[i] / sum; math.Abs(got[i]-share) > 0.005 {
					t.Errorf("values %v, slips %v: move %d in %.4f, want %.4f", values, slips, i, got[i], share)
				}
			}
		}
	}
}

// A network that is trained with slips predicts the score of a player with these slips, which is lower than without.
func TestTrainingWithSlips(t *testing.T) {
	var scores []float64
	for _, slips := range []float64{0, 0.3} {
		n := network(t, size3, "2x3")
		o := Options{Network: n, Coherent: true, Slips: slips, Games: 10_000, Anneal: 5000, Seed: 1}
		must.Do(t, trainer(t, o).Run(context.Background()))
		r := NewRollouts(n, Lanes, game.P4)
		r.Slips = float32(slips)
		const games = 3000
		sum, values, index := 0.0, 0.0, uint64(0)
		r.Play(never, func(g *Rollout) bool {
			opening(n.Size, g, 2, index)
			g.Slip.Seed(3, index)
			values += float64(n.Value(g.Board)) / games
			index++
			return index <= games
		}, func(g *Rollout) { sum += float64(g.Score) / games })
		if ratio := values / sum; ratio < 0.9 || ratio > 1.1 {
			t.Errorf("slips %v: values %.0f, scores %.0f", slips, values, sum)
		}
		scores = append(scores, sum)
	}
	if scores[1] > 0.8*scores[0] {
		t.Errorf("scores %.0f", scores)
	}
}
