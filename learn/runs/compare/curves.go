package compare

import (
	"cmp"
	"fmt"
	"math"

	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/protocol"
)

// Options choose what Curves compares. The zero value compares at ten equal numbers of games.
type Options struct {
	ByTime bool // compare at equal training times, not numbers of games
	Rows   int  // of the table, at most; 0: ten
}

// Table compares groups row by row. The first group is the reference.
type Table struct {
	ByTime bool     `json:"-"` // Row.ElapsedS is set, else Row.Games
	Groups []*Group `json:"groups"`
	Rows   []Row    `json:"rows"`
	// Played, if not nil, are the cells that Play set for the groups, after PlayedGames each.
	Played      []Cell `json:"played,omitempty"`
	PlayedGames uint64 `json:"-"`
	// Values is the checksum of the network in whose values the luck of these games is; "" without luck.
	Values string `json:"values_checksum,omitempty"`
}

// Row is a part of all curves: the games that ended after the row before, and up to this number of games or this time.
type Row struct {
	Games    float64 `json:"games,omitempty"`
	ElapsedS float64 `json:"elapsed_s,omitempty"`
	Cells    []Cell  `json:"groups"`
}

// Cell is what a group scored in a row.
type Cell struct {
	Mean stats.Figure   `json:"mean_score"` // over runs; NaN if a run has no games here
	CI   stats.Interval `json:"mean_score_ci95"`
	// Adjusted is the mean without what the luck of new tiles explains; nil without luck.
	Adjusted *Adjusted      `json:"adjusted,omitempty"`
	Values   []stats.Figure `json:"runs"` // the mean score of each run's games from an empty board; NaN of none
	// Difference is this group's mean less the first group's; nil in the first group.
	Difference *Difference `json:"difference,omitempty"`
}

// cellOf is the cell of a group with these values.
func cellOf(values []float64) Cell {
	mean, ci := stats.Mean(values)
	return Cell{Mean: stats.Figure(mean), CI: ci, Values: each.Of(values, func(v float64) stats.Figure { return stats.Figure(v) })}
}

// Difference is the difference of two groups' means.
type Difference struct {
	Mean   stats.Figure   `json:"mean"`
	CI     stats.Interval `json:"ci95"`
	Paired bool           `json:"paired"` // the interval is that of pairs with equal seeds
	// Adjusted is the difference without what luck explains; nil without luck.
	Adjusted *Adjusted `json:"adjusted,omitempty"`
}

// Adjusted is a mean without what the luck of new tiles explains.
type Adjusted struct {
	Mean   stats.Figure   `json:"mean"`
	CI     stats.Interval `json:"ci95"`
	Factor stats.Figure   `json:"factor"` // how many times fewer games it takes than the plain mean for the same interval
}

// NoIntervalError is the error for a run that has not finished an interval.
type NoIntervalError struct {
	Run         string
	ReportEvery uint64 // games per interval
}

func (n *NoIntervalError) Error() string {
	return fmt.Sprintf("run %s has no finished interval yet: must be %d games or more", n.Run, n.ReportEvery)
}

// Curves compares groups of runs as far as the shortest of their runs goes. Errors are
// [runs.InputError]s; that for a run without intervals wraps a [NoIntervalError].
func Curves(groups []*Group, o Options) (*Table, error) {
	if err := checkSizes(groups); err != nil {
		return nil, err
	}
	t := &Table{ByTime: o.ByTime, Groups: groups}
	end, step, fewest := math.Inf(1), 1.0, math.MaxInt
	for _, g := range groups {
		for _, r := range g.Runs {
			if len(r.Intervals) == 0 {
				return nil, &runs.InputError{Err: &NoIntervalError{Run: r.Name, ReportEvery: r.Options.ReportEvery}}
			}
			end = min(end, t.at(&r.Intervals[len(r.Intervals)-1]))
			fewest = min(fewest, len(r.Intervals))
			if !o.ByTime {
				step = max(step, float64(r.Options.ReportEvery))
			}
		}
	}
	rows := cmp.Or(o.Rows, 10)
	if !o.ByTime { // whole intervals of the run with the longest ones
		step *= max(1, math.Ceil(end/float64(rows)/step))
		t.fill(end, int(math.Ceil(end/step)), step)
		return t, nil
	}
	for rows = min(rows, fewest); ; rows-- { // as many as have an interval of every run
		if t.fill(end, rows, end/float64(rows)); rows == 1 || !t.lacking() {
			return t, nil
		}
	}
}

// fill makes a number of rows, of which the last one ends at end and the others have this length.
func (t *Table) fill(end float64, rows int, step float64) {
	t.Rows = nil
	before := 0.0
	for k := 1; k <= rows; k++ {
		at := float64(k) * step
		if k == rows {
			at = end
		}
		t.Rows = append(t.Rows, t.row(before, at))
		before = at
	}
}

// checkSizes returns an error unless all groups play on boards of one size.
func checkSizes(groups []*Group) error {
	for _, g := range groups {
		for _, r := range g.Runs {
			first := groups[0].Runs[0]
			if a, b := first.Options.Layout.Size, r.Options.Layout.Size; a != b {
				return runs.InputErrorf("run %s plays on %v and run %s on %v: must be boards of one size", first.Name, a, r.Name, b)
			}
		}
	}
	return nil
}

// at is where an interval ends.
func (t *Table) at(i *protocol.TrainingInterval) float64 {
	if t.ByTime {
		return i.ElapsedS
	}
	return float64(i.Games)
}

func (t *Table) row(after, to float64) Row {
	row := Row{Games: to}
	if t.ByTime {
		row = Row{ElapsedS: to}
	}
	var first []float64
	for i, g := range t.Groups {
		values := each.Of(g.Runs, func(r *Run) float64 { return t.mean(r, after, to) })
		c := cellOf(values)
		if i == 0 {
			first = values
		} else {
			c.Difference = difference(values, first, sameSeeds(g, t.Groups[0]))
		}
		row.Cells = append(row.Cells, c)
	}
	return row
}

// mean is the mean score of a run's games from an empty board in the intervals that end in a part
// of its curve; NaN of none.
func (t *Table) mean(r *Run, after, to float64) float64 {
	var sum, games float64
	last := uint64(0)
	for k := range r.Intervals {
		i := &r.Intervals[k]
		fresh := float64(i.Games - min(i.Games, last+i.RestartedGames))
		if at := t.at(i); i.MeanScore != nil && at > after && at <= to {
			sum += fresh * *i.MeanScore
			games += fresh
		}
		last = i.Games
	}
	return sum / games
}

// difference compares the values of two groups, a minus b.
func difference(a, b []float64, pairs bool) *Difference {
	if !pairs {
		mean, ci, _ := stats.Difference(a, b)
		return &Difference{Mean: stats.Figure(mean), CI: ci}
	}
	mean, ci := stats.Paired(a, b)
	return &Difference{Mean: stats.Figure(mean), CI: ci, Paired: len(a) > 1}
}
