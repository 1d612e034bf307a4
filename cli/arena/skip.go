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

// skipFlag is what a command does about damaged games.
type skipFlag struct{ skip bool }

func (f *skipFlag) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.skip, "skip-damaged", false, "skip damaged games and report their number instead of failing")
}

// results are an experiment's games.
func (f *skipFlag) results(ctx context.Context, s *store.Store, e *store.Experiment) (*arena.Results, error) {
	if f.skip {
		return s.UndamagedResults(ctx, e)
	}
	r, err := s.Results(ctx, e)
	return r, f.hint(err)
}

// hint says how to go past damaged games.
func (f *skipFlag) hint(err error) error {
	if errors.As(err, new(*store.Damage)) {
		return fmt.Errorf("%w\ntake a copy of the store from before, or leave such games out with --skip-damaged", err)
	}
	return err
}

// tellLeftOut says how many games of a player were left out.
func tellLeftOut(cmd *cobra.Command, m experiment.Member, leftOut int) {
	if leftOut > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "left out: %d damaged games of %v\n", leftOut, m)
	}
}
