// Package tune fits the weights of a player's evaluator by letting it play.
//
// The evaluator is eval.Lines, the search is whatever the player's spec says. A
// candidate is a set of weights; it plays some seeded games, and its mean score is
// what it is worth. CMA-ES (Hansen, "The CMA Evolution Strategy: A Tutorial",
// gonum's implementation) draws a population of candidates around a centre, sees
// how they do, moves the centre and learns in which directions weights depend on
// each other. All candidates of a round play the same seeds, and each round has
// seeds of its own.
//
// Scores of 2048 are noisy, so the best candidate ever seen is mostly a lucky one:
// the answer is the centre of the last round.
//
// Everything follows from the seed. Each candidate's outcome is a [Trial]; given
// the trials of an earlier run, the same run goes on behind them without playing
// those games again.
package tune
