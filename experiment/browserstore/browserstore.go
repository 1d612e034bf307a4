// Package browserstore stores experiments in a browser, which has no files for package experiment/store. It
// keeps all experiments in memory, and saves changes with a [Keeper].
//
//	s, err := browserstore.Open(keeper)
//	runner := experiment.NewRunner(experiment.RunnerOptions{Open: func(bool) (experiment.Store, error) { return s, nil }, Browser: true})
//
// Only one Store at a time may use a Keeper. The site ensures that only one tab of a browser opens the store.
package browserstore

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/each"
)

// Keeper stores values permanently, by key. Each method is atomic.
type Keeper interface {
	// Save stores a value, or replaces it.
	Save(key string, value []byte) error
	// Remove removes the value stored under key, and all values whose keys begin with prefix.
	Remove(key, prefix string) error
	// Load returns all values whose keys begin with a prefix.
	Load(prefix string) (map[string][]byte, error)
}

// Keys of stored values begin with one of these words. The parts of a key are separated by spaces; names of
// experiments contain no spaces.
const (
	experimentWord = "experiment "
	batchWord      = "games "
)

func experimentKey(name string) string { return experimentWord + name }

func batchPrefix(name string) string { return batchWord + name + " " }

func batchKey(name string, player int, first uint64) string {
	return fmt.Sprintf("%s%d %d", batchPrefix(name), player, first)
}

// Store keeps experiments. It is safe for concurrent use.
type Store struct {
	keeper Keeper

	mu   sync.Mutex
	last int64     // the last ID that was assigned
	all  []*stored // in order of creation
}

// stored is an experiment with its games.
type stored struct {
	arena.Plan
	games [][]arena.Recorded // finished games by player, in the order in which they finished
	at    []map[uint64]int   // positions in games by player and number of the game
}

// batch is the stored form of the games of one call of Store.Keep.
type batch struct {
	Experiment string           `json:"experiment"`
	Player     int              `json:"player"` // index of the player, from 0
	Games      []arena.Recorded `json:"games"`
}

// Open returns a store with the experiments that the keeper holds.
func Open(k Keeper) (*Store, error) {
	s := &Store{keeper: k}
	experiments, err := k.Load(experimentWord)
	if err != nil {
		return nil, err
	}
	for key, value := range experiments {
		var e arena.Plan
		err := json.Unmarshal(value, &e)
		if err == nil && experimentKey(e.Name) != key {
			err = fmt.Errorf("its name is %q", e.Name)
		}
		if err != nil {
			return nil, fmt.Errorf("the stored %s is damaged: %w", key, err)
		}
		s.all = append(s.all, s.made(e))
	}
	slices.SortFunc(s.all, func(a, b *stored) int { return a.Created.Compare(b.Created) })
	batches, err := k.Load(batchWord)
	if err != nil {
		return nil, err
	}
	for key, value := range batches {
		var b batch
		if err := json.Unmarshal(value, &b); err != nil {
			return nil, fmt.Errorf("the stored %s are damaged: %w", key, err)
		}
		if k := s.named(b.Experiment); k != nil && b.Player < len(k.games) {
			k.add(b.Player, b.Games)
		}
	}
	return s, nil
}

// Path returns "": a browser has only one store.
func (s *Store) Path() string { return "" }

// Close does nothing: every change is already stored.
func (s *Store) Close() error { return nil }

// add adds the games that the player does not have yet, and returns their number.
func (k *stored) add(player int, games []arena.Recorded) (fresh int) {
	for _, g := range games {
		if k.game(player, g.Index) == nil {
			k.at[player][g.Index] = len(k.games[player])
			k.games[player] = append(k.games[player], g)
			fresh++
		}
	}
	return fresh
}

// game returns the player's game with this number; nil if it is not stored.
func (k *stored) game(player int, index uint64) *arena.Recorded {
	if at, ok := k.at[player][index]; ok {
		return &k.games[player][at]
	}
	return nil
}

// named returns the experiment with this name; nil if there is none. The caller holds the lock.
func (s *Store) named(name string) *stored {
	if i := slices.IndexFunc(s.all, func(k *stored) bool { return k.Name == name }); i >= 0 {
		return s.all[i]
	}
	return nil
}

// find returns the stored experiment e. If it was removed, the error is arena.ErrRemoved. The caller holds
// the lock.
func (s *Store) find(e *arena.Plan) (*stored, error) {
	if k := s.named(e.Name); k != nil && k.Same(e) {
		return k, nil
	}
	return nil, fmt.Errorf("%w: %s", arena.ErrRemoved, e.Name)
}

// read holds the lock while it calls do with the stored experiment e. If the experiment was
// removed, the error is arena.ErrRemoved.
func (s *Store) read(e *arena.Plan, do func(k *stored)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, err := s.find(e)
	if err == nil {
		do(k)
	}
	return err
}

// copied returns a copy of the plan that later changes to the store do not affect.
func (k *stored) copied() arena.Plan {
	e := k.Plan
	e.Players = slices.Clone(e.Players)
	return e
}

// Experiments returns all experiments, newest last.
func (s *Store) Experiments(context.Context) (all []arena.Plan, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return each.Of(s.all, (*stored).copied), nil
}

// Experiment returns the experiment with this name. If there is none, the error is arena.ErrUnknown.
func (s *Store) Experiment(_ context.Context, name string) (*arena.Plan, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k := s.named(name); k != nil {
		e := k.copied()
		return &e, nil
	}
	return nil, fmt.Errorf("%w: %s", arena.ErrUnknown, name)
}

// Create adds an experiment.
func (s *Store) Create(_ context.Context, e *arena.Plan) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.named(e.Name) != nil {
		return fmt.Errorf("%w: %s", arena.ErrExists, e.Name)
	}
	e.Created = time.Now()
	for i := range e.Players {
		e.Players[i].Number = i + 1
	}
	if err := s.save(experimentKey(e.Name), e); err != nil {
		return err
	}
	k := s.made(*e)
	s.all = append(s.all, k)
	*e = k.copied()
	return nil
}

// save stores a value as JSON.
func (s *Store) save(key string, value any) error {
	text, err := json.Marshal(value)
	if err == nil {
		err = s.keeper.Save(key, text)
	}
	if err != nil {
		return fmt.Errorf("%s cannot be stored: %w", key, err)
	}
	return nil
}

// made returns a new experiment for the plan e, with an ID and without games.
func (s *Store) made(e arena.Plan) *stored {
	s.last++
	e.ID = s.last
	k := &stored{Plan: e}
	k.grow()
	return k
}

// grow adds an empty list of games for each new player of the plan.
func (k *stored) grow() {
	for len(k.games) < len(k.Players) {
		k.games, k.at = append(k.games, nil), append(k.at, map[uint64]int{})
	}
}

// change stores the definition of an experiment after do has changed it.
func (s *Store) change(e *arena.Plan, do func()) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, err := s.find(e)
	if err != nil {
		return err
	}
	do()
	if err := s.save(experimentKey(e.Name), e); err != nil {
		return err
	}
	k.Plan = *e
	k.Plan = k.copied()
	k.grow()
	return nil
}

// Extend raises the number of games to at least games, and adds players.
func (s *Store) Extend(_ context.Context, e *arena.Plan, games int, players []arena.Player) error {
	return s.change(e, func() {
		e.Games = max(e.Games, games)
		for _, p := range players {
			p.Number = len(e.Players) + 1
			e.Players = append(e.Players, p)
		}
	})
}

// RecordVersion stores that a version of the program plays games for a player.
func (s *Store) RecordVersion(_ context.Context, e *arena.Plan, p *arena.Player, version, signature string) error {
	if p.Played(version, signature) {
		return nil
	}
	return s.change(e, func() { p.Versions, p.Signatures = append(p.Versions, version), append(p.Signatures, signature) })
}

// Remove removes an experiment with all its games.
func (s *Store) Remove(_ context.Context, e *arena.Plan) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, err := s.find(e)
	if err != nil {
		return nil
	}
	if err := s.keeper.Remove(experimentKey(k.Name), batchPrefix(k.Name)); err != nil {
		return fmt.Errorf("%q cannot be removed: %w", k.Name, err)
	}
	s.all = slices.DeleteFunc(s.all, func(other *stored) bool { return other == k })
	return nil
}

// UntilRemoved returns ctx: only the runner of this store removes experiments, and it stops them itself.
func (s *Store) UntilRemoved(ctx context.Context, _ *arena.Plan) (context.Context, func()) {
	return ctx, func() {}
}

// Keep stores finished games of a player.
func (s *Store) Keep(_ context.Context, e *arena.Plan, p *arena.Player, games []arena.Recorded) (fresh int, err error) {
	if len(games) == 0 {
		return 0, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	k, err := s.find(e)
	if err != nil {
		return 0, err
	}
	if err := s.save(batchKey(e.Name, p.Number-1, games[0].Index), batch{e.Name, p.Number - 1, games}); err != nil {
		return 0, err
	}
	return k.add(p.Number-1, games), nil
}

// Count returns the number of stored games of each player.
func (s *Store) Count(_ context.Context, e *arena.Plan) (counts []int, err error) {
	err = s.read(e, func(k *stored) { counts = each.Of(k.games, func(games []arena.Recorded) int { return len(games) }) })
	return counts, err
}

// sorted returns a player's games, sorted by number.
func (s *Store) sorted(e *arena.Plan, p *arena.Player) (games []arena.Recorded, err error) {
	err = s.read(e, func(k *stored) { games = slices.Clone(k.games[p.Number-1]) })
	// The stable sort has 4 kB less code, which matters because browsers download this package.
	slices.SortStableFunc(games, func(a, b arena.Recorded) int { return cmp.Compare(a.Index, b.Index) })
	return games, err
}

// Games returns the outcomes of a player's games, in the order of their numbers.
func (s *Store) Games(_ context.Context, e *arena.Plan, p *arena.Player) (games []arena.Outcome, err error) {
	all, err := s.sorted(e, p)
	return each.Of(all, func(g arena.Recorded) arena.Outcome { return g.Outcome }), err
}

// AllRecorded yields a player's games with their moves, in the order of their numbers.
func (s *Store) AllRecorded(_ context.Context, e *arena.Plan, p *arena.Player) iter.Seq2[*arena.Recorded, error] {
	return func(yield func(*arena.Recorded, error) bool) {
		all, err := s.sorted(e, p)
		if err != nil {
			yield(nil, err)
			return
		}
		for i := range all {
			if !yield(&all[i], nil) {
				return
			}
		}
	}
}

// Recorded returns the player's game with this number and its moves.
func (s *Store) Recorded(_ context.Context, e *arena.Plan, p *arena.Player, index uint64) (r *arena.Recorded, err error) {
	err = s.read(e, func(k *stored) {
		if g := k.game(p.Number-1, index); g != nil {
			found := *g
			r = &found
		}
	})
	if err == nil && r == nil {
		err = fmt.Errorf("game %d of %s has not been played", index, p.Spec)
	}
	return r, err
}
