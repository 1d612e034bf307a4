package arena

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/flags"
	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/remote"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/console"
	"github.com/afterstate2048/afterstate/search/solve"
)

// runFlags are the flags of commands that run experiments. Each adds one for the number of games.
type runFlags struct {
	setupFlags
	store      flags.Store
	remote     remote.Flags
	games      int
	workers    int           `flag:"workers,j" default:"cores" range:"0:4096" help:"games played in parallel"`
	anyVersion bool          `flag:"any-version" help:"continue although a program with another signature played earlier games"`
	json       output.AsJSON `flag:"json" help:"print JSON"`
}

func newRun() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run NAME [SPEC...]",
		Short: "Play or continue an experiment and store its games",
		Long: `Play an experiment and keep its games in a store. It can be stopped and continued at
any time.

A new NAME starts an experiment. The NAME of an existing experiment continues it: no
finished game is lost or played twice, even after a crash or a power failure. A larger
--games adds games for each player, and further SPECs add players.

The store has the hashes of the files that a player's spec names, the name and version
of an external program, and the signature of this program (see bench). If one of them has
changed, arena run refuses to continue, because the new games would come from a
different player. With the SPEC of a changed player it plays the new one beside the old
one, whose games stay.

With --workers-at or --nats, workers on other machines play too (see worker); -j 0 plays no
games here. The games are the same, whoever plays them. docs/machines.md shows how.`,
		Example: `afterstate arena run first snake greedy --games 200
afterstate arena run first --games 1000
afterstate arena run first weighted-snake
afterstate arena run first --games 5000 --workers-at 0.0.0.0:4222 -j 0`,
		Args: usage.Args(1, maxSpecs, "the name of an experiment"),
		RunE: func(cmd *cobra.Command, args []string) error { return runRun(cmd, args[0], args[1:], &f) },
	}
	usage.Flags(cmd.Flags(), &f)
	usage.Flags(cmd.Flags(), &f.stageFlags)
	cmd.Flags().IntVarP(&f.games, "games", "n", 100, "games of each player (default for an existing experiment: unchanged)")
	return cmd
}

func runRun(cmd *cobra.Command, name string, specs []string, f *runFlags) error {
	ctx, stop := output.UntilStopped(cmd)
	defer stop()
	if err := cmp.Or(f.readStarts(cmd, &f.games), checkGames(f.games)); err != nil {
		return err
	}
	s, x, _, err := f.begin(cmd, name, specs, f.games, false)
	if err != nil {
		return err
	}
	defer s.Close()
	reportReplaced(cmd, x)
	var exact *solve.Table
	if f.regret {
		if exact, err = exactValues(ctx, x.Stored.Setup, x.Stored.Games); err != nil {
			return err
		}
	}
	view := newView(cmd.ErrOrStderr(), x.Stored.Name, f.workers)
	stopped, err := f.play(cmd, view, x.Current(), x.Stored.Games, func(o experiment.PlayOptions) error {
		o.Players = x.Current()
		return x.Play(ctx, o)
	})
	if err != nil {
		return err
	}
	var r *arena.Results
	if exact != nil {
		r, err = experiment.Judged(context.WithoutCancel(ctx), s, x.Stored, exact)
	} else {
		r, err = x.Results(context.WithoutCancel(ctx))
	}
	if err != nil {
		return err
	}
	if err := printResults(cmd, r, f.json); err != nil {
		return err
	}
	if stopped != nil {
		view.unplayed()
		fmt.Fprintf(cmd.ErrOrStderr(), "saved; to resume: afterstate arena run %s%s\n", name, f.again(cmd))
		return stopped
	}
	return f.checkForfeits(r)
}

// again returns the flags that were given and that the store does not have, for another command.
func (f *runFlags) again(cmd *cobra.Command) string {
	words := slices.Concat(f.store.Again(), f.remote.Again())
	if cmd.Flags().Changed("workers") {
		words = append(words, "-j", strconv.Itoa(f.workers))
	}
	text := ""
	for _, word := range words {
		text += " " + console.Quote(word)
	}
	return text
}

// reportReplaced names the players that play no more games because they have changed.
func reportReplaced(cmd *cobra.Command, x *experiment.Experiment) {
	for _, p := range x.Replaced() {
		fmt.Fprintf(cmd.ErrOrStderr(), "player %d, %s, has changed since it played: its games stay, and it is a new player from here on\n", p.Number, x.Stored.NameOf(&p))
	}
}

// play plays games of the players, shown by the view, and ends the view: the results are printed instead. stopped is
// the error of a context that ended.
func (f *runFlags) play(cmd *cobra.Command, view *view, players []arena.Player, games int, play func(experiment.PlayOptions) error) (stopped, err error) {
	elsewhere, err := f.remote.Open(cmd)
	if err != nil {
		return nil, err
	}
	defer elsewhere.Close()
	elsewhere.SayBy(view.Say)
	o := experiment.PlayOptions{Workers: f.workers, Games: games, Remote: elsewhere.Remote()}
	if o.Remote != nil {
		o.Remote.OnOpen, o.Remote.OnRefusals = view.share, view.refuse
	}
	o.OnStart = func(have [][]arena.Outcome) {
		for i := range players {
			view.games.Player(&players[i], have[i], games)
		}
		view.begin()
	}
	o.OnGames = func(p *arena.Player, games []arena.Recorded) error {
		view.add(p, games)
		return nil
	}
	err = play(o)
	view.End()
	if errors.Is(err, context.Canceled) {
		return err, nil
	}
	return nil, flags.StoreError(err)
}
