package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// SignTest is the one-sided p-value of the sign test: the probability of at least first of
// first+other outcomes if both kinds are equally likely. For pairs of which only one member hit it
// is McNemar's exact test of two paired shares.
func SignTest(first, other int) float64 {
	if first == 0 {
		return 1
	}
	return mathext.RegIncBeta(float64(first), float64(other)+1, 0.5)
}

// minTested is the number of values below which MeanTest finds nothing.
const minTested = 10

// MeanTest is the one-sided p-value of Student's t test that a mean is above 0, from the mean, the
// sum of the n values' squared differences from it, and n. It is 1 if n is below 10, where equal
// values could seem to be certain.
func MeanTest(mean, squares float64, n int) float64 {
	if n < minTested {
		return 1
	}
	if squares == 0 {
		if mean > 0 {
			return 0
		}
		return 1
	}
	nu := float64(n - 1)
	t := mean / math.Sqrt(squares/nu/float64(n))
	tail := mathext.RegIncBeta(nu/2, 0.5, nu/(nu+t*t)) / 2
	if t < 0 {
		return 1 - tail
	}
	return tail
}
