package stats

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mathext"
)

// Interval is a 95 % interval. Both ends are NaN if there are too few data for an interval
// ([Unknown]). In JSON it is [low, high] or null.
type Interval struct{ Low, High float64 }

// Unknown is returned in place of an interval if there are too few data.
var Unknown = Interval{math.NaN(), math.NaN()}

// Known reports whether both ends are known.
func (i Interval) Known() bool { return !math.IsNaN(i.Low) && !math.IsNaN(i.High) }

// Half returns half the width of the interval.
func (i Interval) Half() float64 { return (i.High - i.Low) / 2 }

// MarshalJSON writes [low, high] with eight significant digits, or null.
func (i Interval) MarshalJSON() ([]byte, error) {
	if !i.Known() {
		return []byte("null"), nil
	}
	return json.Marshal([2]float64{rounded(i.Low), rounded(i.High)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (i *Interval) UnmarshalJSON(text []byte) error {
	ends := &[2]float64{math.NaN(), math.NaN()}
	err := json.Unmarshal(text, ends)
	*i = Interval{ends[0], ends[1]}
	return err
}

// Figure is a statistic, NaN if there are no data for it. In JSON it has eight significant digits,
// or is null for NaN.
type Figure float64

// MarshalJSON writes the figure or null.
func (f Figure) MarshalJSON() ([]byte, error) { return json.Marshal(OrNull(float64(f))) }

// UnmarshalJSON reads what MarshalJSON writes.
func (f *Figure) UnmarshalJSON(text []byte) error {
	x := math.NaN()
	err := json.Unmarshal(text, &x)
	*f = Figure(x)
	return err
}

// Mean is the mean of xs and its 95 % interval by Student's t,
//
//	mean ± t(0.975, n-1) * s / sqrt(n)
//
// with s the sample's standard deviation. For one value the interval is Unknown. For no values the
// mean is NaN too.
func Mean(xs []float64) (mean float64, ci Interval) {
	mean, variance := meanVariance(xs)
	if len(xs) < 2 {
		return mean, Unknown
	}
	n := float64(len(xs))
	half := studentT(n-1) * math.Sqrt(variance/n)
	return mean, Interval{mean - half, mean + half}
}

// Simultaneous is [Mean] with a wider interval: n such intervals hold at the same time with 95 %
// confidence (Bonferroni). Use it for the best of n means.
func Simultaneous(xs []float64, n int) (mean float64, ci Interval) {
	if mean, ci = Mean(xs); !ci.Known() {
		return mean, ci
	}
	nu := float64(len(xs) - 1)
	half := ci.Half() * studentQuantile(nu, 0.05/float64(max(1, n))) / studentT(nu)
	return mean, Interval{mean - half, mean + half}
}

// Paired is [Mean] of the differences of pairs, a[i] - b[i].
func Paired(a, b []float64) (mean float64, ci Interval) { return Mean(Differences(a, b)) }

// Differences returns a[i] - b[i] for each i.
func Differences(a, b []float64) []float64 {
	differences := make([]float64, len(a))
	for i := range a {
		differences[i] = a[i] - b[i]
	}
	return differences
}

// Difference is the difference of the means of two independent samples, a minus b, its 95 %
// interval by Welch's t test, and the degrees of freedom of the test. The interval is Unknown if a
// sample has fewer than two values.
func Difference(a, b []float64) (mean float64, ci Interval, freedom float64) {
	ma, va := meanVariance(a)
	mb, vb := meanVariance(b)
	mean = ma - mb
	if len(a) < 2 || len(b) < 2 {
		return mean, Unknown, math.NaN()
	}
	na, nb := float64(len(a)), float64(len(b))
	ea, eb := va/na, vb/nb // squared standard errors
	if ea+eb == 0 {
		return mean, Interval{mean, mean}, na + nb - 2
	}
	freedom = (ea + eb) * (ea + eb) / (ea*ea/(na-1) + eb*eb/(nb-1)) // Welch and Satterthwaite
	half := studentT(freedom) * math.Sqrt(ea+eb)
	return mean, Interval{mean - half, mean + half}, freedom
}

// meanVariance returns the mean and the sample variance, each NaN if there are too few values.
func meanVariance(xs []float64) (mean, variance float64) {
	for _, x := range xs {
		mean += x
	}
	mean /= float64(len(xs))
	for _, x := range xs {
		variance += (x - mean) * (x - mean)
	}
	return mean, variance / float64(len(xs)-1)
}

// HalfWidth is half the width of the 95 % interval of a mean by Student's t, from the sum of
// squared deviations of n values from the mean. n is at least 2.
func HalfWidth(squares float64, n int) float64 {
	count := float64(n)
	return studentT(count-1) * math.Sqrt(squares/(count-1)/count)
}

// studentT is the quantile at 0.975 of Student's t with nu degrees of freedom.
func studentT(nu float64) float64 { return studentQuantile(nu, 0.05) }

// studentQuantile is the quantile at 1-alpha/2 of Student's t with nu degrees of freedom. It is
// sqrt(nu (1-x)/x), where x is the quantile at alpha of the beta distribution with parameters nu/2
// and 1/2. Gonum's function is in a package that takes seconds to compile; TestStudentTIsGonums
// compares the two.
func studentQuantile(nu, alpha float64) float64 {
	x := mathext.InvRegIncBeta(nu/2, 0.5, alpha)
	return math.Sqrt(nu * (1 - x) / x)
}

// z95 is the standard normal distribution's quantile at 0.975.
const z95 = 1.959963984540054

// Wilson is the Wilson score 95 % interval of a share of hits among n,
//
//	(p + z²/2n ± z * sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n),   p = hits/n
//
// It stays within [0, 1] and covers well for shares near 0 and 1. It is Unknown if n is 0.
func Wilson(hits, n int) Interval {
	if n == 0 {
		return Unknown
	}
	return wilson(float64(hits)/float64(n), float64(n), z95)
}

// wilson is the Wilson interval of a share p of n outcomes, with the normal quantile z.
func wilson(p, n, z float64) Interval {
	z2 := z * z
	centre := p + z2/(2*n)
	half := z * math.Sqrt(p*(1-p)/n+z2/(4*n*n))
	ci := Interval{(centre - half) / (1 + z2/n), (centre + half) / (1 + z2/n)}
	if p == 0 {
		ci.Low = 0 // avoids rounding errors
	}
	if p == 1 {
		ci.High = 1
	}
	return ci
}

// Median is the middle value, or the mean of the two middle values. It is NaN if there are no
// values.
func Median(xs []float64) float64 { return Quantile(xs, 0.5) }

// Quantile is the value below which a share q of xs lies, 0 <= q <= 1, interpolated linearly at
// position q(n-1) of the sorted values. It is NaN if there are no values.
func Quantile(xs []float64, q float64) float64 {
	if len(xs) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(xs))
	at := q * float64(len(sorted)-1)
	low := int(at)
	value := sorted[low]
	if part := at - float64(low); part > 0 {
		value += part * (sorted[low+1] - value)
	}
	return value
}

// Ratio is a/b, or NaN if b is 0.
func Ratio(a, b float64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return a / b
}

// OrNull returns x for JSON output: a pointer to x with eight significant digits, or nil, which
// JSON writes as null, if x is NaN.
func OrNull(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	x = rounded(x)
	return &x
}

// rounded keeps eight significant digits, for output that people read too.
func rounded(x float64) float64 {
	short, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 8, 64), 64)
	return short
}

// PairedShares is the 95 % interval of the difference of two shares measured on the same games. Its
// arguments are the numbers of games that count for both shares, only for the first, only for the
// other, and for neither. It is method 10 of R. G. Newcombe, Improved confidence intervals for the
// difference between binomial proportions based on paired data, Statistics in Medicine 17 (1998),
// which combines the two Wilson intervals by their correlation.
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

// Clustered is the mean of xs and its 95 % interval if values of the same cluster may be
// correlated, such as games from positions of one parent game. clusters[i] names the cluster of
// xs[i]. It is the ratio estimator of cluster sampling (Cochran, Sampling Techniques, 1977, chapter
// 9): with n_c values of sum t_c in each of k clusters,
//
//	mean ± t(0.975, k-1) * sqrt(k/(k-1) * sum over c of (t_c - n_c*mean)²) / n
//
// With one value per cluster it equals [Mean]. With one cluster the interval is Unknown. With no
// values the mean is NaN too.
func Clustered[K comparable](xs []float64, clusters []K) (mean float64, ci Interval) {
	return ClusteredRatio(totals(xs, clusters))
}

// totals returns the sum and the number of the values of each cluster. The clusters are in order of
// appearance, so that rounding does not depend on the order of a map.
func totals[K comparable](xs []float64, clusters []K) (sums, counts []float64) {
	place := map[K]int{}
	for i, x := range xs {
		at, ok := place[clusters[i]]
		if !ok {
			at = len(sums)
			place[clusters[i]] = at
			sums, counts = append(sums, 0), append(counts, 0)
		}
		sums[at] += x
		counts[at]++
	}
	return sums, counts
}

// ClusteredRatio is the sum of as divided by the sum of bs, and its 95 % interval, where as[i] and
// bs[i] are the totals of cluster i. It is the ratio estimator of cluster sampling; in [Clustered],
// the bs are numbers of values. With one cluster the interval is Unknown. The ratio is NaN if the
// bs add up to 0.
func ClusteredRatio(as, bs []float64) (ratio float64, ci Interval) {
	ratio, variance := ratioVariance(as, bs)
	if len(as) < 2 || math.IsNaN(ratio) {
		return ratio, Unknown
	}
	half := studentT(float64(len(as)-1)) * math.Sqrt(variance)
	return ratio, Interval{ratio - half, ratio + half}
}

// ratioVariance returns the ratio of the sums and its variance, which needs at least two clusters.
func ratioVariance(as, bs []float64) (ratio, variance float64) {
	sumA, sumB := 0.0, 0.0
	for i := range as {
		sumA += as[i]
		sumB += bs[i]
	}
	ratio = Ratio(sumA, sumB)
	for i := range as {
		d := as[i] - ratio*bs[i]
		variance += d * d
	}
	k := float64(len(as))
	return ratio, variance * k / (k - 1) / (sumB * sumB)
}

// ClusteredShare is the share of hits and its 95 % interval if outcomes of the same cluster may be
// correlated. It is the Wilson interval with two changes (Korn and Graubard, 1998, applied to
// Wilson's form). The effective number of outcomes is n divided by the design effect: the variance
// of the clustered mean over the variance of independent outcomes, at least 1. The quantile comes
// from Student's t for the number of clusters instead of the normal distribution. If all outcomes
// are equal, each cluster counts as a single outcome.
func ClusteredShare[K comparable](hits []bool, clusters []K) (share float64, ci Interval) {
	xs := make([]float64, len(hits))
	for i, hit := range hits {
		if hit {
			xs[i] = 1
		}
	}
	sums, counts := totals(xs, clusters)
	share, variance := ratioVariance(sums, counts)
	if len(sums) < 2 {
		return share, Unknown
	}
	n := float64(len(sums))
	if share > 0 && share < 1 {
		independent := share * (1 - share) / float64(len(xs))
		n = float64(len(xs)) / max(1, variance/independent)
	}
	return share, wilson(share, n, studentT(float64(len(sums)-1)))
}

// AdjustedShare is the share of hits and its 95 % interval, for outcomes of 1 and 0 that [Adjust]
// has changed, if outcomes of the same cluster may be correlated. It is the Wilson interval for the
// number of independent outcomes that would have the same variance. The share is limited to [0, 1].
// At 0 and 1, each cluster counts as a single outcome.
func AdjustedShare[K comparable](outcomes []float64, clusters []K) (share float64, ci Interval) {
	sums, counts := totals(outcomes, clusters)
	share, variance := ratioVariance(sums, counts)
	if len(sums) < 2 {
		return share, Unknown
	}
	share = min(max(share, 0), 1)
	n := float64(len(sums))
	if share > 0 && share < 1 && variance > 0 {
		n = share * (1 - share) / variance
	}
	return share, wilson(share, n, studentT(float64(len(sums)-1)))
}
