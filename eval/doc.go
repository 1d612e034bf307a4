// Package eval holds the heuristic evaluators: named functions from a position to a number.
//
// An [Evaluator] declares its unit. [Heuristic] values are on an arbitrary scale: a search compares
// the values of its leaves and ignores rewards. [Points] estimate the score still to come, so a
// search adds the rewards on the path to a leaf. [Chance] values are probabilities. All evaluators
// of this package are heuristics; the networks of package ntuple return points or chances. Searches
// never evaluate a dead position: they use a fixed value for it (minus infinity with heuristics).
//
//	e, _ := eval.New("gradient")
//	v := e.Value(&eval.Position{Board: b, Score: score})
//
// [Infos] lists all evaluators with formula and origin. [NewSum] returns a weighted sum of them. In
// formulas v is a tile's value, k its exponent (v = 2^k), n the number of cells, and sums are over
// all tiles unless stated otherwise.
//
// Sums are computed in row-major order and products are rounded one by one (no fused multiply-add),
// so that values are the same on all architectures.
//
// # Origins
//
// product comes from the program "2048 AI", snake from Borotalcohol/2048-Bot, snake-empty from Duncan
// Greene's player for the course COMS 4701, gradient from an unnamed minimax program, and
// weighted-snake from an expectimax program that plays until it makes a given tile. lines has the terms and, by
// default, the weights of nneonneo/2048-ai; expert has additional terms, and weights found with
// CMA-ES. monotonicity and smoothness are common in 2048 programs since ov3y/2048-AI; the formulas here
// are simpler. The authors of "2048 AI" and Borotalcohol/2048-Bot proposed or tried the others.
package eval
