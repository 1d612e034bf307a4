package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"afterstate/arena"
	"afterstate/arena/store"
	"afterstate/experiment"
	"afterstate/internal/xdg"
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
	folder, err := xdg.Data()
	if err != nil {
		return usagef("no place for experiments: %w; set XDG_DATA_HOME to a folder", err)
	}
	f.path, f.usual = filepath.Join(folder, "experiments.db"), true
	return nil
}

// there reports whether there is a store.
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
	if errors.As(err, new(*experiment.Refusal)) {
		return usage(err)
	}
	return err
}

// finding opens the store and an experiment in it; the caller closes the store.
func (f *storeFlag) finding(cmd *cobra.Command, name string) (*store.Store, *store.Experiment, error) {
	s, err := f.open(cmd, false)
	if err != nil {
		return nil, nil, err
	}
	e, err := experiment.Lookup(cmd.Context(), s, name)
	if err != nil {
		_ = s.Close()
		return nil, nil, storeError(err)
	}
	return s, e, nil
}

const memberHelp = `EXPERIMENT/PLAYER, where PLAYER is a spec or its number in arena show; an
experiment of one player needs no PLAYER`

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
		return s.UndamagedResults(ctx, e)
	}
	r, err := s.Results(ctx, e)
	return r, f.hint(err)
}

// games are a player's games, and how many are left out.
func (f *skipFlag) games(ctx context.Context, s *store.Store, m experiment.Member) (games []arena.Game, leftOut int, err error) {
	if f.skip {
		return s.UndamagedGames(ctx, m.Experiment, m.Player)
	}
	games, err = s.Games(ctx, m.Experiment, m.Player)
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
func tellLeftOut(cmd *cobra.Command, m experiment.Member, leftOut int) {
	if leftOut > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "left out: %d damaged games of %v\n", leftOut, m)
	}
}
