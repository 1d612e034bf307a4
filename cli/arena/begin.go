package arena

import (
	"cmp"
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/flags"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/store"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// config returns the common configuration of experiments of this program.
func (f *runFlags) config() *experiment.Config {
	return &experiment.Config{Capabilities: program.Capabilities, Identity: program.Identity, Program: program.This(), AnyVersion: f.anyVersion}
}

// entrants parses the specs of players for boards of a size. A program that fails is no bad input.
func (f *runFlags) entrants(ctx context.Context, specs []string, size board.Size) ([]experiment.Entrant, error) {
	all, err := f.config().Entrants(ctx, specs, size)
	if player.Forfeited(ctx, err) != nil || ctx.Err() != nil {
		return nil, err
	}
	return all, usage.Wrap(err)
}

// setup converts the flags to the setup of games.
func (f *setupFlags) setup() arena.Setup {
	return arena.Setup{
		Size: f.size.Size, Spawn: f.spawn.Spec, Seed: f.seed.Value,
		Stop: f.stop(), Goal: f.goal.Stop != game.Stop{}, Starts: arena.NewStarts(f.boards),
	}
}

// begin opens the store and finds or creates the experiment with the given players. games is the
// number of games of each player; for a match, in which only the given players take part, it is the
// maximum. The caller closes the store.
func (f *runFlags) begin(cmd *cobra.Command, name string, specs []string, games int, match bool) (*store.Store, *experiment.Experiment, []experiment.Entrant, error) {
	if err := cmp.Or(checkExperimentName(name), f.remote.CheckWorkers(f.workers)); err != nil {
		return nil, nil, nil, err
	}
	entrants, err := f.entrants(cmd.Context(), specs, f.size.Size)
	if err != nil {
		return nil, nil, nil, err
	}
	// Do not create a store for an invalid request.
	if there, err := f.store.There(); err != nil || !there && len(entrants) == 0 {
		return nil, nil, nil, cmp.Or(err, f.noPlayers(name))
	} else if err := experiment.CheckForesight(entrants, f.spawn.SpawnRule); !there && err != nil {
		return nil, nil, nil, f.experimentError(name, err)
	}
	s, err := f.store.Open(true)
	if err != nil {
		return nil, nil, nil, err
	}
	x, entrants, err := f.beginIn(cmd, s, name, entrants, games, match)
	if err != nil {
		_ = s.Close()
		return nil, nil, nil, f.experimentError(name, err)
	}
	return s, x, entrants, nil
}

// beginIn finds or creates the experiment in a store. It returns the entrants for the experiment's size.
func (f *runFlags) beginIn(cmd *cobra.Command, s *store.Store, name string, entrants []experiment.Entrant, games int, match bool) (*experiment.Experiment, []experiment.Entrant, error) {
	ctx, config := cmd.Context(), f.config()
	x, err := config.Find(ctx, s, name)
	switch {
	case errors.Is(err, arena.ErrUnknown):
		if match {
			games = 0 // a match may end early
		}
		x, err = config.Begin(ctx, s, &arena.Plan{Name: name, Games: games, Setup: f.setup()}, entrants)
		return x, entrants, err
	case err != nil:
		return nil, nil, err
	}
	if err := f.same(cmd, x.Stored); err != nil {
		return nil, nil, err
	}
	if size := x.Stored.Setup.Size; size != f.size.Size { // --size was not given
		var specs []string
		for i := range entrants {
			specs = append(specs, entrants[i].Spec)
		}
		if entrants, err = f.entrants(ctx, specs, size); err != nil {
			return nil, nil, err
		}
	}
	if !match && !cmd.Flags().Changed("games") && f.start == "" {
		games = x.Stored.Games
	}
	return x, entrants, x.Extend(ctx, experiment.Extension{Entrants: entrants, Games: games, Match: match})
}

func (f *runFlags) noPlayers(name string) error {
	return usage.Errorf("there is no experiment %s in %s yet: want at least one player spec to begin it", name, f.store.Path)
}

// experimentError marks errors that the user can correct, and names the flags that help.
func (f *runFlags) experimentError(name string, err error) error {
	var r *experiment.RefusalError
	if !errors.As(err, &r) {
		return flags.StoreError(err)
	}
	switch r.Reason {
	case experiment.NoPlayers:
		return f.noPlayers(name)
	case experiment.OtherProgram:
		return usage.Errorf("%w:\nbegin another experiment, or say --any-version", err)
	}
	return usage.Wrap(err)
}
