package compare

import (
	"context"
	"errors"
	"slices"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/learn/runs"
)

// PlayOptions configures Table.Play. The zero value of each field but Open and Games is valid.
type PlayOptions struct {
	Games   uint64 // number of games per network, at least 2
	Seed    uint64
	Threads int // number of games played in parallel; 0 means one
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
	var cells []Cell
	var first []float64
	for i, g := range t.Groups {
		var means, scores []float64 // means of all runs so far; scores of the last run's games
		for _, r := range g.Runs {
			if scores, err = o.play(ctx, r.Name); err != nil {
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
		if i == 0 {
			first = of
		} else {
			c.Difference = difference(of, first, single || sameSeeds(g, t.Groups[0]))
		}
		cells = append(cells, c)
	}
	t.Played, t.PlayedGames = cells, o.Games
	return nil
}

// play plays games with a run's network and returns their scores.
func (o *PlayOptions) play(ctx context.Context, run string) (scores []float64, err error) {
	n, err := o.Open(run)
	if err != nil {
		return nil, err
	}
	defer n.Close()
	played, err := learn.Play(ctx, learn.PlayOptions{Network: n, Seed: o.Seed, Games: o.Games, Threads: o.Threads, Done: o.Done})
	for _, g := range played {
		scores = append(scores, float64(g.Score))
	}
	return scores, errors.Join(err, ctx.Err())
}
