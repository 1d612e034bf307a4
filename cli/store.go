package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"afterstate/arena"
	"afterstate/arena/store"
	"afterstate/experiment"
)

// storeFlag is the store of experiments that a command works on.
type storeFlag struct {
	path  string
	usual bool // path was not given
}

func (f *storeFlag) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.path, "db", "", "the store, a `FILE` (default: experiments.db in $XDG_DATA_HOME/afterstate)")
}

// find chooses the usual place where none was given.
func (f *storeFlag) find() error {
	if f.path != "" {
		return nil
	}
	folder, err := dataFolder("experiments")
	f.path, f.usual = filepath.Join(folder, "experiments.db"), true
	return err
}

// there tells whether there is a store.
func (f *storeFlag) there() (bool, error) {
	if err := f.find(); err != nil {
		return false, err
	}
	_, err := os.Stat(f.path)
	return !errors.Is(err, fs.ErrNotExist), nil
}

// open opens the store; create makes it where there is none. A store that cannot be
// written is opened for reading, unless create is set.
func (f *storeFlag) open(cmd *cobra.Command, create bool) (*store.Store, error) {
	if err := f.find(); err != nil {
		return nil, err
	}
	if !create {
		s, err := store.OpenExisting(f.path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, usagef("there is no store of experiments at %s: arena run makes one", f.path)
		}
		return f.opened(cmd, s, err)
	}
	if folder := filepath.Dir(f.path); f.usual {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return nil, usagef("%s cannot be made: %w", folder, rootCause(err))
		}
	}
	s, err := store.Open(f.path)
	return f.opened(cmd, s, err)
}

// opened tells what was removed from a store when it was opened.
func (f *storeFlag) opened(cmd *cobra.Command, s *store.Store, err error) (*store.Store, error) {
	if err != nil {
		return nil, storeError(err)
	}
	if n := s.Orphans(); n > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: removed %d games of experiments that had been removed while they were played\n", f.path, n)
	}
	return s, nil
}

// openIfThere opens the store, or makes it, or answers nil where there is none.
func (f *storeFlag) openIfThere(cmd *cobra.Command, create bool) (*store.Store, error) {
	there, err := f.there()
	if err != nil || !there && !create {
		return nil, err
	}
	return f.open(cmd, !there)
}

// storeError marks those errors of stores that are the user's to mend.
func storeError(err error) error {
	for _, kind := range []error{store.ErrNoStore, store.ErrNewer, store.ErrUnknown, store.ErrExists} {
		if errors.Is(err, kind) {
			return usage(err)
		}
	}
	return err
}

// finding opens the store and an experiment in it; the caller closes the store.
func (f *storeFlag) finding(cmd *cobra.Command, name string) (*store.Store, *store.Experiment, error) {
	s, err := f.open(cmd, false)
	if err != nil {
		return nil, nil, err
	}
	e, err := findExperiment(cmd.Context(), s, name)
	if err != nil {
		_ = s.Close()
		return nil, nil, err
	}
	return s, e, nil
}

// findExperiment is the experiment of a name, or an error that suggests another one.
func findExperiment(ctx context.Context, s *store.Store, name string) (*store.Experiment, error) {
	e, err := s.Experiment(ctx, name)
	if !errors.Is(err, store.ErrUnknown) {
		return e, storeError(err)
	}
	all, listed := s.Experiments(ctx)
	if listed != nil {
		return nil, listed
	}
	var names []string
	for _, e := range all {
		names = append(names, e.Name)
	}
	if len(names) == 0 {
		return nil, usagef("%w: there are none", err)
	}
	return nil, usagef("%w: %s", err, suggest(name, names))
}

const seatHelp = `EXPERIMENT/PLAYER, where PLAYER is a spec or its number in arena show; an
experiment of one player needs no PLAYER`

// findPlayer is a player of an experiment, by its number or spec; "" is the only one.
func findPlayer(e *store.Experiment, which string) (*store.Player, error) {
	if which == "" && len(e.Players) == 1 {
		return &e.Players[0], nil
	}
	number, err := strconv.Atoi(which)
	var specs []string
	for i := range e.Players {
		p := &e.Players[i]
		if p.Spec == which || err == nil && p.Number == number {
			return p, nil
		}
		specs = append(specs, fmt.Sprintf("%d (%s)", p.Number, p.Spec))
	}
	if which == "" {
		return nil, usagef("%s has %d players: want one of them, as in %s/1: %s", e.Name, len(e.Players), e.Name, strings.Join(specs, ", "))
	}
	return nil, usagef("%s has no player %s: want %s", e.Name, which, strings.Join(specs, ", "))
}

// placed is a player in the store.
type placed struct {
	experiment *store.Experiment
	player     *store.Player
}

func (p placed) String() string { return p.experiment.Name + "/" + p.player.Spec }

// findPlaced reads EXPERIMENT/PLAYER.
func findPlaced(ctx context.Context, s *store.Store, text string) (placed, error) {
	name, which, _ := strings.Cut(text, "/")
	e, err := findExperiment(ctx, s, name)
	if err != nil {
		return placed{}, err
	}
	p, err := findPlayer(e, which)
	return placed{e, p}, err
}

// findGame is a game, by EXPERIMENT/PLAYER/NUMBER or EXPERIMENT/NUMBER.
func findGame(ctx context.Context, s *store.Store, text string) (placed, *arena.Recorded, error) {
	cut := strings.LastIndexByte(text, '/')
	number, err := strconv.ParseUint(text[cut+1:], 10, 64)
	if cut < 0 || err != nil {
		return placed{}, nil, usagef("game %q: want EXPERIMENT/PLAYER/NUMBER such as first/greedy/0", text)
	}
	p, err := findPlaced(ctx, s, text[:cut])
	if err != nil {
		return placed{}, nil, err
	}
	r, err := s.Recorded(ctx, p.experiment, p.player, number)
	return p, r, storeError(err)
}

// identity is what a spec stands for now: files by their contents.
func identity(spec string) (string, error) { return experiment.Identity(spec, checkpointOf) }

// again is the flag to be given again for the same store.
func (f *storeFlag) again() string {
	if f.usual {
		return ""
	}
	return " --db " + f.path
}

// skipFlag is what a command does about damaged games.
type skipFlag struct{ skip bool }

func (f *skipFlag) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.skip, "skip-damaged", false, "leave damaged games out and say how many, in place of ending with an error")
}

// results are an experiment's games.
func (f *skipFlag) results(ctx context.Context, s *store.Store, e *store.Experiment) (*arena.Results, error) {
	if f.skip {
		return s.SoundResults(ctx, e)
	}
	r, err := s.Results(ctx, e)
	return r, f.hint(err)
}

// games are a player's games, and how many are left out.
func (f *skipFlag) games(ctx context.Context, s *store.Store, p placed) (games []arena.Game, leftOut int, err error) {
	if f.skip {
		return s.SoundGames(ctx, p.experiment, p.player)
	}
	games, err = s.Games(ctx, p.experiment, p.player)
	return games, 0, f.hint(err)
}

// hint says how to go past damaged games.
func (f *skipFlag) hint(err error) error {
	if errors.As(err, new(*store.Damage)) {
		return fmt.Errorf("%w\ntake a copy of the store from before, or leave such games out with --skip-damaged", err)
	}
	return err
}

// tellLeftOut says how many games of a player were left out.
func tellLeftOut(cmd *cobra.Command, p placed, leftOut int) {
	if leftOut > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "left out: %d damaged games of %v\n", leftOut, p)
	}
}
