package arena

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"afterstate/board"
	"afterstate/stats"
	"afterstate/wire"
)

// Comparison compares two players on the games that both finished.
type Comparison struct {
	A, B       string // the players, if the caller names them
	Games      int
	Difference float64 // mean of score minus the other's score, game by game
	CI         stats.Interval
	P          float64 // two-sided p-value of the difference, which [Holm] adjusts; NaN without an interval
	Higher     int     // games with the higher score
	Lower      int
	// WonCI is the Wilson interval of the share of games with the higher score.
	WonCI stats.Interval
	// Reach is the difference in how often each tile was reached, from the largest tile that all of
	// the games reached up to the largest one; empty for games from start boards.
	Reach   []ReachDifference
	Damaged int // damaged games of both that are not counted
	// Goal compares how often the experiment's goal was reached.
	Goal GoalDifference
	// Unpaired is set if the means of independent games are compared: Games of the first player with
	// Others of the other one. There are then no games with the higher score, and no tiles.
	Unpaired bool
	Others   int
}

// GoalDifference is how often two players reached a goal on the same games.
type GoalDifference struct {
	Both, First, Other int     // games in which both, only the first, only the other reached it
	Difference         float64 // share of the first player minus that of the other
	CI                 stats.Interval
	P                  float64 // as in Comparison
}

func (d *GoalDifference) count(first, other bool) {
	switch {
	case first && other:
		d.Both++
	case first:
		d.First++
	case other:
		d.Other++
	}
}

// Verdict is "more often", "less often" or, where P leaves doubt, "not clear".
func (d *GoalDifference) Verdict() string {
	switch {
	case !(d.P < significant):
		return "not clear"
	case d.Difference > 0:
		return "more often"
	}
	return "less often"
}

func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// ReachDifference is how often two players reached a tile in the same games.
type ReachDifference struct {
	Exponent   uint8
	Share      float64 // of the first player's games
	Other      float64 // of the other's
	Difference float64 // Share - Other
	CI         stats.Interval
}

// Compare compares games a with games b, paired by seed and index. Equal seeds make the first
// spawns equal; players soon diverge, so pairs are only loosely correlated.
func Compare(a, b []Game) Comparison {
	var c Comparison
	var differences, goals []float64
	var won []bool
	var paired []Game // the first player's
	var tiles tileTable
	for x, y := range pairs(a, b) {
		paired = append(paired, *x)
		won = append(won, x.Score > y.Score)
		goals = append(goals, indicator(x.Goal)-indicator(y.Goal))
		c.Goal.count(x.Goal, y.Goal)
		differences = append(differences, float64(x.Score-y.Score))
		switch {
		case x.Score > y.Score:
			c.Higher++
		case x.Score < y.Score:
			c.Lower++
		}
		tiles.add(x.Largest, y.Largest)
	}
	c.Games = len(differences)
	c.Difference, c.CI = meanOf(paired, differences)
	c.WonCI = rate(paired, func(i int) bool { return won[i] }).CI
	c.Goal.Difference, c.Goal.CI = meanOf(paired, goals)
	c.P, c.Goal.P = stats.ZeroTest(c.CI, freedom(paired)), stats.ZeroTest(c.Goal.CI, freedom(paired))
	if c.Games > 0 && !clustered(paired) {
		c.Reach = tiles.differences()
	}
	return c
}

// pairs yields the games of the same seed and index, in ascending order.
func pairs(a, b []Game) func(yield func(x, y *Game) bool) {
	a, b = inOrder(a), inOrder(b)
	return func(yield func(x, y *Game) bool) {
		for i, j := 0, 0; i < len(a) && j < len(b); {
			switch order := byIndex(a[i], b[j]); {
			case order < 0:
				i++
			case order > 0:
				j++
			default:
				if !yield(&a[i], &b[j]) {
					return
				}
				i++
				j++
			}
		}
	}
}

func byIndex(x, y Game) int {
	return cmp.Or(cmp.Compare(x.Seed, y.Seed), cmp.Compare(x.Index, y.Index))
}

// inOrder returns the games sorted, or games itself if it is.
func inOrder(games []Game) []Game {
	if slices.IsSortedFunc(games, byIndex) {
		return games
	}
	return slices.SortedFunc(slices.Values(games), byIndex)
}

// tileTable counts pairs by the largest tile of the first game, of the second, and of the worse of
// both.
type tileTable struct{ first, other, both [256]int }

func (t *tileTable) add(first, other uint8) {
	t.first[first]++
	t.other[other]++
	t.both[min(first, other)]++
}

func (t *tileTable) differences() []ReachDifference {
	low, high := uint8(math.MaxUint8), uint8(0)
	for e := range t.first {
		if t.first[e]+t.other[e] > 0 {
			low, high = min(low, uint8(e)), max(high, uint8(e))
		}
	}
	from := func(counts *[256]int, e uint8) (n int) {
		for _, count := range counts[e:] {
			n += count
		}
		return n
	}
	games := from(&t.first, 0)
	var all []ReachDifference
	for e := low; e <= high; e++ {
		first, other, both := from(&t.first, e), from(&t.other, e), from(&t.both, e)
		d := ReachDifference{Exponent: e, Share: stats.Ratio(float64(first), float64(games)), Other: stats.Ratio(float64(other), float64(games))}
		d.Difference = d.Share - d.Other
		d.CI = stats.PairedShares(both, first-both, other-both, games-first-other+both)
		all = append(all, d)
	}
	return all
}

// significant is the p-value below which a difference is clear.
const significant = 0.05

// Holm adjusts the p-values of comparisons that are reported together, so that the chance of any wrong
// verdict among them is at most 5 %.
func Holm(all ...*Comparison) {
	for _, p := range []func(*Comparison) *float64{
		func(c *Comparison) *float64 { return &c.P },
		func(c *Comparison) *float64 { return &c.Goal.P },
	} {
		var ps []float64
		for _, c := range all {
			ps = append(ps, *p(c))
		}
		for i, adjusted := range stats.Holm(ps) {
			*p(all[i]) = adjusted
		}
	}
}

// Clear reports whether the difference is clear at 95 %: a single comparison's interval excludes 0.
func (c Comparison) Clear() bool { return c.P < significant }

// Verdict is "higher" or "lower" if the difference is clear, else "not clear".
func (c Comparison) Verdict() string {
	switch {
	case !c.Clear():
		return "not clear"
	case c.Difference > 0:
		return "higher"
	}
	return "lower"
}

// MarshalJSON writes the object of [Comparison.Wire].
func (c Comparison) MarshalJSON() ([]byte, error) { return json.Marshal(c.Wire()) }

// Wire is the comparison as arena compare --json prints it.
func (c *Comparison) Wire() wire.Comparison {
	out := wire.Comparison{
		A: c.A, B: c.B, Games: c.Games, Difference: stats.OrNull(c.Difference), CI: interval(c.CI), Won: c.Higher, Lost: c.Lower,
		WonShare: stats.OrNull(stats.Ratio(float64(c.Higher), float64(c.Games))), WonCI: interval(c.WonCI), Verdict: c.Verdict(), Damaged: c.Damaged, Unpaired: c.Unpaired, Others: c.Others,
	}
	if c.Unpaired {
		out.WonShare = nil
	}
	for _, r := range c.Reach {
		d := wire.ReachDifference{Share: stats.OrNull(r.Share), Other: stats.OrNull(r.Other), Difference: stats.OrNull(r.Difference), CI: interval(r.CI)}
		out.Reached = append(out.Reached, wire.TileValue[wire.ReachDifference]{Tile: board.Tile(r.Exponent), Value: d})
	}
	return out
}
