package solo_test

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/solo"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// shelf is a Keeper in memory.
type shelf struct {
	mu     sync.Mutex
	values map[string][]byte
	full   bool
	saved  func(key string) // called after each Save, unless nil
	loaded []string         // the keys that Load has returned
}

func (s *shelf) Save(key string, value []byte, guard string, want []byte) error {
	err := s.save(key, value, guard, want)
	if err == nil && s.saved != nil {
		s.saved(key)
	}
	return err
}

func (s *shelf) save(key string, value []byte, guard string, want []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.full {
		return errors.New("no room")
	}
	if now, ok := s.values[guard]; ok != (want != nil) || !bytes.Equal(now, want) {
		return solo.ErrChanged
	}
	s.values[key] = slices.Clone(value)
	return nil
}

func (s *shelf) Remove(key string, want []byte, prefix string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.full {
		return errors.New("no room")
	}
	if !bytes.Equal(s.values[key], want) {
		return solo.ErrChanged
	}
	maps.DeleteFunc(s.values, func(k string, _ []byte) bool { return k == key || strings.HasPrefix(k, prefix) })
	return nil
}

// setFull decides whether the shelf fails.
func (s *shelf) setFull(full bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.full = full
}

func (s *shelf) keys() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.values))
}

func (s *shelf) Load(prefixes, known []string) (map[string][]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := maps.Clone(s.values)
	maps.DeleteFunc(found, func(k string, _ []byte) bool {
		return slices.Contains(known, k) || !slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(k, p) })
	})
	s.loaded = append(s.loaded, slices.Sorted(maps.Keys(found))...)
	return found, nil
}

func newRunner(t *testing.T, s *shelf, version string) *experiment.Runner {
	t.Helper()
	return runnerOf(t, s, nil, version, nil)
}

// runnerOf returns a runner as that of the browser's engine.
func runnerOf(t *testing.T, k solo.Keeper, locks solo.Locker, version string, wrap func(player.Player) player.Player) *experiment.Runner {
	t.Helper()
	s, err := solo.Open(k, locks)
	if err != nil {
		t.Fatal(err)
	}
	r := experiment.NewRunner(experiment.RunnerOptions{
		Config: experiment.Config{
			Capabilities: catalog.Capabilities{Networks: catalog.NoNetworks}, Identity: func(spec string) (string, error) { return spec, nil },
		},
		Open:    func(bool) (experiment.Store, error) { return s, nil },
		Version: func(context.Context) (string, error) { return version, nil },
		Browser: true, MaxRunning: 1, Wrap: wrap,
	})
	t.Cleanup(r.Close)
	return r
}

func newShelf() *shelf { return &shelf{values: map[string][]byte{}} }

var small = board.Size{Rows: 3, Cols: 3}

func begin(t *testing.T, r *experiment.Runner, games int, players ...string) string {
	t.Helper()
	name, err := r.Start(t.Context(), &protocol.StartExperiment{Players: players, Games: games, Size: small, Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// until waits until an experiment is as it should be.
func until(t *testing.T, r *experiment.Runner, name string, right func(*protocol.ExperimentResults) bool) *protocol.ExperimentResults {
	t.Helper()
	for end := time.Now().Add(10 * time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		x, err := r.Show(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if right(x) {
			return x
		}
	}
	t.Fatal("it does not happen")
	return nil
}

func ended(x *protocol.ExperimentResults) bool { return !x.Running }

// records returns the records of all games of a player.
func records(t *testing.T, r *experiment.Runner, name string, player int) string {
	t.Helper()
	var all strings.Builder
	for from, more := 0, true; more; {
		part, err := r.Records(t.Context(), &protocol.FindRecords{ExperimentRef: protocol.ExperimentRef{Name: name}, Player: player, From: from})
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString(part.Records)
		from, more = part.Next, part.Next > 0
	}
	return all.String()
}

// The games are those that the player makes in the games of the seed.
func TestGames(t *testing.T) {
	const games = 130 // more than an answer has records
	r := newRunner(t, newShelf(), "1")
	name := begin(t, r, games, "greedy", "random")
	x := until(t, r, name, ended)
	if x.Error != "" || x.Finished != 2*games || len(x.Comparisons) != 1 || x.Report.Players[0].Games != games {
		t.Fatalf("%+v", x)
	}
	lines := strings.SplitAfter(records(t, r, name, 1), "\n")
	if len(lines) != games+1 {
		t.Fatalf("%d records", len(lines)-1)
	}
	maker, err := catalog.Parse("greedy", catalog.Capabilities{})
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range lines[:games] {
		g, err := game.New(game.Options{Size: small, Spawner: game.NewRandom(7, uint64(i), game.P4)})
		if err != nil {
			t.Fatal(err)
		}
		d := player.Driver{Player: maker.New(), Game: g}
		d.Start(7, uint64(i), g)
		for {
			if moved, err := d.Move(t.Context()); err != nil || !moved {
				break
			}
		}
		want, err := record.Of(g, record.Meta{Spawn: record.Random, Seed: 7, Game: uint64(i), P4: game.P4, Player: "greedy"}).MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		if strings.TrimSuffix(line, "\n") != strings.TrimSuffix(string(want), "\n") {
			t.Fatalf("game %d is %s, want %s", i, line, want)
		}
	}
	best, err := r.Games(t.Context(), &protocol.FindGames{ExperimentRef: protocol.ExperimentRef{Name: name}, Player: 2})
	if err != nil || best.Total != games || best.Player != "random" || !slices.IsSortedFunc(best.Games, func(a, b protocol.StoredGame) int { return int(b.Score - a.Score) }) {
		t.Errorf("%+v, %v", best, err)
	}
	one, err := r.Record(t.Context(), &protocol.FindGame{ExperimentRef: protocol.ExperimentRef{Name: name}, Player: 1, Game: 5})
	if err != nil || one.Record != lines[5] {
		t.Errorf("%+v, %v", one, err)
	}
}

// What was played is there for another runner with the same keeper, which plays the rest.
func TestResume(t *testing.T) {
	s := newShelf()
	r := newRunner(t, s, "1")
	// The first games are stored when the second experiment was refused, and their keeper stops the first one:
	// otherwise a fast machine would end it.
	name, begun, batches := "", make(chan struct{}), 0
	s.saved = func(key string) {
		if !strings.HasPrefix(key, "games ") {
			return
		}
		<-begun
		if batches++; batches == 2 {
			if err := r.Stop(t.Context(), name); err != nil {
				t.Error(err)
			}
		}
	}
	name = begin(t, r, 1200, "greedy", "random")
	if _, err := r.Start(t.Context(), &protocol.StartExperiment{Players: []string{"greedy"}, Games: 1, Size: small}); err == nil || !strings.Contains(err.Error(), "is running") {
		t.Errorf("a second one starts: %v", err)
	}
	close(begun)
	stopped := until(t, r, name, ended)
	if stopped.Error != "stopped" || stopped.Finished == 2400 {
		t.Fatalf("%+v", stopped)
	}
	s.saved = nil
	before := records(t, r, name, 1)

	r = newRunner(t, s, "2")
	if _, err := r.Start(t.Context(), &protocol.StartExperiment{Name: name}); err == nil || !strings.Contains(err.Error(), "are from version 1; this version, 2,") {
		t.Errorf("another version resumes: %v", err)
	}
	r = newRunner(t, s, "1")
	if x := until(t, r, name, ended); x.Finished != stopped.Finished || x.Error != "stopped" || records(t, r, name, 1) != before {
		t.Fatalf("%+v, want %+v", x, stopped)
	}
	if _, err := r.Start(t.Context(), &protocol.StartExperiment{Name: name}); err != nil {
		t.Fatal(err)
	}
	if x := until(t, r, name, ended); x.Finished != 2400 || x.Error != "" {
		t.Fatalf("%+v", x)
	}
	if all := records(t, r, name, 1); !strings.HasPrefix(all, before[:strings.Index(before, "\n")]) || strings.Count(all, "\n") != 1200 {
		t.Error("the games are others")
	}
	if _, err := r.Start(t.Context(), &protocol.StartExperiment{Name: name}); err == nil || !strings.Contains(err.Error(), "are finished") {
		t.Errorf("a finished one resumes: %v", err)
	}
}

// Errors name the culprit, and nothing is begun.
func TestRefused(t *testing.T) {
	s := newShelf()
	r := newRunner(t, s, "1")
	for want, q := range map[string]*protocol.StartExperiment{
		"takes part twice":         {Players: []string{"greedy", "greedy"}},
		"no player is called":      {Players: []string{"gredy"}},
		"networks may not be used": {Players: []string{"champion"}},
		"no experiment has":        {Name: "none"},
		"letters, digits":          {Name: "a b", Players: []string{"greedy"}},
	} {
		q.Size, q.Games = small, 1
		if _, err := r.Start(t.Context(), q); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", q, err, want)
		}
	}
	s.setFull(true)
	if _, err := r.Start(t.Context(), &protocol.StartExperiment{Players: []string{"greedy"}, Games: 1, Size: small}); err == nil || !strings.Contains(err.Error(), "no room") {
		t.Errorf("a full keeper: %v", err)
	}
	if all, err := r.List(t.Context()); err != nil || len(all) != 0 || len(s.values) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
	if _, err := r.Report(t.Context(), "none"); err == nil {
		t.Error("it writes a report")
	}
}

// named begins an experiment of a name.
func named(t *testing.T, r *experiment.Runner, name string, games int, players ...string) {
	t.Helper()
	if _, err := r.Start(t.Context(), &protocol.StartExperiment{Name: name, Players: players, Games: games, Size: small, Seed: 7}); err != nil {
		t.Fatal(err)
	}
}

// A removed experiment is stopped, and nothing of it is left; others, whose names begin alike, stay.
func TestRemove(t *testing.T) {
	s := newShelf()
	r := newRunner(t, s, "1")
	named(t, r, "ab", 3, "greedy")
	until(t, r, "ab", ended)
	other := s.keys()
	named(t, r, "a", 100_000, "greedy")
	until(t, r, "a", func(x *protocol.ExperimentResults) bool { return x.Finished > 0 })
	s.setFull(true)
	if err := r.Remove(t.Context(), "a"); err == nil || !strings.Contains(err.Error(), `"a" cannot be removed: no room`) {
		t.Errorf("a keeper that fails: %v", err)
	}
	s.setFull(false)
	if err := r.Stop(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if x := until(t, r, "a", ended); x.Finished == 0 {
		t.Error("it failed, and the games are gone")
	}
	if _, err := r.Start(t.Context(), &protocol.StartExperiment{Name: "a"}); err != nil {
		t.Fatal(err)
	}
	if err := r.Remove(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if left := s.keys(); !slices.Equal(left, other) {
		t.Errorf("%q is left, want %q", left, other)
	}
	if _, err := r.Show(t.Context(), "a"); err == nil {
		t.Error("it is shown")
	}
	if err := r.Remove(t.Context(), "a"); err == nil || err.Error() != "no experiment has this name" {
		t.Errorf("it is removed again: %v", err)
	}
	named(t, r, "a", 1, "random") // its name is free, and no other one runs
	if x := until(t, r, "a", ended); x.Finished != 1 || x.Error != "" {
		t.Errorf("%+v", x)
	}
}

// Two runners share what is stored, as two tabs do: names differ, and one that is removed by the other
// is not played any more and leaves nothing, even if its name is another one's now.
func TestSharedKeeper(t *testing.T) {
	s := newShelf()
	here, there := newRunner(t, s, "1"), newRunner(t, s, "1")
	if a, b := begin(t, here, 1, "greedy"), begin(t, there, 1, "random"); a != "experiment-1" || b != "experiment-2" {
		t.Errorf("both begin %s and %s", a, b)
	}
	until(t, here, "experiment-1", ended)
	until(t, there, "experiment-2", ended)
	if err := there.Remove(t.Context(), "experiment-2"); err != nil {
		t.Fatal(err)
	}

	named(t, here, "a", 100_000, "greedy")
	until(t, here, "a", func(x *protocol.ExperimentResults) bool { return x.Finished > 0 })
	there = newRunner(t, s, "1")
	if err := there.Remove(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	named(t, there, "a", 2, "random")
	until(t, there, "a", ended)
	untilListed(t, here, "a", func(x *protocol.ExperimentInfo) bool { return x != nil && x.Players[0] == "random" && done(x) })
	last := newRunner(t, s, "1")
	if x := until(t, last, "a", ended); x.Finished != 2 || x.Players[0] != "random" || x.Error != "" {
		t.Errorf("%+v", x)
	}

	// One whose name is another one's now is removed, and the other one remains.
	if err := last.Remove(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	named(t, last, "a", 3, "greedy")
	until(t, last, "a", ended)
	before := s.keys()
	if err := there.Remove(t.Context(), "a"); err != nil {
		t.Error(err)
	}
	if after := s.keys(); !slices.Equal(after, before) {
		t.Errorf("%q is left, want %q", after, before)
	}
	if x := listed(t, there, "a"); x == nil || x.Finished != 3 || x.Players[0] != "greedy" {
		t.Errorf("%+v", x)
	}
}
