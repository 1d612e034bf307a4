package arena

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/flags"
	"github.com/afterstate2048/afterstate/cli/internal/hubflags"
	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/report"
	"github.com/afterstate2048/afterstate/experiment/store"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
)

// runFlags are the flags for the commands that play stored experiments: run, match and rank.
type runFlags struct {
	setupFlags
	store      flags.Store
	machines   hubflags.Flags
	workers    int  `flag:"workers,j" default:"cores" range:"0:4096" help:"games played in parallel"`
	anyVersion bool `flag:"any-version" help:"continue although a program with another signature played earlier games"`
	match      bool // set by match and rank: only the players named in the command play, and --games is a maximum
}

func newRun() *cobra.Command {
	f := runFlags{setupFlags: setupFlags{games: 100}}
	cmd := usage.Command(&cobra.Command{
		Use:   "run NAME [SPEC...]",
		Short: "Play or continue an experiment and store its games",
		Long: `Play an experiment and keep its games in a store. It can be stopped and continued at
any time.

A new NAME starts an experiment. The NAME of an existing experiment continues it: no
finished game is lost or played twice, even after a crash or a power failure. A larger
--games adds games for each player, and further SPECs add players.

The store has the hashes of the files that a player's spec names, the name and version of an
external program, and the signature of this program (see bench). If one of them has changed,
arena run refuses to continue, because the new games would come from a different player. Give
the SPEC of a changed player to add it as a new player; the old one keeps its games.

With --workers-at or --nats, workers on other machines play too (see worker); -j 0 plays no
games here. The games are the same, whoever plays them. docs/machines.md shows how.`,
		Example: `afterstate arena run first snake greedy --games 200
afterstate arena run first --games 1000
afterstate arena run first weighted-snake
afterstate arena run first --games 5000 --workers-at 0.0.0.0:4222 -j 0`,
		Args: usage.Args(1, maxArgs, "the name of an experiment"),
	}, &f, run)
	usage.Flags(cmd.Flags(), &f.stageFlags)
	usage.Var(cmd.Flags(), "games", "n", "games of each player (default for an existing experiment: unchanged)", &f.games)
	return cmd
}

func run(cmd *cobra.Command, args []string, f *runFlags) error {
	ctx, stop := output.UntilStopped(cmd)
	defer stop()
	x, err := f.open(cmd, args[0], args[1:])
	if err != nil {
		return err
	}
	defer x.close()
	for _, p := range x.Replaced() {
		fmt.Fprintf(cmd.ErrOrStderr(), "player %d, %s, has changed since it played: its games are kept, and the changed player was added as a new one\n", p.Number, x.Plan.NameOf(&p))
	}
	exact, err := f.exact(ctx, x.Plan.Setup, x.Plan.Games)
	if err != nil {
		return err
	}
	o := experiment.PlayOptions{Players: x.Current(), Games: x.Plan.Games}
	stopped, err := f.play(cmd, &view{}, o, func(o experiment.PlayOptions) error { return x.Play(ctx, o) })
	if err != nil {
		return err
	}
	r, err := experiment.Results(context.WithoutCancel(ctx), x.store, x.Plan, exact)
	if err != nil {
		return err
	}
	return cmp.Or(printResults(cmd, r, f.json), stopped, f.checkForfeits(r))
}

type matchFlags struct {
	runFlags
	name       string  `flag:"name" help:"the experiment's <NAME> (default: from the players' names)"`
	confidence float64 `flag:"confidence" default:"0.95" range:"0.5:0.9999" help:"confidence of the verdict, from 0.5 to 0.9999"`
}

func newMatch() *cobra.Command {
	f := matchFlags{runFlags: runFlags{setupFlags: setupFlags{games: 10_000}, match: true}}
	cmd := usage.Command(&cobra.Command{
		Use:   "match A B",
		Short: "Play two players until one is better with the given confidence",
		Long: `Play the same games with two players until a sequential test decides which of them
has the higher mean score, or until --games games are played.

The test runs after every pair of games. Its error rate is at most 5 % (--confidence) at any
stopping time and for any distribution of scores: it is a test by betting (docs/experiments.md).
The confidence interval of the mean difference is also valid at any time. From 20 pairs on,
match estimates how many more pairs a verdict takes, or how many more will not be enough.

The games are stored as an experiment. The same command continues after Ctrl-C, and
arena show and arena report accept the experiment's name.`,
		Example: `afterstate arena match snake weighted-snake
afterstate arena match "snake(depth=1)" "snake(depth=2)" --size 3x3 --confidence 0.99`,
		Args: usage.Args(2, 2, "two player specs"),
	}, &f, match)
	usage.Var(cmd.Flags(), "games", "n", "largest number of games of each player", &f.games)
	return cmd
}

func match(cmd *cobra.Command, specs []string, f *matchFlags) error {
	return f.decide(cmd, f.name, specs, f.confidence, func(r *experiment.Ranking) error {
		m := r.Match(f.workers)
		return f.json.Print(cmd, m, func(w io.Writer) error { return report.Match(w, m) })
	})
}

// decide plays games of an experiment with the players that specs name until their ranks are known or each has played
// f.games games, and prints the ranking.
func (f *runFlags) decide(cmd *cobra.Command, name string, specs []string, confidence float64, print func(*experiment.Ranking) error) error {
	ctx, stop := output.UntilStopped(cmd)
	defer stop()
	x, err := f.open(cmd, name, specs)
	if err != nil {
		return err
	}
	defer x.close()
	r, err := x.Rank(ctx, each.Of(x.entrants, func(n experiment.Entrant) string { return n.Identity }), confidence)
	if err != nil {
		return flags.StoreError(err)
	}
	finished := make([][]arena.Outcome, len(r.Players))
	for i := range finished {
		if finished[i], err = x.store.Games(ctx, x.Plan, &r.Players[i]); err != nil {
			return err
		}
	}
	o := experiment.PlayOptions{Players: r.Players, Games: f.games}
	stopped, err := f.play(cmd, &view{ranking: r, limit: f.games}, o, func(o experiment.PlayOptions) error {
		o.OnStart(finished)
		o.OnStart = nil // already called; otherwise r.Play would call it again in each round of games
		return r.Play(ctx, o)
	})
	if err != nil {
		return err
	}
	if err := cmp.Or(print(r), stopped); err != nil {
		return err
	}
	results, err := x.Results(ctx)
	if err != nil {
		return err
	}
	return f.checkForfeits(results)
}

// opened is an experiment opened for playing, with its store.
type opened struct {
	*experiment.Experiment
	store    *store.Store
	entrants []experiment.Entrant // the players named in the command
}

func (x *opened) close() { _ = x.store.Close() }

// open opens the store, and starts the experiment or adds the players named in the command to an existing one. A match
// without a name is named after its players. The caller closes the result.
func (f *runFlags) open(cmd *cobra.Command, name string, specs []string) (_ *opened, err error) {
	ctx, x := cmd.Context(), &opened{}
	defer func() {
		if err != nil {
			if x.store != nil {
				_ = x.store.Close()
			}
			err = f.experimentError(name, err)
		}
	}()
	if err := f.readStarts(cmd); err != nil {
		return nil, err
	}
	if name != "" || !f.match {
		err = usage.Wrap(arena.CheckName(name))
	}
	if err := cmp.Or(err, f.machines.CheckWorkers(f.workers)); err != nil {
		return nil, err
	}
	config := &experiment.Config{Capabilities: program.Capabilities, Identity: program.Identity, Program: program.Self(), AnyVersion: f.anyVersion}
	if x.entrants, err = entrants(ctx, config, specs, f.size); err != nil {
		return nil, err
	}
	for _, e := range x.entrants {
		if experiment.HasTooManySources(e.Identity) {
			fmt.Fprintf(cmd.ErrOrStderr(), "afterstate: the folder of %s has more than 2,000 source files or 100 MB: when the experiment continues, only the files that its command names are checked for changes\n", e.Spec)
		}
	}
	if name == "" {
		setup := f.setup()
		setup.SpawnIdentity = setup.Spawn
		name = experiment.MatchName(setup, x.entrants)
	}
	// Do not create a store for an invalid request.
	exists, err := f.store.Exists()
	if err == nil && !exists && len(x.entrants) == 0 {
		err = &experiment.RefusalError{Err: experiment.ErrNoPlayers}
	}
	if err == nil && !exists {
		err = experiment.CheckForesight(x.entrants, f.spawn.SpawnRule)
	}
	if err != nil {
		return nil, err
	}
	if x.store, err = f.store.Open(true); err != nil {
		return nil, err
	}
	x.Experiment, err = config.Find(ctx, x.store, name)
	if errors.Is(err, arena.ErrUnknown) {
		plan := &arena.Plan{Name: name, Games: f.games, Setup: f.setup()}
		if f.match {
			plan.Games = 0 // not f.games, because a match may end early
		}
		x.Experiment, err = config.Begin(ctx, x.store, plan, x.entrants)
		return x, err
	}
	if err == nil {
		err = f.same(cmd, x.Plan, f.match)
	}
	if err == nil && x.Plan.Setup.Size != f.size { // --size was not given
		x.entrants, err = entrants(ctx, config, specs, x.Plan.Setup.Size)
	}
	if err != nil {
		return nil, err
	}
	games := f.games
	if !f.match && !cmd.Flags().Changed("games") && f.start == "" {
		games = x.Plan.Games
	}
	return x, x.Extend(ctx, experiment.Extension{Entrants: x.entrants, Games: games, Match: f.match})
}

// entrants parses the specs of players for boards of a size. Its errors count as bad input, unless an external program
// failed or ctx ended.
func entrants(ctx context.Context, config *experiment.Config, specs []string, size board.Size) ([]experiment.Entrant, error) {
	all, err := config.Entrants(ctx, specs, size)
	if player.Forfeited(ctx, err) != nil || ctx.Err() != nil {
		return nil, err
	}
	return all, usage.Wrap(err)
}

// experimentError turns errors that the user can correct into usage errors, which name the flags
// that help.
func (f *runFlags) experimentError(name string, err error) error {
	switch {
	case errors.Is(err, experiment.ErrNoPlayers):
		return usage.Errorf("there is no experiment %s in %s yet: name at least one player spec to begin it", name, f.store.Path)
	case errors.Is(err, experiment.ErrOtherProgram):
		return usage.Errorf("%w:\nbegin another experiment, or mix them with --any-version", err)
	}
	return flags.StoreError(err)
}

// play calls the argument play with the options o, to which it adds the workers given by the flags and a progress
// display in v. It ends the display, so that the results can be printed. If the context was cancelled, the error is
// returned as stopped.
func (f *runFlags) play(cmd *cobra.Command, v *view, o experiment.PlayOptions, play func(experiment.PlayOptions) error) (stopped, err error) {
	workers, err := f.machines.Open(cmd)
	if err != nil {
		return nil, err
	}
	defer workers.Close()
	v.Progress = output.NewProgress(cmd.ErrOrStderr(), o.Games*len(o.Players), "games")
	v.workers = f.workers
	workers.SayBy(v.Say)
	o.Workers, o.Machines = f.workers, workers.Machines()
	if o.Machines != nil {
		o.Machines.OnOpen = func(cores func() int) { v.cores = cores }
	}
	players := o.Players
	o.OnStart = func(finished [][]arena.Outcome) { v.begin(players, finished) }
	o.OnGames = v.add
	err = play(o)
	v.End()
	if errors.Is(err, context.Canceled) {
		return err, nil
	}
	return nil, flags.StoreError(err)
}
