// Package stats holds the statistics of experiments: means and shares with 95 %
// intervals, differences of paired samples, quantiles, and a sequential test that
// may be evaluated after every pair of games.
//
//	mean, ci := stats.Mean(scores)               // Student's t
//	share := stats.Wilson(reached, games)        // Wilson score interval
//	gain := stats.PairedShares(both, a, b, none) // Newcombe, method 10
//
// It knows nothing of games or players: inputs are numbers and counts.
// Package arena applies it to games.
package stats
