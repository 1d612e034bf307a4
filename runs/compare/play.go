package compare

import (
	"context"
	"errors"

	"afterstate/learn"
	"afterstate/ntuple"
	"afterstate/stats"
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
		return nil, inputErrorf("%d games: want 2 or more", o.Games)
	}
	cells := make([]Cell, len(groups))
	games := make([][]float64, len(groups)) // the scores of a group's only run
	single := true
	for i, g := range groups {
		single = single && len(g.Runs) == 1
		for _, r := range g.Runs {
			scores, err := o.play(ctx, r.Name)
			if err != nil {
				return nil, err
			}
			mean, _ := stats.Mean(scores)
			cells[i].Values, games[i] = append(cells[i].Values, mean), scores
		}
	}
	for i := range cells {
		c := &cells[i]
		values, first, pairs := c.Values, cells[0].Values, sameSeeds(groups[i], groups[0])
		if single {
			values, first, pairs = games[i], games[0], true
		}
		if c.Mean, c.CI = stats.Mean(values); i > 0 {
			c.Difference = difference(values, first, pairs)
		}
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
