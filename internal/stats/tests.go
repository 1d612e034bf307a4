package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// SignTest is the one-sided p-value of the sign test: the probability that at least first of
// first+other outcomes are of the first kind if both kinds are equally likely. With the numbers of
// pairs in which only the first or only the other member hit, it is McNemar's exact test of two paired
// shares.
func SignTest(first, other int) float64 {
	if first == 0 {
		return 1
	}
	return mathext.RegIncBeta(float64(first), float64(other)+1, 0.5)
}

// minTested is the smallest number of values that MeanTest tests.
const minTested = 10

// MeanTest returns the one-sided p-value of Student's t test that the mean of n values is above 0.
// squares is the sum of their squared deviations from the mean. For n below 10 it returns 1: so few
// values may all be equal by chance, and a variance of 0 would give a p-value of 0.
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

// ZeroTest is the two-sided p-value of Student's t test that a mean is 0, from its 95 % interval
// and its degrees of freedom. It is below 0.05 if the interval excludes 0, and NaN if the interval
// is unknown.
func ZeroTest(ci Interval, freedom float64) float64 {
	mean, half := (ci.Low+ci.High)/2, ci.Half()
	switch {
	case !ci.Known():
		return math.NaN()
	case mean == 0:
		return 1
	case half == 0:
		return 0
	}
	t := mean / half * studentT(freedom)
	return mathext.RegIncBeta(freedom/2, 0.5, freedom/(freedom+t*t))
}

// Holm adjusts the p-values of several tests: if all tests with an adjusted value below 0.05 are
// taken as findings, the probability that any finding is wrong is at most 5 % (S. Holm, A simple
// sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6, 1979). The
// smallest of m values is multiplied by m, the next one by m-1 and so on. NaN values stay NaN and
// do not count.
func Holm(ps []float64) []float64 {
	var order []int
	for i, p := range ps {
		if !math.IsNaN(p) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(ps[i], ps[j]) })
	adjusted := slices.Clone(ps)
	minimum := 0.0
	for k, i := range order {
		minimum = max(minimum, min(1, ps[i]*float64(len(order)-k)))
		adjusted[i] = minimum
	}
	return adjusted
}
