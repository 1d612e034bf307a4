package compare

import (
	"math"

	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/learn/runs"
)

// Table compares groups row by row. The first group is the reference.
type Table struct {
	Groups []*Group `json:"groups"`
	Rows   []Row    `json:"rows"`
	// Played is set by Play. It has a cell for each group, computed from PlayedGames games with the network of
	// each run.
	Played      []Cell `json:"played,omitempty"`
	PlayedGames uint64 `json:"-"`
}

// Row is a section of all curves. It covers the intervals that end after the previous row's Games and at or before
// its own Games.
type Row struct {
	Games uint64 `json:"games"`
	Cells []Cell `json:"groups"`
}

// Cell is the result of a group in a row.
type Cell struct {
	Mean   stats.Figure   `json:"mean_score"` // mean over the runs; NaN if a run has no games in the row
	CI     stats.Interval `json:"mean_score_ci95"`
	Values []stats.Figure `json:"runs"` // mean score of each run's games from an empty board; NaN without such games
	// Difference is this group's mean minus the first group's mean. It is nil in the first group.
	Difference *Difference `json:"difference,omitempty"`
}

// cellOf returns the cell of a group whose runs have the given mean scores.
func cellOf(values []float64) Cell {
	mean, ci := stats.Mean(values)
	return Cell{Mean: stats.Figure(mean), CI: ci, Values: each.Of(values, func(v float64) stats.Figure { return stats.Figure(v) })}
}

// Difference is the difference of two groups' means, with its interval.
type Difference struct {
	Mean   stats.Figure   `json:"mean"`
	CI     stats.Interval `json:"ci95"`
	Paired bool           `json:"paired"` // CI is computed from pairs with equal seeds
}

// Curves compares groups of runs up to the end of the shortest run, in at most the given number of rows. It returns a
// [runs.InputError] if the groups cannot be compared.
func Curves(groups []*Group, rows int) (*Table, error) {
	if err := checkSizes(groups); err != nil {
		return nil, err
	}
	end, step := uint64(math.MaxUint64), uint64(1)
	for _, g := range groups {
		for _, r := range g.Runs {
			if len(r.Intervals) == 0 {
				return nil, runs.InputErrorf("run %s has no finished interval yet: must be %d games or more", r.Name, r.Options.ReportEvery)
			}
			end = min(end, r.Intervals[len(r.Intervals)-1].Games)
			step = max(step, r.Options.ReportEvery)
		}
	}
	// A row spans whole intervals of the run with the longest intervals.
	step *= max(1, uint64(math.Ceil(float64(end)/float64(rows)/float64(step))))
	t := &Table{Groups: groups}
	for before := uint64(0); before < end; before += step {
		t.Rows = append(t.Rows, t.row(before, min(before+step, end)))
	}
	return t, nil
}

// checkSizes returns an error unless all groups have the same board size.
func checkSizes(groups []*Group) error {
	for _, g := range groups {
		for _, r := range g.Runs {
			first := groups[0].Runs[0]
			if a, b := first.Options.Layout.Size, r.Options.Layout.Size; a != b {
				return runs.InputErrorf("run %s has board size %v and run %s has %v: must be the same size", first.Name, a, r.Name, b)
			}
		}
	}
	return nil
}

func (t *Table) row(after, to uint64) Row {
	row := Row{Games: to}
	var first []float64
	for i, g := range t.Groups {
		values := each.Of(g.Runs, func(r *Run) float64 { return r.mean(after, to) })
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

// mean returns the mean score of a run's games from an empty board, in the intervals that end later
// than after and no later than to. It is NaN if there are no such games.
func (r *Run) mean(after, to uint64) float64 {
	var sum, games float64
	last := uint64(0)
	for k := range r.Intervals {
		i := &r.Intervals[k]
		fresh := float64(i.Games - min(i.Games, last+i.RestartedGames))
		if i.MeanScore != nil && i.Games > after && i.Games <= to {
			sum += fresh * *i.MeanScore
			games += fresh
		}
		last = i.Games
	}
	return sum / games
}

// difference returns the difference of two groups' means, a minus b.
func difference(a, b []float64, pairs bool) *Difference {
	if !pairs {
		mean, ci, _ := stats.Difference(a, b)
		return &Difference{Mean: stats.Figure(mean), CI: ci}
	}
	mean, ci := stats.Paired(a, b)
	return &Difference{Mean: stats.Figure(mean), CI: ci, Paired: len(a) > 1}
}
