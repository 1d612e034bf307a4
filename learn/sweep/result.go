package sweep

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/internal/table"
	"github.com/afterstate2048/afterstate/learn/runs/compare"
)

// Result holds the ranked configurations of a sweep.
type Result struct {
	Sweep string `json:"sweep"`
	Games uint64 `json:"games"` // number of games of each trial
	// PlayedGames is the number of games that RunOptions.Play played with the network of each trial. If it
	// is 0, configurations are ranked by the last interval of training.
	PlayedGames    uint64 `json:"played_games"`
	Configurations []Row  `json:"configurations"` // sorted, the best first
}

// Row is the result of one configuration. Each list has one element per run, in the order of the seeds.
type Row struct {
	Name    string                     `json:"configuration"`
	Options map[string]json.RawMessage `json:"options"`
	Seeds   []uint64                   `json:"seeds"`
	Runs    []string                   `json:"runs"`
	Games   uint64                     `json:"games"`
	Trained []stats.Figure             `json:"runs_trained_score"` // mean score of each run in its last interval
	Played  []stats.Figure             `json:"runs_played_score"`  // null if PlayedGames is 0
	// Mean is the mean of Played if that is not null, otherwise of Trained.
	Mean stats.Figure   `json:"mean_score"`
	CI   stats.Interval `json:"mean_score_ci95"`
	// Corrected is a confidence interval of Mean that holds simultaneously for all configurations tried (Bonferroni).
	Corrected stats.Interval `json:"mean_score_ci95_corrected"`
	// Behind is the mean of the best configuration minus this mean, paired by seed. Its interval holds
	// simultaneously for all pairs of configurations (Bonferroni). It is nil for the best configuration.
	Behind *compare.Difference `json:"behind,omitempty"`
}

func floats(all []stats.Figure) []float64 {
	return each.Of(all, func(f stats.Figure) float64 { return float64(f) })
}

func figures(all []float64) []stats.Figure {
	return each.Of(all, func(x float64) stats.Figure { return stats.Figure(x) })
}

// decisive returns the scores that determine the configuration's rank: Played if that is not nil, otherwise Trained.
func (r *Row) decisive() []float64 {
	if r.Played != nil {
		return floats(r.Played)
	}
	return floats(r.Trained)
}

func (s *Sweep) result(ctx context.Context, o *RunOptions) (*Result, error) {
	r := &Result{Sweep: s.Name, Games: s.games, PlayedGames: o.Play.Games}
	played := &compare.Table{}
	for _, c := range s.Configs {
		row := Row{Name: s.group(c.Number), Options: c.Values, Seeds: s.Spec.Seeds, Games: s.games, Trained: figures(c.scores)}
		g := &compare.Group{}
		for _, t := range c.Trials {
			row.Runs = append(row.Runs, t.Name)
			g.Runs = append(g.Runs, &compare.Run{Name: t.Name, Options: t.Options})
		}
		r.Configurations, played.Groups = append(r.Configurations, row), append(played.Groups, g)
	}
	if o.Play.Games > 0 {
		play := o.Play
		play.Open, play.Threads = s.Folder.Network, max(1, o.Workers)
		if err := played.Play(ctx, play); err != nil {
			return nil, err
		}
		for i := range r.Configurations {
			r.Configurations[i].Played = played.Played[i].Values
		}
	}
	r.compare()
	return r, nil
}

// compare computes the statistics of all rows from their scores, and sorts the rows.
func (r *Result) compare() {
	tried := len(r.Configurations)
	for i := range r.Configurations {
		row := &r.Configurations[i]
		mean, ci := stats.Mean(row.decisive())
		row.Mean, row.CI = stats.Figure(mean), ci
		_, row.Corrected = stats.Simultaneous(row.decisive(), tried)
	}
	slices.SortStableFunc(r.Configurations, func(a, b Row) int { return cmp.Compare(b.Mean, a.Mean) })
	best := &r.Configurations[0]
	for i := range r.Configurations[1:] {
		row := &r.Configurations[i+1]
		mean, ci := stats.Simultaneous(stats.Differences(best.decisive(), row.decisive()), tried*(tried-1)/2)
		row.Behind = &compare.Difference{Mean: stats.Figure(mean), CI: ci, Paired: true}
	}
}

// Table returns the result as a table.
func (r *Result) Table() *table.Table {
	options := slices.Sorted(maps.Keys(r.Configurations[0].Options))
	t := table.New(table.Name("configuration"))
	t.Columns = append(t.Columns, table.Numbers(options...)...)
	t.Columns = append(t.Columns, table.Numbers("games", "seeds", "mean score", "behind the best")...)
	for i := range r.Configurations {
		row := &r.Configurations[i]
		cells := append([]string{row.Name}, each.Of(options, func(name string) string { return text(row.Options[name]) })...)
		behind := "-"
		if row.Behind != nil {
			behind = compare.WithInterval(row.Behind.Mean, row.Behind.CI, false)
		}
		t.Add(append(cells, numfmt.Int(int64(row.Games)), fmt.Sprint(len(row.Seeds)), compare.WithInterval(row.Mean, row.CI, false), behind)...)
	}
	return t
}

// Text returns the table and a summary of the best configuration, or a line for a single configuration.
func (r *Result) Text() string {
	best, tried := &r.Configurations[0], numfmt.Count(len(r.Configurations), "configuration", "configurations")
	if len(r.Configurations) == 1 {
		basis := "in the last interval of training"
		if r.PlayedGames > 0 {
			basis = fmt.Sprintf("in %s games per network, searching one ply", numfmt.Int(int64(r.PlayedGames)))
		}
		seeds := numfmt.Count(len(best.Trained), "seed", "seeds")
		return fmt.Sprintf("%s: %s, %s games each: mean score %s %s\n", best.Name, seeds, numfmt.Int(int64(best.Games)), compare.WithInterval(best.Mean, best.CI, false), basis)
	}
	basis := "of the last interval of training, which favours lucky runs; --play measures the networks in separate games"
	if r.PlayedGames > 0 {
		basis = fmt.Sprintf("in %s games per network, searching one ply", numfmt.Int(int64(r.PlayedGames)))
	}
	lines := []string{r.Table().Text(math.MaxInt), "mean score: " + basis + "; [95 % interval over seeds]"}
	if !best.CI.Known() {
		return strings.Join(append(lines, fmt.Sprintf("%s is best of %s; one seed gives no interval", best.Name, tried)), "\n") + "\n"
	}
	var open []string
	for i := range r.Configurations {
		if b := r.Configurations[i].Behind; b != nil && !(b.CI.Low > 0) {
			open = append(open, r.Configurations[i].Name)
		}
	}
	lines = append(lines, fmt.Sprintf("%s is best: %s, corrected for %s tried (Bonferroni)", best.Name, compare.WithInterval(best.Mean, best.Corrected, false), tried))
	if len(open) > 0 {
		const maximum = 5
		if hidden := len(open) - maximum; hidden > 0 {
			open = append(open[:maximum], fmt.Sprintf("%d more", hidden))
		}
		lines = append(lines, "not significantly better than "+strings.Join(open, ", ")+": use more seeds")
	}
	return strings.Join(lines, "\n") + "\n"
}
