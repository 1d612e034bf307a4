package stats

import "math"

// PairedShares is the 95 % interval of the difference of two shares measured on the same games,
// from the numbers of games with both, the first alone, the other alone, and neither. It is method
// 10 of R. G. Newcombe, Improved confidence intervals for the difference between binomial
// proportions based on paired data, Statistics in Medicine 17 (1998): the two Wilson intervals
// combined by their correlation.
func PairedShares(both, first, other, neither int) Interval {
	n := both + first + other + neither
	if n == 0 {
		return Unknown
	}
	p, q := float64(both+first)/float64(n), float64(both+other)/float64(n)
	a, b := Wilson(both+first, n), Wilson(both+other, n)
	phi := correlation(float64(both), float64(first), float64(other), float64(neither))
	root := func(x, y float64) float64 { return math.Sqrt(max(0, x*x-2*phi*x*y+y*y)) }
	return Interval{p - q - root(p-a.Low, b.High-q), p - q + root(a.High-p, q-b.Low)}
}

// correlation is the phi coefficient of a two-by-two table, with Newcombe's continuity correction
// where it is positive.
func correlation(both, first, other, neither float64) float64 {
	margins := (both + first) * (other + neither) * (both + other) * (first + neither)
	if margins == 0 {
		return 0
	}
	numerator := both*neither - first*other
	if numerator > 0 {
		numerator = max(0, numerator-(both+first+other+neither)/2)
	}
	return numerator / math.Sqrt(margins)
}
