package stats

import "math"

// PairedShares is the 95 % interval of the difference of two shares of the same
// games, from the games with both, with the first alone, the other alone, and
// neither: method 10 of Newcombe, Improved confidence intervals for the difference
// between binomial proportions based on paired data (1998). It puts the two Wilson
// intervals together by their correlation, and holds near 0 and 1.
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

// correlation is phi of a table of two by two, brought nearer to 0 where it is
// positive, as the method wants it.
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
