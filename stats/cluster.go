package stats

import "math"

// Clustered is the mean of xs and its 95 % interval where xs of the same cluster may be
// correlated, such as games from positions of one parent game. clusters[i] names the cluster
// of xs[i]. It is the ratio estimator of cluster sampling (Cochran, Sampling Techniques,
// 1977, chapter 9): with n_c values of sum t_c in each of k clusters,
//
//	mean ± t(0.975, k-1) * sqrt(k/(k-1) * sum over c of (t_c - n_c*mean)²) / n
//
// One value a cluster makes it [Mean]. One cluster has no interval, no values have no
// mean.
func Clustered[K comparable](xs []float64, clusters []K) (mean float64, ci Interval) {
	if len(xs) == 0 {
		return math.NaN(), Unknown
	}
	mean, variance, k := clusteredVariance(xs, clusters)
	if k < 2 {
		return mean, Unknown
	}
	half := studentT(float64(k-1)) * math.Sqrt(variance)
	return mean, Interval{mean - half, mean + half}
}

// ClusteredRatio is the sum of as over the sum of bs and its 95 % interval, where as[i] and bs[i] are
// the totals of cluster i: the ratio estimator of cluster sampling, see [Clustered], whose bs are
// numbers of values. One cluster has no interval; the ratio is NaN if the bs add up to 0.
func ClusteredRatio(as, bs []float64) (ratio float64, ci Interval) {
	sumA, sumB := 0.0, 0.0
	for i := range as {
		sumA += as[i]
		sumB += bs[i]
	}
	k := float64(len(as))
	if ratio = Ratio(sumA, sumB); k < 2 || math.IsNaN(ratio) {
		return ratio, Unknown
	}
	squares := 0.0
	for i := range as {
		d := as[i] - ratio*bs[i]
		squares += d * d
	}
	half := studentT(k-1) * math.Sqrt(k/(k-1)*squares) / sumB
	return ratio, Interval{ratio - half, ratio + half}
}

// clusteredVariance is the mean of xs, the variance of that mean, and the number of clusters.
func clusteredVariance[K comparable](xs []float64, clusters []K) (mean, variance float64, k int) {
	type total struct{ sum, n float64 }
	place := map[K]int{}
	var totals []total // in the order of the data: sums do not depend on a map's order
	for i, x := range xs {
		at, ok := place[clusters[i]]
		if !ok {
			at = len(totals)
			place[clusters[i]] = at
			totals = append(totals, total{})
		}
		totals[at].sum += x
		totals[at].n++
		mean += x
	}
	n := float64(len(xs))
	mean /= n
	for _, t := range totals {
		d := t.sum - t.n*mean
		variance += d * d
	}
	if k := float64(len(totals)); k > 1 {
		variance *= k / (k - 1) / (n * n)
	}
	return mean, variance, len(totals)
}

// ClusteredShare is the share of hits and its 95 % interval where outcomes of the same
// cluster may be correlated. It is the Wilson interval with the effective number of outcomes:
// n divided by the design effect, the variance of the clustered mean over that of
// independent outcomes, which is taken as at least 1, and with Student's t of the
// clusters in place of the normal quantile (Korn and Graubard, 1998, on Wilson's form).
// Where all outcomes are equal, the clusters count as single outcomes.
func ClusteredShare[K comparable](hits []bool, clusters []K) (share float64, ci Interval) {
	if len(hits) == 0 {
		return math.NaN(), Unknown
	}
	xs := make([]float64, len(hits))
	for i, hit := range hits {
		if hit {
			xs[i] = 1
		}
	}
	share, variance, k := clusteredVariance(xs, clusters)
	if k < 2 {
		return share, Unknown
	}
	n := float64(k)
	if share > 0 && share < 1 {
		independent := share * (1 - share) / float64(len(xs))
		n = float64(len(xs)) / max(1, variance/independent)
	}
	return share, wilson(share, n, studentT(float64(k-1)))
}
