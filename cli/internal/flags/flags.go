// Package flags provides flag types that several commands share: sizes in bytes, spawn rules, games,
// and the store of experiments.
package flags

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/store"
	"github.com/afterstate2048/afterstate/internal/inputfile"
	"github.com/afterstate2048/afterstate/internal/xdg"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
)

// Bytes is a flag whose value is a number of bytes. Zero means that the flag is not set.
type Bytes int64

func (b *Bytes) Set(text string) error {
	n, err := humanize.ParseBytes(text)
	if err != nil || n < 1 || n > 1<<40 {
		return fmt.Errorf("%q is not a size: must be bytes, or a number with kB, MB, GB, KiB, MiB or GiB, such as 32MB", text)
	}
	*b = Bytes(n)
	return nil
}

func (b *Bytes) String() string {
	if *b == 0 { // help then shows no default
		return ""
	}
	return strconv.FormatInt(int64(*b), 10)
}

func (b *Bytes) Type() string { return "BYTES" }

// GameRef is a flag whose value is the number of a game, or the ID of a stored game.
type GameRef struct {
	Number uint64
	ID     string
}

func (g *GameRef) Set(text string) error {
	if strings.Contains(text, "/") {
		g.ID = text
		return nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return fmt.Errorf("%q is not a game: must be a whole number, or EXPERIMENT/PLAYER/NUMBER such as first/greedy/0", text)
	}
	g.Number = n
	return nil
}

func (g *GameRef) String() string {
	if g.ID != "" {
		return g.ID
	}
	return strconv.FormatUint(g.Number, 10)
}

func (g *GameRef) Type() string { return "GAME" }

// Spawn is a flag whose value is a spawn rule.
type Spawn struct{ player.SpawnRule }

func (s *Spawn) Set(text string) (err error) {
	s.SpawnRule, err = catalog.ParseSpawner(text, program.Capabilities)
	return err
}

func (s *Spawn) String() string { return s.Spec }

func (s *Spawn) Type() string { return "RULE" }

// Maker parses the spec of a player for games with this spawn rule. It fails if the player needs
// future spawns and the rule is not random.
func (s *Spawn) Maker(spec string) (catalog.Maker, error) {
	m, err := program.Player(spec)
	if err == nil && m.Foresees && !s.Random {
		err = fmt.Errorf("%s knows the coming spawns, which requires --spawn random, not %s", m.Spec, s.Spec)
	}
	return m, usage.Wrap(err)
}

// Help returns the help text for flags of this type.
func (s *Spawn) Help() string { return "how tiles appear: random(p4=0.1), adversary or friendly" }

// Store is the flag --db, which selects the store of experiments.
type Store struct {
	Path      string `flag:"db" help:"the store, a <FILE> (default: experiments.db in $XDG_DATA_HOME/afterstate)"`
	isDefault bool   // Path was not given and is the default
}

// find sets the default path if none was given.
func (f *Store) find() error {
	if f.Path != "" {
		return nil
	}
	folder, err := xdg.Data()
	if err != nil {
		return usage.Errorf("no folder for experiments: %w; set XDG_DATA_HOME to a folder", err)
	}
	f.Path, f.isDefault = filepath.Join(folder, "experiments.db"), true
	return nil
}

// Exists reports whether the store exists.
func (f *Store) Exists() (bool, error) {
	if err := f.find(); err != nil {
		return false, err
	}
	_, err := os.Stat(f.Path)
	return !errors.Is(err, fs.ErrNotExist), nil
}

// Open opens the store. If create is set, it creates a missing store. Without create, a store that
// cannot be written is opened read-only.
func (f *Store) Open(create bool) (*store.Store, error) {
	if err := f.find(); err != nil {
		return nil, err
	}
	open := store.OpenExisting
	if create {
		open = store.Open
		if folder := filepath.Dir(f.Path); f.isDefault {
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return nil, usage.Errorf("%s cannot be created: %w", folder, inputfile.Cause(err))
			}
		}
	}
	s, err := open(f.Path)
	if !create && errors.Is(err, fs.ErrNotExist) {
		return nil, usage.Errorf("there is no store of experiments at %s: arena run creates one", f.Path)
	}
	return s, StoreError(err)
}

// OpenIfExists opens the store. If the store does not exist, OpenIfExists creates it if create is
// set, and otherwise returns nil.
func (f *Store) OpenIfExists(create bool) (experiment.Store, error) {
	exists, err := f.Exists()
	if err != nil || !exists && !create {
		return nil, err
	}
	return f.Open(!exists)
}

// StoreError turns errors about stores into usage errors if the user can correct them. It returns
// other errors unchanged.
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
