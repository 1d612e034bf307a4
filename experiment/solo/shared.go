package solo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
)

// Locker lets one store at a time play an experiment, of all that share a Keeper.
type Locker interface {
	// Lock takes the lock of a name and returns a function that releases it, or returns ErrLocked while
	// another store has the lock. The end of a store's program, also a crash, releases its locks.
	Lock(name string) (release func(), err error)
	// Locked returns the names of all locks that are taken, by this store or others.
	Locked() ([]string, error)
}

// ErrLocked is the error of a Locker when another store has the lock.
var ErrLocked = errors.New("another store has the lock")

// The first words of keys of stored values: names have no spaces.
const (
	experimentWord = "experiment "
	batchWord      = "games "
)

func experimentKey(name string) string { return experimentWord + name }

func batchPrefix(name string) string { return batchWord + name + " " }

func batchKey(name string, player int, first uint64) string {
	return fmt.Sprintf("%s%d %d", batchPrefix(name), player, first)
}

// lockName returns the name of an experiment's lock. The time distinguishes it from removed experiments of
// the same name, which other stores may not have stopped yet.
func (k *kept) lockName() string {
	return experimentKey(k.Name) + " " + k.Created.UTC().Format(time.RFC3339Nano)
}

// lock takes the lock of an experiment.
func (s *Store) lock(k *kept) (release func(), err error) {
	if s.locks == nil {
		return func() {}, nil
	}
	release, err = s.locks.Lock(k.lockName())
	switch {
	case errors.Is(err, ErrLocked):
		return nil, otherPlays(k.Name)
	case err != nil:
		return nil, fmt.Errorf("%q cannot be locked: %w", k.Name, err)
	}
	return release, nil
}

// otherPlays returns the error for an experiment that another store plays.
func otherPlays(name string) error {
	return fmt.Errorf("another tab of this browser plays %q: wait for its end, or stop it there", name)
}

// Lock lets this store play an experiment, with all games that were stored before, until release is called. One
// that another store plays is an error.
func (s *Store) Lock(e *arena.Plan) (release func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, err := s.find(e)
	if err != nil {
		return nil, err
	}
	if k.release == nil {
		release, err := s.lock(k)
		if err != nil {
			return nil, err
		}
		// The store that had the lock before may have stored games.
		if err = s.refresh(); err == nil {
			_, err = s.find(e)
		}
		if err != nil {
			release()
			return nil, err
		}
		k.release, k.playedByOther = release, false
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		k.release()
		k.release = nil
	}, nil
}

// PlayedByOther returns why an experiment cannot be played or stopped here: another store played it when
// Experiments was called last. Otherwise it is nil.
func (s *Store) PlayedByOther(e *arena.Plan) (err error) {
	_ = s.read(e, func(k *kept) { // one that was removed is played nowhere
		if k.playedByOther {
			err = otherPlays(e.Name)
		}
	})
	return err
}

// refresh reads what other stores have kept since the last time, and which experiments they play. The
// caller holds the lock.
func (s *Store) refresh() error {
	// An experiment that is begun or stopped during the loading counts as played: otherwise it would be
	// listed as stopped before its last games are there, or while the first ones are played.
	locked := map[string]bool{}
	if err := s.addLocked(locked); err != nil {
		return err
	}
	for again := true; again; {
		values, err := s.keeper.Load(s.missing())
		if err == nil {
			again, err = s.merge(values)
		}
		if err != nil {
			return err
		}
	}
	if err := s.addLocked(locked); err != nil {
		return err
	}
	for _, k := range s.all {
		k.playedByOther = k.release == nil && locked[k.lockName()]
	}
	return nil
}

// addLocked adds the names of the locks that are taken.
func (s *Store) addLocked(names map[string]bool) error {
	if s.locks == nil {
		return nil
	}
	all, err := s.locks.Locked()
	if err != nil {
		return fmt.Errorf("locks cannot be read: %w", err)
	}
	for _, name := range all {
		names[name] = true
	}
	return nil
}

// missing returns the prefixes of keys whose values may be new: all experiments, and the games of those that
// only other stores may play; and the keys of those games that are known.
func (s *Store) missing() (prefixes, known []string) {
	prefixes = []string{experimentKey("")}
	for _, k := range s.all {
		if k.release != nil || k.complete() {
			continue
		}
		prefixes = append(prefixes, batchPrefix(k.Name))
		known = slices.AppendSeq(known, maps.Keys(k.batches))
	}
	return prefixes, known
}

// merge adds and removes experiments so that they are those of the loaded values, which were stored at one
// time, and adds the games. It returns true if there are new experiments, whose games have not been loaded.
func (s *Store) merge(values map[string][]byte) (more bool, err error) {
	for _, k := range slices.Clone(s.all) {
		if !bytes.Equal(values[experimentKey(k.Name)], k.stored) {
			s.forget(k)
		}
	}
	for key, value := range values {
		if !strings.HasPrefix(key, experimentWord) {
			continue
		}
		var e arena.Plan
		err := json.Unmarshal(value, &e)
		if err == nil && experimentKey(e.Name) != key {
			err = fmt.Errorf("its name is %q", e.Name)
		}
		if err != nil {
			return false, fmt.Errorf("the stored %s is damaged: %w", key, err)
		}
		if s.named(e.Name) == nil {
			s.all, more = append(s.all, s.made(e, value)), true
		}
	}
	slices.SortFunc(s.all, func(a, b *kept) int { return a.Created.Compare(b.Created) })
	for key, value := range values {
		if !strings.HasPrefix(key, batchWord) {
			continue
		}
		var b batch
		if err := json.Unmarshal(value, &b); err != nil {
			return false, fmt.Errorf("the stored %s are damaged: %w", key, err)
		}
		if k := s.named(b.Experiment); k != nil && k.release == nil && b.Player < len(k.games) {
			k.add(key, b.Player, b.Games)
		}
	}
	return more, nil
}
