package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/signal"
	"slices"
	"strings"
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
	games := f.games
	if err := checkGames(games); err != nil {
		return err
	}
	x, _, err := f.begin(cmd, name, specs, games)
	if err != nil {
		return err
	}
	defer x.store.Close()
	stopped := x.play(ctx, x.experiment.Players, x.experiment.Games, nil)
	if stopped != nil && !errors.Is(stopped, context.Canceled) {
		return storeError(stopped)
	}
	r := asResults(x.experiment, x.played())
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

// begin opens the store and finds or makes the experiment, in which the players take
// part. The caller closes the store.
func (f *arenaRunFlags) begin(cmd *cobra.Command, name string, specs []string, games int) (*experimenting, []entrant, error) {
	if err := cmp.Or(checkExperimentName(name), checkWorkers(f.workers)); err != nil {
		return nil, nil, err
	}
	entrants, err := f.entrants(specs)
	if err != nil {
		return nil, nil, err
	}
	// A store is not made for what will be refused.
	if there, err := f.store.there(); err != nil || !there && len(entrants) == 0 {
		return nil, nil, cmp.Or(err, usagef("there is no experiment %s in %s yet: want at least one player spec to begin it", name, f.store.path))
	} else if err := blind(entrants, f.spawn.SpawnRule); !there && err != nil {
		return nil, nil, err
	}
	s, err := f.store.open(true)
	if err != nil {
		return nil, nil, err
	}
	x := &experimenting{cmd: cmd, store: s, workers: f.workers, anyVersion: f.anyVersion, makers: map[string]player.Maker{}, games: map[string][]arena.Game{}}
	for _, e := range entrants {
		x.makers[e.identity] = e.Maker
	}
	x.experiment, err = s.Experiment(cmd.Context(), name)
	switch {
	case errors.Is(err, store.ErrUnknown):
		err = x.create(name, entrants, f, games)
	case err == nil:
		err = x.extend(entrants, f, games)
	}
	if err != nil {
		_ = s.Close()
		return nil, nil, storeError(err)
	}
	return x, entrants, nil
}

// entrant is a player that was read from a spec.
type entrant struct {
	player.Maker
	identity string
}

func (e *entrant) stored() store.Player {
	return store.Player{
		Spec: e.Spec, Identity: e.identity, Versions: []string{programVersion()}, Foresees: e.Foresees, TimeLimited: e.TimeLimited,
	}
}

// experimenting is an experiment of the store that is being played.
type experimenting struct {
	cmd        *cobra.Command
	store      *store.Store
	workers    int
	anyVersion bool
	more       func() string // another line of the progress, if any

	experiment *store.Experiment
	spawn      player.SpawnRule
	makers     map[string]player.Maker // by identity
	games      map[string][]arena.Game // the same; all that were kept, in no order
}

// played are the games of all players, ascending; they need not be read again.
func (x *experimenting) played() [][]arena.Game {
	all := make([][]arena.Game, len(x.experiment.Players))
	for i, p := range x.experiment.Players {
		games := x.games[p.Identity]
		slices.SortStableFunc(games, func(a, b arena.Game) int { return cmp.Compare(a.Index, b.Index) })
		// The first one of a game that came twice is the one that was kept.
		all[i] = slices.CompactFunc(games, func(a, b arena.Game) bool { return a.Index == b.Index })
	}
	return all
}

// player is the player of an identity.
func (x *experimenting) player(identity string) *store.Player {
	for i := range x.experiment.Players {
		if p := &x.experiment.Players[i]; p.Identity == identity {
			return p
		}
	}
	return nil
}

// blind refuses players that know tiles to come which nobody can know.
func blind(entrants []entrant, spawn player.SpawnRule) error {
	for _, e := range entrants {
		if e.Foresees && !spawn.Random {
			return usagef("%s knows the tiles to come, which takes --spawn random, not %s", e.Spec, spawn.Spec)
		}
	}
	return nil
}

func (x *experimenting) create(name string, entrants []entrant, f *arenaRunFlags, games int) error {
	if len(entrants) == 0 {
		return usagef("there is no experiment %s in %s yet: want at least one player spec to begin it", name, x.store.Path())
	}
	x.spawn = f.spawn.SpawnRule
	rule, err := identity(f.spawn.Spec)
	if err := cmp.Or(usage(err), blind(entrants, x.spawn)); err != nil {
		return err
	}
	x.experiment = &store.Experiment{Name: name, Games: games, Setup: arena.Setup{
		Size: f.size.Size, Spawn: f.spawn.Spec, SpawnIdentity: rule, Seed: f.seed.value, Until: int64(f.until),
	}}
	for _, e := range entrants {
		x.experiment.Players = append(x.experiment.Players, e.stored())
	}
	return x.store.Create(x.cmd.Context(), x.experiment)
}

// extend adds games and players to an experiment that is there.
func (x *experimenting) extend(entrants []entrant, f *arenaRunFlags, games int) error {
	e := x.experiment
	if err := f.same(x.cmd, e); err != nil {
		return err
	}
	var err error
	if x.spawn, err = player.ParseSpawner(e.Setup.Spawn, caps); err != nil {
		return usagef("%s: %w", e.Name, err)
	}
	if err := cmp.Or(blind(entrants, x.spawn), unchanged(e, "its spawn rule", e.Setup.Spawn, e.Setup.SpawnIdentity)); err != nil {
		return err
	}
	var fresh []store.Player
	for _, n := range entrants {
		if x.player(n.identity) == nil {
			fresh = append(fresh, n.stored())
		}
	}
	if !x.cmd.Flags().Changed("games") {
		games = 0 // as before
	}
	return x.store.Extend(x.cmd.Context(), e, games, fresh)
}

// admit makes a player of the store ready to play: if it has played, it must be what
// it was.
func (x *experimenting) admit(ctx context.Context, p *store.Player, played bool) error {
	m, err := player.Parse(p.Spec, caps)
	if err != nil {
		return usagef("%s: %w", x.experiment.Name, err)
	}
	if err := unchanged(x.experiment, "player "+p.Spec, p.Spec, p.Identity); err != nil {
		return err
	}
	x.makers[p.Identity] = m
	version := programVersion()
	if played && !slices.Contains(p.Versions, version) && !x.anyVersion {
		return usagef("%s: games of %s were played by version %s, and this is %s, which may play otherwise:\n"+
			"begin another experiment, or say --any-version", x.experiment.Name, p.Spec, strings.Join(p.Versions, ", "), version)
	}
	return x.store.Played(ctx, p, version)
}

// unchanged tells whether a spec stands for what it stood for.
func unchanged(e *store.Experiment, what, spec, before string) error {
	now, err := identity(spec)
	if err != nil {
		return usagef("%s: %w", e.Name, err)
	}
	if now != before {
		return usagef("%s: a file that %s names has other contents now: bring the old ones back, or begin another experiment", e.Name, what)
	}
	return nil
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
		missing := arena.Gaps(arena.Ranges(have), games)
		if len(missing) > 0 {
			if err := x.admit(ctx, p, len(have) > 0); err != nil {
				return err
			}
		}
		tally := view.player(p, have, games)
		plan.Add(arena.Chunk{Setup: x.experiment.Setup, Player: p.Spec, Identity: p.Identity, Version: programVersion()}, missing, tally.games, tally.elapsed)
	}
	if plan.Left() == 0 {
		return nil
	}
	q := queue.New(queue.Options{})
	conductor := &arena.Conductor{Queue: q, Plan: plan, Keep: func(c *arena.Chunk, games []arena.Recorded) error {
		p := x.player(c.Identity)
		// What was finished is kept also while the program is being stopped.
		if err := x.store.Keep(context.WithoutCancel(ctx), p.ID, games); err != nil {
			return err
		}
		for i := range games {
			x.games[c.Identity] = append(x.games[c.Identity], games[i].Game)
		}
		return view.add(p, games, observe)
	}}
	view.begin()
	defer view.end()
	return conductor.RunHere(ctx, arena.Worker{Queue: q, Seat: x.seat}, x.workers)
}

// seat is what a worker needs to play a chunk here.
func (x *experimenting) seat(c *arena.Chunk) (arena.Seat, error) {
	m, ok := x.makers[c.Identity]
	if !ok {
		return arena.Seat{}, fmt.Errorf("%s is no player of %s", c.Player, x.experiment.Name)
	}
	return arena.Seat{New: func() (player.Player, error) { return m.New(), nil }, Spawn: x.spawn}, nil
}
