package cli

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"afterstate/arena"
	"afterstate/arena/store"
	"afterstate/player"
	"afterstate/player/catalog"
)

// begin opens the store and finds or makes the experiment, in which the players take
// part. So many games are wanted of each player, or of a match, where only the players
// named play, at most. The caller closes the store.
func (f *arenaRunFlags) begin(cmd *cobra.Command, name string, specs []string, games int, match bool) (*experimenting, []entrant, error) {
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
	s, err := f.store.open(cmd, true)
	if err != nil {
		return nil, nil, err
	}
	x := &experimenting{cmd: cmd, store: s, workers: f.workers, anyVersion: f.anyVersion, makers: map[string]catalog.Maker{}, games: map[string][]arena.Game{}}
	for _, e := range entrants {
		x.makers[e.identity] = e.Maker
	}
	x.experiment, err = s.Experiment(cmd.Context(), name)
	switch {
	case errors.Is(err, store.ErrUnknown):
		err = x.create(name, entrants, f, games, match)
	case err == nil:
		err = x.extend(entrants, f, games, match)
	}
	if err != nil {
		_ = s.Close()
		return nil, nil, storeError(err)
	}
	return x, entrants, nil
}

// entrant is a player that was read from a spec.
type entrant struct {
	catalog.Maker
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
	makers     map[string]catalog.Maker // by identity
	games      map[string][]arena.Game  // the same; all that were kept, in no order
	shared     bool                     // some were kept by another process
}

// results are the games of the players that played. They need not be read again,
// unless another process played some of them at the same time.
func (x *experimenting) results(ctx context.Context) (*arena.Results, error) {
	if x.shared {
		return x.store.Results(ctx, x.experiment)
	}
	all := make([][]arena.Game, len(x.experiment.Players))
	for i := range x.experiment.Players {
		p := &x.experiment.Players[i]
		all[i] = x.games[p.Identity]
		slices.SortFunc(all[i], func(a, b arena.Game) int { return cmp.Compare(a.Index, b.Index) })
		_ = x.store.KeepFigures(ctx, p, all[i]) // it only saves time later
	}
	return x.experiment.Results(all), nil
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

func (x *experimenting) create(name string, entrants []entrant, f *arenaRunFlags, games int, match bool) error {
	if match {
		games = 0
	}
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

// extend adds games and players to an experiment that is there, unless something of
// it is not what it was.
func (x *experimenting) extend(entrants []entrant, f *arenaRunFlags, games int, match bool) error {
	ctx, e := x.cmd.Context(), x.experiment
	if err := f.same(x.cmd, e); err != nil {
		return err
	}
	var err error
	if x.spawn, err = catalog.ParseSpawner(e.Setup.Spawn, caps); err != nil {
		return usagef("%s: %w", e.Name, err)
	}
	if err := cmp.Or(blind(entrants, x.spawn), unchanged(e, "its spawn rule", e.Setup.Spawn, e.Setup.SpawnIdentity)); err != nil {
		return err
	}
	if !match && !x.cmd.Flags().Changed("games") {
		games = e.Games
	}
	counts, err := x.store.Count(ctx, e)
	if err != nil {
		return err
	}
	var playing []*store.Player
	var fresh []store.Player
	for i := range e.Players {
		p := &e.Players[i]
		named := slices.ContainsFunc(entrants, func(n entrant) bool { return n.identity == p.Identity })
		if counts[i] < max(games, e.Games) && (named || !match) {
			if err := x.admit(p, counts[i] > 0); err != nil {
				return err
			}
			playing = append(playing, p)
		}
	}
	for _, n := range entrants {
		if x.player(n.identity) == nil {
			fresh = append(fresh, n.stored())
		}
	}
	for _, p := range playing {
		if err := x.store.Played(ctx, e, p, programVersion()); err != nil {
			return err
		}
	}
	if match {
		games = 0 // it may end before
	}
	return x.store.Extend(ctx, e, games, fresh)
}

// admit makes a player of the store ready to play: if it has played, it must be what
// it was.
func (x *experimenting) admit(p *store.Player, played bool) error {
	m, err := catalog.Parse(p.Spec, caps)
	if err != nil {
		return usagef("%s: %w", x.experiment.Name, err)
	}
	if err := unchanged(x.experiment, "player "+p.Spec, p.Spec, p.Identity); err != nil {
		return err
	}
	x.makers[p.Identity] = m
	if version := programVersion(); played && !slices.Contains(p.Versions, version) && !x.anyVersion {
		return usagef("%s: games of %s were played by version %s, and this is %s, which may play otherwise:\n"+
			"begin another experiment, or say --any-version", x.experiment.Name, p.Spec, strings.Join(p.Versions, ", "), version)
	}
	return nil
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
