package arena

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"afterstate/arena"
	"afterstate/arena/store"
	"afterstate/experiment"
)

const memberHelp = `EXPERIMENT/PLAYER, where PLAYER is a spec or its number in arena show; an
experiment of one player needs no PLAYER`

// skipFlag is the flag --skip-damaged.
type skipFlag struct{ skip bool }

func (f *skipFlag) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.skip, "skip-damaged", false, "skip damaged games and report their number instead of failing")
}

// results returns an experiment's games.
func (f *skipFlag) results(ctx context.Context, s *store.Store, e *arena.Experiment) (*arena.Results, error) {
	if f.skip {
		return s.UndamagedResults(ctx, e)
	}
	r, err := s.Results(ctx, e)
	return r, f.hint(err)
}

// hint adds to an error about damaged games how to continue without them.
func (f *skipFlag) hint(err error) error {
	if errors.As(err, new(*arena.Damage)) {
		return fmt.Errorf("%w\ntake a copy of the store from before, or leave such games out with --skip-damaged", err)
	}
	return err
}

// printLeftOut prints the number of games of a player that were left out.
func printLeftOut(cmd *cobra.Command, m experiment.Member, leftOut int) {
	if leftOut > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "left out: %d damaged games of %v\n", leftOut, m)
	}
}
