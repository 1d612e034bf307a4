package arena

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/store"
	"github.com/afterstate2048/afterstate/search/solve"
)

const memberHelp = `EXPERIMENT/PLAYER, where PLAYER is a spec or its number in arena show; an
experiment of one player needs no PLAYER`

// skipFlag is the flag --skip-damaged.
type skipFlag struct {
	skip  bool         `flag:"skip-damaged" help:"skip damaged games and report their number instead of failing"`
	exact *solve.Table // judges the moves of results; nil: they are not judged
	mu    sync.Mutex
	left  map[int64]int // damaged games that were left out, by the ID of their player
}

// apply makes a store leave out damaged games if the flag is set.
func (f *skipFlag) apply(s *store.Store) {
	if !f.skip {
		return
	}
	f.left = map[int64]int{}
	s.LeftOut = func(p *arena.Player, games int) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.left[p.ID] += games
	}
}

// results returns an experiment's games.
func (f *skipFlag) results(ctx context.Context, s *store.Store, e *arena.Plan) (*arena.Results, error) {
	f.apply(s)
	var r *arena.Results
	var err error
	if f.exact != nil {
		r, err = experiment.Judged(ctx, s, e, f.exact)
	} else {
		r, err = experiment.Results(ctx, s, e)
	}
	if err != nil {
		return nil, f.hint(err)
	}
	for i := range r.Players {
		r.Players[i].Damaged = f.left[e.Players[i].ID]
	}
	return r, nil
}

// hint adds to an error about damaged games how to continue without them.
func (f *skipFlag) hint(err error) error {
	if errors.As(err, new(*arena.DamageError)) {
		return fmt.Errorf("%w\ntake a copy of the store from before, or leave such games out with --skip-damaged", err)
	}
	return err
}

// print prints how many games of players were left out.
func (f *skipFlag) print(cmd *cobra.Command, e *arena.Plan, players ...arena.Player) {
	for i := range players {
		if n := f.left[players[i].ID]; n > 0 {
			fmt.Fprintf(cmd.ErrOrStderr(), "left out: %d damaged games of %v\n", n, experiment.Member{Experiment: e, Player: &players[i]})
		}
	}
}
