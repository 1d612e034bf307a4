package compare

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/learn/runs"
)

// PlayOptions configures Table.Play. The zero value of each field but Open and Games is valid.
type PlayOptions struct {
	Games   uint64 // number of games per network, at least 2
	Seed    uint64
	Threads int // number of games played in parallel; 0 means one
	// Luck says to adjust means and differences for the luck of spawns, measured with the values of the
	// first run's network. It requires that each group has a single run.
	Luck bool
	// Open returns the network of a run. Play closes it.
	Open func(run string) (*ntuple.Network, error)
	// Done, if not nil, is called after each game, by one goroutine at a time.
	Done func()
}

// Play plays games with the networks of all runs in the table and sets Played. All networks play the same
// seeds, at one ply and without learning. Play returns ctx.Err() if ctx ends first.
func (t *Table) Play(ctx context.Context, o PlayOptions) (err error) {
	if err := checkSizes(t.Groups); err != nil {
		return err
	}
	if o.Games < 2 {
		return runs.InputErrorf("%d games: must be 2 or more", o.Games)
	}
	single := !slices.ContainsFunc(t.Groups, func(g *Group) bool { return len(g.Runs) > 1 })
	var values *ntuple.Network
	if o.Luck {
		if !single {
			return runs.InputErrorf("luck is that of games, and the means of several runs differ by their training: must be single runs")
		}
		if values, err = o.Open(t.Groups[0].Runs[0].Name); err != nil {
			return err
		}
		defer values.Close()
		t.Values = fmt.Sprintf("%08x", values.Checksum())
	}
	var cells []Cell
	var first, firstLuck []float64
	for i, g := range t.Groups {
		var means, scores, luck []float64 // one mean per run; scores and luck of the last run's games
		for _, r := range g.Runs {
			if scores, luck, err = o.play(ctx, r.Name, values); err != nil {
				return err
			}
			mean, _ := stats.Mean(scores)
			means = append(means, mean)
		}
		c, of := cellOf(means), means
		if single {
			of = scores
			_, c.CI = stats.Mean(scores)
		}
		if o.Luck {
			c.Adjusted = adjusted(scores, luck)
		}
		if i == 0 {
			first, firstLuck = of, luck
		} else {
			c.Difference = difference(of, first, single || sameSeeds(g, t.Groups[0]))
			if o.Luck {
				c.Difference.Adjusted = adjusted(stats.Differences(of, first), luck, firstLuck)
			}
		}
		cells = append(cells, c)
	}
	t.Played, t.PlayedGames = cells, o.Games
	return nil
}

// adjusted returns the mean of values, one per game, adjusted for the luck of the games (control variates).
func adjusted(values []float64, luck ...[]float64) *Adjusted {
	games, controls := make([]int, len(values)), make([][]float64, len(values))
	for i := range values {
		games[i], controls[i] = i, each.Of(luck, func(all []float64) float64 { return all[i] })
	}
	_, plain := stats.Mean(values)
	mean, ci := stats.Mean(stats.Adjust(values, games, controls))
	return &Adjusted{stats.Figure(mean), ci, stats.Factor(plain, ci)}
}

// play plays games with a run's network and returns their scores and, if values is not nil, their luck.
func (o *PlayOptions) play(ctx context.Context, run string, values *ntuple.Network) (scores, luck []float64, err error) {
	n, err := o.Open(run)
	if err != nil {
		return nil, nil, err
	}
	defer n.Close()
	played, err := learn.Play(ctx, learn.PlayOptions{Network: n, Values: values, Seed: o.Seed, Games: o.Games, Threads: o.Threads, Done: o.Done})
	for _, g := range played {
		scores, luck = append(scores, float64(g.Score)), append(luck, g.Luck)
	}
	return scores, luck, errors.Join(err, ctx.Err())
}
