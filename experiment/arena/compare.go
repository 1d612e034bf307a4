package arena

import (
	"cmp"
	"iter"
	"slices"

	"github.com/afterstate2048/afterstate/internal/stats"
)

// Comparison compares two players on the games that both finished. The command "arena compare
// --json" prints it as JSON.
type Comparison struct {
	A          string         `json:"a,omitempty"` // names of the two players; "" if the caller sets none
	B          string         `json:"b,omitempty"`
	Games      int            `json:"games"`
	Difference stats.Figure   `json:"mean_difference"` // mean of A's score minus B's score, paired by game
	CI         stats.Interval `json:"mean_difference_ci95"`
	Higher     int            `json:"won"`  // number of games in which A has the higher score
	Lower      int            `json:"lost"` // number of games in which A has the lower score
	// WonShare is the share of games in which A has the higher score. WonCI is its Wilson interval, or for games
	// from start boards its clustered interval.
	WonShare stats.Figure   `json:"won_share"`
	WonCI    stats.Interval `json:"won_share_ci95"`
	// Adjusted is the mean difference adjusted for the luck of new tiles; nil if that luck is not known. If
	// Adjusted is set, P and Verdict refer to it.
	Adjusted *AdjustedDifference `json:"-"`
	// Verdict is "higher" or "lower" if the difference is significant, otherwise "not clear".
	Verdict string `json:"verdict"`
	// P is the two-sided p-value of the difference, which [Holm] adjusts; NaN if the interval is unknown.
	P float64 `json:"-"`
	// Goal compares how often the experiment's goal was reached.
	Goal GoalDifference `json:"-"`

	freedom float64 // the degrees of freedom of CI
}

// AdjustedDifference is a mean difference adjusted for the luck of new tiles, which serves as a
// control variate. Factor says how many times as many games are needed without the adjustment for
// an interval of the same width.
type AdjustedDifference struct {
	Difference stats.Figure
	CI         stats.Interval
	Factor     stats.Figure
}

// Adjust sets the adjusted difference, and computes P and the verdict from it.
func (c *Comparison) Adjust(d *AdjustedDifference) {
	c.Adjusted, c.P = d, stats.ZeroTest(d.CI, c.freedom)
	c.judge()
}

// GoalDifference compares how often two players reached a goal in the same games.
type GoalDifference struct {
	// Numbers of games in which both players, only the first one, or only the other one reached the goal.
	Both, First, Other int
	Difference         stats.Figure // share of games that reached the goal: first player minus other player
	CI                 stats.Interval
	P                  float64 // p-value, as in Comparison
	Verdict            string  // "more often", "less often" or, if the difference is not significant, "not clear"
}

// Compare compares games a with games b, paired by seed and index. Equal seeds make the first
// spawns equal; players soon diverge, so pairs are only loosely correlated.
func Compare(a, b []Outcome) (c Comparison) {
	var differences, goals []float64
	var paired []Outcome // the first player's games
	for x, y := range Pairs(a, b) {
		paired = append(paired, *x)
		goal := 0.0 // +1: only the first player reached the goal; -1: only the other player
		switch {
		case x.Goal && y.Goal:
			c.Goal.Both++
		case x.Goal:
			c.Goal.First++
			goal = 1
		case y.Goal:
			c.Goal.Other++
			goal = -1
		}
		goals = append(goals, goal)
		differences = append(differences, float64(x.Score-y.Score))
		switch {
		case x.Score > y.Score:
			c.Higher++
		case x.Score < y.Score:
			c.Lower++
		}
	}
	c.Games = len(differences)
	c.Difference, c.CI = meanOf(paired, differences)
	wins := rate(paired, func(i int) bool { return differences[i] > 0 })
	c.WonShare, c.WonCI = wins.Share, wins.CI
	c.Goal.Difference, c.Goal.CI = meanOf(paired, goals)
	c.freedom = freedom(paired)
	c.P, c.Goal.P = stats.ZeroTest(c.CI, c.freedom), stats.ZeroTest(c.Goal.CI, c.freedom)
	c.judge()
	return c
}

// Pairs yields the pairs of games with the same seed and index, in ascending order.
func Pairs(a, b []Outcome) iter.Seq2[*Outcome, *Outcome] {
	a, b = inOrder(a), inOrder(b)
	return func(yield func(x, y *Outcome) bool) {
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

func byIndex(x, y Outcome) int {
	return cmp.Or(cmp.Compare(x.Seed, y.Seed), cmp.Compare(x.Index, y.Index))
}

// inOrder returns the games sorted by seed and index. If they are already sorted, it returns the slice
// itself.
func inOrder(games []Outcome) []Outcome {
	if slices.IsSortedFunc(games, byIndex) {
		return games
	}
	return slices.SortedFunc(slices.Values(games), byIndex)
}

// significant is the significance level: differences with a smaller p-value get a verdict.
const significant = 0.05

// Holm adjusts the p-values of comparisons that are reported together, so that the chance of any wrong
// verdict among them is at most 5 %.
func Holm(all ...*Comparison) {
	var scores, goals []float64
	for _, c := range all {
		scores, goals = append(scores, c.P), append(goals, c.Goal.P)
	}
	scores, goals = stats.Holm(scores), stats.Holm(goals)
	for i, c := range all {
		c.P, c.Goal.P = scores[i], goals[i]
		c.judge()
	}
}

// Clear reports whether the difference is significant at the 5 % level. For a single comparison this
// means that its interval excludes 0.
func (c *Comparison) Clear() bool { return c.P < significant }

// judge sets the verdicts.
func (c *Comparison) judge() {
	c.Verdict = verdict(c.P, c.Difference, "higher", "lower")
	c.Goal.Verdict = verdict(c.Goal.P, c.Goal.Difference, "more often", "less often")
}

// NotClear is the verdict on a difference that may be due to chance.
const NotClear = "not clear"

func verdict(p float64, difference stats.Figure, above, below string) string {
	switch {
	case !(p < significant):
		return NotClear
	case difference > 0:
		return above
	}
	return below
}
