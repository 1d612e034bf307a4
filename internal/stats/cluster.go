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
	return ClusteredRatio(totals(xs, clusters))
}

// totals are the sum and the number of the xs of each cluster, in the order of the data: sums do not depend on a map's
// order.
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

// ClusteredRatio is the sum of as over the sum of bs and its 95 % interval, where as[i] and bs[i] are
// the totals of cluster i: the ratio estimator of cluster sampling, see [Clustered], whose bs are
// numbers of values. One cluster has no interval; the ratio is NaN if the bs add up to 0.
func ClusteredRatio(as, bs []float64) (ratio float64, ci Interval) {
	ratio, variance := ratioVariance(as, bs)
	if len(as) < 2 || math.IsNaN(ratio) {
		return ratio, Unknown
	}
	half := studentT(float64(len(as)-1)) * math.Sqrt(variance)
	return ratio, Interval{ratio - half, ratio + half}
}

// ratioVariance is the ratio of the sums, and its variance if there are two clusters or more.
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

// ClusteredShare is the share of hits and its 95 % interval where outcomes of the same
// cluster may be correlated. It is the Wilson interval with the effective number of outcomes:
// n divided by the design effect, the variance of the clustered mean over that of
// independent outcomes, which is taken as at least 1, and with Student's t of the
// clusters in place of the normal quantile (Korn and Graubard, 1998, on Wilson's form).
// Where all outcomes are equal, the clusters count as single outcomes.
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
