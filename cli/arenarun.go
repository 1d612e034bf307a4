package cli

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"afterstate/arena"
	"afterstate/arena/queue"
	"afterstate/arena/store"
	"afterstate/player"
)

type arenaRunFlags struct {
	arenaSetupFlags
	store      storeFlag
	games      int
	workers    int
	anyVersion bool
	json       bool
}

func newArenaRun() *cobra.Command {
	f := arenaRunFlags{arenaSetupFlags: newArenaSetupFlags()}
	cmd := &cobra.Command{
		Use:   "run NAME [SPEC...]",
		Short: "Play an experiment and keep its games; go on with one",
		Long: `Let players play an experiment whose games are kept in a store, so that it can be
stopped and gone on with at any time.

A new NAME begins an experiment. The NAME of one that is there goes on with it:
after Ctrl-C, a crash or a power cut no finished game is lost or played twice.
--games then wants more games of each player, and further SPECs add players.

A player is kept with the contents of the files that it names and with the
program's version; where one of them has changed, going on is refused, since its
games would not be those of one player.`,
		Example: `afterstate arena run first snake greedy --games 200
afterstate arena run first --games 1000
afterstate arena run first weighted-snake`,
		Args: between(1, maxSpecs, "the name of an experiment"),
		RunE: func(cmd *cobra.Command, args []string) error { return runArenaRun(cmd, args[0], args[1:], &f) },
	}
	flags := cmd.Flags()
	f.arenaSetupFlags.add(flags)
	f.store.add(flags)
	flags.IntVarP(&f.games, "games", "n", 100, "games of each player (default for an experiment that is there: as before)")
	addWorkers(flags, &f.workers)
	flags.BoolVar(&f.anyVersion, "any-version", false, "go on although another version of the program played before")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	return cmd
}

func runArenaRun(cmd *cobra.Command, name string, specs []string, f *arenaRunFlags) error {
	ctx, stop := untilStopped(cmd)
	defer stop()
	if err := checkGames(f.games); err != nil {
		return err
	}
	x, _, err := f.begin(cmd, name, specs, f.games, false)
	if err != nil {
		return err
	}
	defer x.store.Close()
	stopped := x.play(ctx, x.experiment.Players, x.experiment.Games, nil)
	if stopped != nil && !errors.Is(stopped, context.Canceled) {
		return storeError(stopped)
	}
	r, err := x.results(context.WithoutCancel(ctx))
	if err != nil {
		return err
	}
	if err := printResults(cmd, r, f.json); err != nil {
		return err
	}
	if stopped != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "kept; to go on: afterstate arena run %s%s\n", name, f.store.again())
		return stopped
	}
	return allForfeited(r)
}

// untilStopped ends when the command is interrupted or its terminal hangs up, unless
// nohup wants it to go on.
func untilStopped(cmd *cobra.Command) (context.Context, context.CancelFunc) {
	if signal.Ignored(syscall.SIGHUP) {
		return cmd.Context(), func() {}
	}
	return untilHangup(cmd.Context())
}

// play plays the games that are missing of some players. Every batch of games that
// was kept is shown to observe, if there is one; an error of it ends the play.
func (x *experimenting) play(ctx context.Context, players []store.Player, games int, observe func(p *store.Player, games []arena.Recorded) error) error {
	plan := &arena.Plan{Workers: x.workers}
	if observe != nil {
		plan.Target = matchChunk
	}
	view := newArenaView(x.cmd.ErrOrStderr(), x.experiment.Name, x.workers)
	view.more = x.more
	for i := range players {
		p := &players[i]
		have, err := x.store.Games(ctx, x.experiment, p)
		if err != nil {
			return err
		}
		x.games[p.Identity] = have
		tally := view.player(p, have, games)
		plan.Add(arena.Chunk{Setup: x.experiment.Setup, Player: p.Spec, Identity: p.Identity, Version: programVersion()},
			arena.Gaps(arena.Ranges(have), games), tally.games, tally.elapsed)
	}
	if plan.Left() == 0 {
		return nil
	}
	ctx, stop := x.store.WhileThere(ctx, x.experiment)
	defer stop()
	q := queue.New(queue.Options{})
	conductor := &arena.Conductor{Queue: q, Plan: plan, Keep: func(c *arena.Chunk, games []arena.Recorded) error {
		p := x.player(c.Identity)
		// What was finished is kept also while the program is being stopped.
		fresh, err := x.store.Keep(context.WithoutCancel(ctx), x.experiment, p, games)
		if err != nil {
			return err
		}
		x.shared = x.shared || fresh < len(games)
		for i := range games {
			x.games[c.Identity] = append(x.games[c.Identity], games[i].Game)
		}
		return view.add(p, games, observe)
	}}
	view.begin()
	defer view.end()
	err := conductor.RunHere(ctx, arena.Worker{Queue: q, Seat: x.seat}, x.workers)
	return store.Ended(ctx, err)
}

// seat is what a worker needs to play a chunk here.
func (x *experimenting) seat(c *arena.Chunk) (arena.Seat, error) {
	m, ok := x.makers[c.Identity]
	if !ok {
		return arena.Seat{}, fmt.Errorf("%s is no player of %s", c.Player, x.experiment.Name)
	}
	return arena.Seat{New: func() (player.Player, error) { return m.New(), nil }, Spawn: x.spawn}, nil
}
