// Package stats holds the statistics of experiments: means and shares with 95 %
// intervals, differences of paired samples, quantiles, and a sequential test that
// may be evaluated after every pair of games.
//
//	mean, ci := stats.Mean(scores)               // Student's t
//	share := stats.Wilson(reached, games)        // Wilson score interval
//	gain := stats.PairedShares(both, a, b, none) // Newcombe, method 10
//
// The inputs are numbers and counts, so the package does not depend on games or
// players. Package arena applies its functions to games.
package stats
