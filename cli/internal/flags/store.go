package flags

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/store"
	"github.com/afterstate2048/afterstate/internal/inputfile"
	"github.com/afterstate2048/afterstate/internal/xdg"
)

// Store is the flag --db: the store of experiments of a command.
type Store struct {
	Path      string `flag:"db" help:"the store, a <FILE> (default: experiments.db in $XDG_DATA_HOME/afterstate)"`
	isDefault bool   // the default path is used
}

// find sets the default path if none was given.
func (f *Store) find() error {
	if f.Path != "" {
		return nil
	}
	folder, err := xdg.Data()
	if err != nil {
		return usage.Errorf("no place for experiments: %w; set XDG_DATA_HOME to a folder", err)
	}
	f.Path, f.isDefault = filepath.Join(folder, "experiments.db"), true
	return nil
}

// There reports whether the store exists.
func (f *Store) There() (bool, error) {
	if err := f.find(); err != nil {
		return false, err
	}
	_, err := os.Stat(f.Path)
	return !errors.Is(err, fs.ErrNotExist), nil
}

// Open opens the store; create creates a missing one. A store that cannot be written is opened
// read-only, unless create is set.
func (f *Store) Open(create bool) (*store.Store, error) {
	if err := f.find(); err != nil {
		return nil, err
	}
	open := store.OpenExisting
	if create {
		open = store.Open
		if folder := filepath.Dir(f.Path); f.isDefault {
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return nil, usage.Errorf("%s cannot be made: %w", folder, inputfile.Cause(err))
			}
		}
	}
	s, err := open(f.Path)
	if !create && errors.Is(err, fs.ErrNotExist) {
		return nil, usage.Errorf("there is not a store of experiments at %s: arena run makes one", f.Path)
	}
	return s, StoreError(err)
}

// OpenIfThere opens the store. A missing store is created if create is set; otherwise the result is
// nil.
func (f *Store) OpenIfThere(create bool) (experiment.Store, error) {
	there, err := f.There()
	if err != nil || !there && !create {
		return nil, err
	}
	return f.Open(!there)
}

// StoreError marks those errors of stores that the user can correct.
func StoreError(err error) error {
	for _, kind := range []error{store.ErrNoStore, store.ErrVersion, arena.ErrUnknown, arena.ErrExists} {
		if errors.Is(err, kind) {
			return usage.Wrap(err)
		}
	}
	if errors.As(err, new(*experiment.RefusalError)) {
		return usage.Wrap(err)
	}
	return err
}

// Finding opens the store and an experiment in it; the caller closes the store.
func (f *Store) Finding(cmd *cobra.Command, name string) (*store.Store, *arena.Plan, error) {
	s, err := f.Open(false)
	if err != nil {
		return nil, nil, err
	}
	e, err := experiment.Lookup(cmd.Context(), s, name)
	if err != nil {
		_ = s.Close()
		return nil, nil, StoreError(err)
	}
	return s, e, nil
}

// Again returns the flag that selects the same store in another command; none for the default.
func (f *Store) Again() []string {
	if f.isDefault {
		return nil
	}
	return []string{"--db", f.Path}
}
