// Package eval holds the evaluators: small, named judgements of a position.
//
// An [Evaluator] declares its unit. [Heuristic] values are on any scale and
// count at the leaves of a search; [Points] estimate the score still to come, so
// that a search adds the rewards on its path. All evaluators of this package are
// heuristics. None is asked about a dead position: searches know what death is
// worth (minus infinity for heuristics).
//
//	e, _ := eval.New("gradient")
//	v := e.Value(&eval.Position{Board: b, Score: score})
//
// [Infos] lists every evaluator with its formula. [NewSum] combines any of them
// with weights. In the formulas v is a tile's value, k its exponent (v = 2^k), n the
// number of cells, and sums run over all tiles unless they say otherwise.
//
// Sums are taken in row-major order and products rounded one by one, so that
// every architecture decides alike.
package eval
