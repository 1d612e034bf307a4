package arena

import (
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/protocol"
)

// rate is that of the games that satisfy hit.
func rate(games []Outcome, hit func(i int) bool) (r protocol.Share) {
	all := make([]bool, len(games))
	for i := range games {
		if all[i] = hit(i); all[i] {
			r.Games++
		}
	}
	share, ci := stats.Ratio(float64(r.Games), float64(len(games))), stats.Wilson(r.Games, len(games))
	if clustered(games) {
		share, ci = stats.ClusteredShare(all, clusters(games))
	}
	return protocol.Share{Games: r.Games, Share: stats.Figure(share), CI: ci}
}

// meanOf is the mean of a value of each game, with its interval.
func meanOf(games []Outcome, values []float64) (stats.Figure, stats.Interval) {
	mean, ci := stats.Mean(values)
	if clustered(games) {
		mean, ci = stats.Clustered(values, clusters(games))
	}
	return stats.Figure(mean), ci
}

// freedom is the degrees of freedom of meanOf's interval.
func freedom(games []Outcome) float64 {
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
func clustered(games []Outcome) bool { return len(games) > 0 && games[0].Cluster != "" }

func clusters(games []Outcome) []string {
	all := make([]string, len(games))
	for i := range games {
		all[i] = games[i].Cluster
	}
	return all
}
