package arena

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"afterstate/arena"
	"afterstate/arena/store"
	"afterstate/cli/internal/flags"
	"afterstate/cli/internal/live"
	"afterstate/cli/internal/usage"
	"afterstate/experiment"
)

type runFlags struct {
	setupFlags
	store      flags.Store
	games      int
	workers    int
	anyVersion bool
	json       bool
}

// add adds the flags of commands that play experiments, but for the number of games.
func (f *runFlags) add(flags *pflag.FlagSet) {
	f.setupFlags.add(flags)
	f.store.Add(flags)
	addWorkers(flags, &f.workers)
	flags.BoolVar(&f.anyVersion, "any-version", false, "go on although a program with another signature played before")
	flags.BoolVar(&f.json, "json", false, "print JSON")
}

func newRun() *cobra.Command {
	f := runFlags{setupFlags: newSetupFlags()}
	cmd := &cobra.Command{
		Use:   "run NAME [SPEC...]",
		Short: "Play an experiment and keep its games; go on with one",
		Long: `Let players play an experiment whose games are kept in a store, so that it can be
stopped and gone on with at any time.

A new NAME begins an experiment. The NAME of one that is there goes on with it:
after Ctrl-C, a crash or a power cut no finished game is lost or played twice.
--games then wants more games of each player, and further SPECs add players.

A player is kept with the contents of the files that it names and with the
program's signature (see bench); where one of them has changed, going on is
refused, since its games would not be those of one player.`,
		Example: `afterstate arena run first snake greedy --games 200
afterstate arena run first --games 1000
afterstate arena run first weighted-snake`,
		Args: usage.Args(1, maxSpecs, "the name of an experiment"),
		RunE: func(cmd *cobra.Command, args []string) error { return runRun(cmd, args[0], args[1:], &f) },
	}
	flags := cmd.Flags()
	f.add(flags)
	flags.IntVarP(&f.games, "games", "n", 100, "games of each player (default for an experiment that is there: as before)")
	return cmd
}

func runRun(cmd *cobra.Command, name string, specs []string, f *runFlags) error {
	ctx, stop := live.UntilStopped(cmd)
	defer stop()
	if err := checkGames(f.games); err != nil {
		return err
	}
	s, x, _, err := f.begin(cmd, name, specs, f.games, false)
	if err != nil {
		return err
	}
	defer s.Close()
	view := newView(cmd.ErrOrStderr(), x.Kept.Name, f.workers)
	stopped := x.Play(ctx, watched(view, x.Kept.Players, experiment.PlayOptions{
		Workers: f.workers, Players: x.Kept.Players, Games: x.Kept.Games,
	}))
	view.end()
	if stopped != nil && !errors.Is(stopped, context.Canceled) {
		return flags.StoreError(stopped)
	}
	r, err := x.Results(context.WithoutCancel(ctx))
	if err != nil {
		return err
	}
	if err := printResults(cmd, r, f.json); err != nil {
		return err
	}
	if stopped != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "kept; to go on: afterstate arena run %s%s\n", name, f.store.Again())
		return stopped
	}
	return r.AllForfeited()
}

// watched lets a view show the play of some players, to a number of games of each, and
// observe see the games that were kept.
func watched(view *view, players []store.Player, o experiment.PlayOptions) experiment.PlayOptions {
	o.OnStart = func(have [][]arena.Game) {
		for i := range players {
			view.games.Player(&players[i], have[i], o.Games)
		}
		view.begin()
	}
	o.OnGames = func(p *store.Player, games []arena.Recorded) error {
		view.add(p, games)
		return nil
	}
	return o
}
