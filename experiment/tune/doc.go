// Package tune fits the weights of a player's evaluator by playing.
//
// The evaluator is eval.Lines; the player's spec determines the search. A candidate is a set of weights, and
// its fitness is the mean score of some seeded games. CMA-ES samples a population of candidates from a normal
// distribution, and moves the mean and the covariance of the distribution towards the better ones. All
// candidates of a generation play the same games of one seed, and each generation uses another seed.
//
// Scores of 2048 are noisy, so the best candidate seen is usually a lucky one. Therefore the result
// is the mean of the last generation.
//
// The options determine a run. The outcome of each candidate is a [Trial]. Given the trials of an earlier
// run, a run continues after them without repeating their games.
//
// Source: N. Hansen, The CMA Evolution Strategy: A Tutorial (2016), in gonum's implementation.
package tune
