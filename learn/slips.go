package learn

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/afterstate2048/afterstate/eval/ntuple"
)

// gumbelBits is the number of bits of a random number that are set aside for the noise of one move.
const gumbelBits = 16

// gumbel holds quantiles of the standard Gumbel distribution, at the midpoints of 1024 equal steps of
// probability.
var gumbel = func() (q [1 << 10]float32) {
	for i := range q {
		q[i] = float32(-math.Log(-math.Log((float64(i) + 0.5) / float64(len(q)))))
	}
	return q
}()

// Slip returns the index of the move that a player with the given slips chooses; see the package
// documentation (Slips). values holds the reward + value of one to four legal moves, and u is a
// random number. With slips 0 it returns the first of the best moves.
func Slip(values []float32, slips float32, u uint64) (chosen int) {
	scale, top := slips*max(slices.Max(values), 1), float32(math.Inf(-1))
	for i, v := range values {
		// Gumbel-max trick: with noise from the Gumbel distribution, the probability that value i + scale * noise is
		// the largest sum is proportional to exp(value i / scale).
		if v += float32(scale * gumbel[u%uint64(len(gumbel))]); v > top {
			chosen, top = i, v
		}
		u >>= gumbelBits
	}
	return chosen
}

// SlipMean returns the expected worth of the move that [Slip] chooses: the mean of worth, weighted by the
// probabilities of the moves, which follow from values and slips.
func SlipMean(values []float32, slips float32, worth []float64) (mean float64) {
	best := slices.Max(values)
	if slips == 0 {
		return worth[slices.Index(values, best)]
	}
	sum := 0.0
	for i, v := range values {
		p := math.Exp(float64((v - best) / (slips * max(best, 1))))
		sum += p
		mean += p * worth[i]
	}
	return mean / sum
}

// choose returns the index in the batch of the move that a player with the given slips chooses, and
// its reward + value.
func (t *turn) choose(n *ntuple.Network, slips float32, random *rand.PCG) (chosen int, value float32) {
	if chosen, value = t.best(n); slips == 0 {
		return chosen, value
	}
	var values [4]float32
	for i := range t.batch.N {
		values[i] = t.batch.Values[i] + float32(t.rewards[i])
	}
	chosen = Slip(values[:t.batch.N], slips, random.Uint64())
	return chosen, values[chosen]
}
