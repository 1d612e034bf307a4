package solo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"afterstate/arena"
)

// Locker lets one runner at a time play an experiment, of all that share a Keeper.
type Locker interface {
	// Lock takes the lock of a name and returns a function that releases it, or returns ErrLocked while
	// another runner has the lock. The end of a runner's program, also a crash, releases its locks.
	Lock(name string) (release func(), err error)
	// Locked returns the names of all locks that are taken, by this runner or others.
	Locked() ([]string, error)
}

// ErrLocked is the error of a Locker when another runner has the lock.
var ErrLocked = errors.New("another runner has the lock")

// elsewhere returns the error for an experiment that another runner plays.
func elsewhere(name string) error {
	return fmt.Errorf("another tab of this browser plays %q: wait for its end, or stop it there", name)
}

// lockName returns the name of an experiment's lock. The time distinguishes it from removed experiments of
// the same name, which other runners may not have stopped yet.
func (e *kept) lockName() string {
	return experimentKey(e.Name) + " " + e.Created.UTC().Format(time.RFC3339Nano)
}

// lock takes the lock of an experiment; e.release releases it.
func (r *Runner) lock(e *kept) (err error) {
	e.release = func() {}
	if r.o.Locks == nil {
		return nil
	}
	release, err := r.o.Locks.Lock(e.lockName())
	switch {
	case errors.Is(err, ErrLocked):
		return elsewhere(e.Name)
	case err != nil:
		return fmt.Errorf("%q cannot be locked: %w", e.Name, err)
	}
	e.release = release
	return nil
}

// refresh reads what other runners have stored since the last time, and which experiments they play. The
// caller holds the lock.
func (r *Runner) refresh() error {
	// An experiment that is begun or stopped during the loading counts as played: otherwise it would be
	// listed as stopped before its last games are there, or while the first ones are played.
	locked := map[string]bool{}
	if err := r.addLocked(locked); err != nil {
		return err
	}
	for again := true; again; {
		values, err := r.o.Keeper.Load(r.missing())
		if err == nil {
			again, err = r.merge(values)
		}
		if err != nil {
			return err
		}
	}
	if err := r.addLocked(locked); err != nil {
		return err
	}
	for _, e := range r.all {
		if e.elsewhere = e.stop == nil && locked[e.lockName()]; e.elsewhere {
			e.err = ""
		}
	}
	return nil
}

// addLocked adds the names of the locks that are taken.
func (r *Runner) addLocked(names map[string]bool) error {
	if r.o.Locks == nil {
		return nil
	}
	all, err := r.o.Locks.Locked()
	if err != nil {
		return fmt.Errorf("locks cannot be read: %w", err)
	}
	for _, name := range all {
		names[name] = true
	}
	return nil
}

// missing returns the prefixes of keys whose values may be new: all experiments, and the games of those that
// only other runners may play; and the keys of those games that are known.
func (r *Runner) missing() (prefixes, known []string) {
	prefixes = []string{experimentKey("")}
	for _, e := range r.all {
		if e.stop != nil || e.complete() {
			continue
		}
		prefixes = append(prefixes, batchPrefix(e.Name))
		for key := range e.batches {
			known = append(known, key)
		}
	}
	return prefixes, known
}

// merge adds and removes experiments so that they are those of the loaded values, which were stored at one
// time, and adds the games. It returns true if there are new experiments, whose games have not been loaded.
func (r *Runner) merge(values map[string][]byte) (more bool, err error) {
	r.all = slices.DeleteFunc(r.all, func(e *kept) bool {
		if bytes.Equal(values[experimentKey(e.Name)], e.stored) {
			return false
		}
		if e.stop != nil {
			e.stop(ErrChanged) // it is removed when its player has stopped
		}
		return e.stop == nil
	})
	for key, value := range values {
		if !isExperiment(key) {
			continue
		}
		e := &kept{stored: value}
		err := json.Unmarshal(value, &e.Experiment)
		if err == nil && experimentKey(e.Name) != key {
			err = fmt.Errorf("its name is %q", e.Name)
		}
		if err != nil {
			return false, fmt.Errorf("the stored %s is damaged: %w", key, err)
		}
		if r.find(e.Name) == nil {
			e.empty()
			r.all, more = append(r.all, e), true
		}
	}
	slices.SortFunc(r.all, func(a, b *kept) int { return a.Created.Compare(b.Created) })
	for key, value := range values {
		if !isBatch(key) {
			continue
		}
		var b batch
		if err := json.Unmarshal(value, &b); err != nil {
			return false, fmt.Errorf("the stored %s are damaged: %w", key, err)
		}
		if e := r.find(b.Experiment); e != nil && e.stop == nil && b.Player < len(e.games) {
			e.add(key, b.Player, b.Games)
			e.err = ""
		}
	}
	return more, nil
}

// empty makes an experiment one without games.
func (e *kept) empty() {
	e.games, e.batches = make([][]arena.Recorded, len(e.Players)), map[string]bool{}
}
