package compare

import (
	"context"
	"errors"
	"slices"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/learn"
)

// PlayOptions configure Play. The zero value of each field but Open and Games is valid.
type PlayOptions struct {
	Games   uint64 // of each network, 2 or more
	Seed    uint64
	Threads int // 0: one
	// Open returns the network of a run. Play closes it.
	Open func(run string) (*ntuple.Network, error)
	// Done, if not nil, is called after each game, by one goroutine at a time.
	Done func()
}

// Play plays the same games with the networks of all runs, one ply and without learning, and
// returns a cell for each group. It returns the context's error if that ends first.
func Play(ctx context.Context, groups []*Group, o PlayOptions) ([]Cell, error) {
	if err := checkSizes(groups); err != nil {
		return nil, err
	}
	if o.Games < 2 {
		return nil, inputErrorf("%d games: must be 2 or more", o.Games)
	}
	single := !slices.ContainsFunc(groups, func(g *Group) bool { return len(g.Runs) > 1 })
	var cells []Cell
	var first []float64
	for i, g := range groups {
		var means, scores []float64 // of all runs, of the last one's games
		for _, r := range g.Runs {
			var err error
			if scores, err = o.play(ctx, r.Name); err != nil {
				return nil, err
			}
			mean, _ := stats.Mean(scores)
			means = append(means, mean)
		}
		c, values := cellOf(means), means
		if single {
			values = scores
			_, c.CI = stats.Mean(scores)
		}
		if i == 0 {
			first = values
		} else {
			c.Difference = difference(values, first, single || sameSeeds(g, groups[0]))
		}
		cells = append(cells, c)
	}
	return cells, nil
}

// play returns the scores of a run's network.
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
