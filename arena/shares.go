package arena

import "afterstate/stats"

// rate is that of the games that satisfy hit.
func rate(games []Game, hit func(i int) bool) (r Rate) {
	all := make([]bool, len(games))
	for i := range games {
		if all[i] = hit(i); all[i] {
			r.Games++
		}
	}
	if !clustered(games) {
		return Rate{r.Games, stats.Ratio(float64(r.Games), float64(len(games))), stats.Wilson(r.Games, len(games))}
	}
	r.Share, r.CI = stats.ClusteredShare(all, clusters(games))
	return r
}

// meanOf is the mean of a value of each game, with its interval.
func meanOf(games []Game, values []float64) (mean float64, ci stats.Interval) {
	if !clustered(games) {
		return stats.Mean(values)
	}
	return stats.Clustered(values, clusters(games))
}

// freedom is the degrees of freedom of meanOf's interval.
func freedom(games []Game) float64 {
	if !clustered(games) {
		return float64(len(games) - 1)
	}
	distinct := map[string]bool{}
	for _, c := range clusters(games) {
		distinct[c] = true
	}
	return float64(len(distinct) - 1)
}

// clustered reports whether the games came from start boards.
func clustered(games []Game) bool { return len(games) > 0 && games[0].Cluster != "" }

func clusters(games []Game) []string {
	all := make([]string, len(games))
	for i := range games {
		all[i] = games[i].Cluster
	}
	return all
}
