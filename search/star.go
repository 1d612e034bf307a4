package search

import (
	"math"

	"github.com/afterstate2048/afterstate/eval"
)

// Pruning at chance nodes: Star1 (B. Ballard, The *-minimax search procedure for trees containing
// chance nodes, Artificial Intelligence 21, 1983).
//
// A chance node is the average over its spawns, so one spawn alone cannot decide it. But if every
// value below lies in [low, high], then after some spawns the average lies between sum + rest*low
// and sum + rest*high, and when that interval is outside the window [alpha, beta] the node is
// decided. The same arithmetic gives each spawn the window within which its value still matters.
//
// Windows are closed: a value equal to alpha or beta counts as inside, so that ties are exact. Sums
// are computed in the order of the reference (average), so exact values are equal to the last bit.
// A node is cut only if its bounds are outside the window by a small margin (slack), so that
// rounding never cuts a value that matters. Returned bounds are widened by half of this margin, so
// that they hold despite rounding.

// slack is the margin by which bounds must be outside the window, relative to the largest possible value of a node.
const slack = 1e-9

// prunes reports whether the evaluator has finite bounds to prune with.
func (s *Expectimax) prunes(p *eval.Position, plies int) bool {
	if s.bounder == nil {
		return false
	}
	_, high := s.bounds(p, plies)
	return !math.IsInf(high, 1)
}

// starNode is a chance node while its spawns are searched. All its values are scaled by the number of
// empty cells, like the sum in average.
type starNode struct {
	alpha, beta       float64 // the window
	sum               float64 // weighted sum of the values of the searched spawns
	restLow, restHigh float64 // bounds on the same sum over the remaining spawns
	margin            float64 // tolerance for rounding errors
}

// begin removes one spawn with the given weight from the remaining spawns. It returns the window within
// which the value of this spawn still matters.
func (c *starNode) begin(weight, low, high float64, last bool) (alpha, beta float64) {
	c.restHigh -= float64(weight * high)
	if c.restLow -= float64(weight * low); math.IsNaN(c.restLow) {
		c.restLow = math.Inf(-1)
	}
	if last {
		c.restLow, c.restHigh = 0, 0
	}
	return (c.alpha - c.margin - c.sum - c.restHigh) / weight, (c.beta + c.margin - c.sum - c.restLow) / weight
}

// upper and lower return bounds on the average over n empty cells.
func (c *starNode) upper(n float64) float64 { return (c.sum + c.restHigh + c.margin/2) / n }
func (c *starNode) lower(n float64) float64 { return (c.sum + c.restLow - c.margin/2) / n }

// star averages over the spawns on an afterstate, with pruning if the evaluator has finite bounds.
func (s *Expectimax) star(p *eval.Position, plies int, q, alpha, beta float64) float64 {
	if s.bounder == nil {
		return s.average(p, plies, q)
	}
	low, high := s.bounds(p, plies)
	if math.IsInf(high, 1) {
		return s.average(p, plies, q)
	}
	n := float64(p.Board.Empty())
	c := starNode{alpha: alpha * n, beta: beta * n, restLow: n * low, restHigh: n * high, margin: slack * n * math.Max(math.Abs(high), finiteSize(low))}
	weights := [...]float64{1: s.p2, 2: s.p4} // probability of a spawn, by its exponent
	left := p.Board.Empty() * (bit(s.p2 > 0) + bit(s.p4 > 0))
	var sums [3]float64 // sums of the values, by the exponent of the spawn
	placed := *p
	for i := range p.Board.Size().Cells() {
		if p.Board.Cell(i) != 0 {
			continue
		}
		for e, weight := range weights {
			if weight == 0 {
				continue
			}
			left--
			a, b := c.begin(weight, low, high, left == 0)
			placed.Board.Set(i, uint8(e))
			v := s.spawned(&placed, plies, q*weight/n, a, b)
			placed.Board.Set(i, 0)
			if s.clock.stopped {
				return 0
			}
			c.sum += float64(weight * v)
			sums[e] += v
			switch {
			case math.IsInf(c.sum, -1):
				return c.sum // a dead spawn makes the average minus infinity
			case v < a:
				s.cutShort = true
				return c.upper(n)
			case v > b:
				s.cutShort = true
				return c.lower(n)
			}
		}
	}
	return mean(s.p2, sums[1], s.p4, sums[2], int(n))
}

// finiteSize returns |x|, or 0 if it is infinite.
func finiteSize(x float64) float64 {
	if math.IsInf(x, 0) {
		return 0
	}
	return math.Abs(x)
}

// bounds returns bounds on all values below an afterstate. Only a full board can be dead. So if
// more cells are empty than tiles will spawn, no board below is dead, and the bounds need not
// include the value of death.
func (s *Expectimax) bounds(p *eval.Position, plies int) (low, high float64) {
	spawns := plies + 1
	s.position = *p
	low, high = s.bounder.Bounds(&s.position, spawns)
	if p.Board.Empty() <= spawns {
		low, high = math.Min(low, s.dead), math.Max(high, s.dead)
	}
	return low, high
}
