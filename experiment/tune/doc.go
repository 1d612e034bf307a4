// Package tune fits the weights of a player's evaluator by playing.
//
// The evaluator is eval.Lines; the search is that of the player's spec. A candidate is a set of
// weights, and its fitness is the mean score of some seeded games. CMA-ES samples a population of
// candidates from a normal distribution, and moves its mean and covariance towards the better ones.
// All candidates of a generation play the same seeds, and each generation has seeds of its own.
//
// Scores of 2048 are noisy, so the best candidate seen is mostly a lucky one. The result is
// therefore the mean of the last generation.
//
// A run is a function of its options. Each candidate's outcome is a [Trial]; given the trials of an
// earlier run, a run continues after them without repeating their games.
//
// Source: N. Hansen, The CMA Evolution Strategy: A Tutorial (2016), in gonum's implementation.
package tune
