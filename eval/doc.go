// Package eval holds the heuristic evaluators: named functions from a position to a number.
//
// An [Evaluator] declares its unit. [Heuristic] values are on an arbitrary scale, and only those of
// a search's leaves count. [Points] estimate the score still to come, so a search adds the rewards
// on its path. All evaluators of this package are heuristics; package ntuple has those in points.
// No evaluator is called for a dead position: searches have a value for death (minus infinity with
// heuristics).
//
//	e, _ := eval.New("gradient")
//	v := e.Value(&eval.Position{Board: b, Score: score})
//
// [Infos] lists all evaluators with formula and origin. [NewSum] combines them by weights. In
// formulas v is a tile's value, k its exponent (v = 2^k), n the number of cells, and sums are over
// all tiles unless stated otherwise.
//
// Sums are computed in row-major order and products are rounded one by one (no fused multiply-add),
// so all architectures decide alike.
//
// # Origins
//
// product is the evaluator of the program 2048 AI. snake is that of Borotalcohol/2048-Bot,
// snake-empty that of Duncan Greene's player for the course COMS 4701, gradient that of a minimax
// and alpha-beta program, weighted-snake that of an expectimax program that stops at a given tile.
// lines has the terms and, by default, the weights of nneonneo/2048-ai; expert has the same terms and more
// with weights found by package tune. monotonicity and smoothness are common in 2048 programs since
// ov3y/2048-AI; the formulas here are simpler than that program's. The others are ideas that the authors
// of 2048 AI and Borotalcohol/2048-Bot mention or tried.
package eval
