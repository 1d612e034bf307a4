package search

import (
	"math"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Pruning at chance nodes: Star1 and Star2 (B. Ballard, The *-minimax search procedure for trees
// containing chance nodes, Artificial Intelligence 21, 1983).
//
// A chance node is the average over its spawns, so one spawn alone cannot decide it. But if every
// value below lies in [low, high], then after some spawns the average lies between sum + rest*low
// and sum + rest*high, and when that interval is outside the window [alpha, beta] the node is
// decided. The same arithmetic gives each spawn the window within which its value still matters.
// That is Star1. Star2 first searches one move below every spawn: the value of this move is a lower
// bound on the spawn's value, which makes a cut above beta more likely.
//
// Windows are closed: a value equal to alpha or beta counts as inside, so that ties are exact. Sums
// are computed in the order of the reference (average), so exact values are equal to the last bit.
// Cuts keep a small distance (slack), so that rounding of the bounds never cuts a value that
// matters; half of it is added to returned bounds, so that they hold in spite of rounding.

// maxSpawns is the largest number of spawns below a chance node: two tiles on every cell.
const maxSpawns = 2 * board.MaxSide * board.MaxSide

// slack is relative to the largest possible value of a node.
const slack = 1e-9

// spawnTile is one spawn below a chance node.
type spawnTile struct {
	cell     int
	exponent uint8
	weight   float64 // its probability times the number of empty cells
	q        float64 // the probability of the line that leads to it
	low      float64 // a lower bound on its value
	first    uint8   // a move after the spawn whose value is known, or noMove
	value    float64 // value of first
}

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
	restLow, restHigh float64 // bounds on that sum over the remaining spawns
	margin            float64 // tolerance for rounding errors
}

// begin removes t from the remaining spawns and returns the window within which its value still
// matters.
func (c *starNode) begin(t *spawnTile, high float64, last bool) (alpha, beta float64) {
	c.restHigh -= float64(t.weight * high)
	if c.restLow -= float64(t.weight * t.low); math.IsNaN(c.restLow) {
		c.restLow = math.Inf(-1)
	}
	if last {
		c.restLow, c.restHigh = 0, 0
	}
	return (c.alpha - c.margin - c.sum - c.restHigh) / t.weight, (c.beta + c.margin - c.sum - c.restLow) / t.weight
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
	var buffer [maxSpawns]spawnTile
	spawns, n := s.spawnsOf(&p.Board, low, q, buffer[:0])
	c := starNode{alpha: alpha * n, beta: beta * n, restLow: n * low, restHigh: n * high, margin: slack * n * math.Max(math.Abs(high), finiteSize(low))}
	if s.o.Prune == PruneStar2 && plies > 0 && !math.IsInf(c.beta, 1) && s.o.PruneMargin == 0 {
		if c.restLow = s.probe(p, plies, spawns); s.clock.stopped {
			return 0
		}
		if c.restLow > c.beta+c.margin {
			s.cutShort = true // conservative: a line that is cut here may have ended at the depth limit
			return c.lower(n)
		}
	}
	var sums [3]float64 // sums of the values, by the exponent of the spawn
	placed := *p
	for i := range spawns {
		t := &spawns[i]
		a, b := c.begin(t, high, i == len(spawns)-1)
		placed.Board.Set(t.cell, t.exponent)
		var v float64
		if t.first == noMove {
			v = s.spawned(&placed, plies, t.q, a, b)
		} else {
			v = s.choice(&placed, plies, t.q, a, b, t.first, t.value)
		}
		placed.Board.Set(t.cell, 0)
		if s.clock.stopped {
			return 0
		}
		c.sum += float64(t.weight * v)
		sums[t.exponent] += v
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
	return mean(s.p2, sums[1], s.p4, sums[2], int(n))
}

// finiteSize returns |x|, or 0 if it is infinite.
func finiteSize(x float64) float64 {
	if math.IsInf(x, 0) {
		return 0
	}
	return math.Abs(x)
}

// spawnsOf appends the spawns to list, in the order in which average visits them, and returns the number of empty
// cells.
func (s *Expectimax) spawnsOf(b *board.Board, low, q float64, list []spawnTile) ([]spawnTile, float64) {
	n := float64(b.Empty())
	q2, q4 := q*s.p2/n, q*s.p4/n
	for i := range b.Size().Cells() {
		if b.Cell(i) != 0 {
			continue
		}
		if s.p2 > 0 {
			list = append(list, spawnTile{cell: i, exponent: 1, weight: s.p2, q: q2, low: low, first: noMove})
		}
		if s.p4 > 0 {
			list = append(list, spawnTile{cell: i, exponent: 2, weight: s.p4, q: q4, low: low, first: noMove})
		}
	}
	return list, n
}

// bounds returns bounds on all values below an afterstate. Only a full board can be dead. So if
// more cells are empty than tiles will spawn, no board below is dead, and the bounds need not
// include the value of death.
func (s *Expectimax) bounds(p *eval.Position, plies int) (low, high float64) {
	spawns := plies + 1
	s.asked = *p
	low, high = s.bounder.Bounds(&s.asked, spawns)
	if p.Board.Empty() <= spawns {
		low, high = math.Min(low, s.dead), math.Max(high, s.dead)
	}
	return low, high
}

// probe searches one move after each spawn: the hint, or if it is illegal the next legal direction. It stores the
// move and its value in the spawn, for the search that follows, and raises the spawn's lower bound to that value. It
// returns a lower bound on the weighted sum over all spawns.
func (s *Expectimax) probe(p *eval.Position, plies int, spawns []spawnTile) (low float64) {
	placed := *p
	for i := range spawns {
		t := &spawns[i]
		placed.Board.Set(t.cell, t.exponent)
		if s.clock.count(1) {
			return 0
		}
		for k := range uint8(4) {
			d := (s.hints[plies] + k) & 3
			if _, _, moved := placed.Board.Slide(board.Direction(d)); moved {
				t.first = d
				t.value = s.move(&placed, board.Direction(d), plies, t.q, math.Inf(-1), math.Inf(1))
				t.low = max(t.low, t.value)
				break
			}
		}
		placed.Board.Set(t.cell, 0)
		low += float64(t.weight * t.low)
	}
	return low
}
