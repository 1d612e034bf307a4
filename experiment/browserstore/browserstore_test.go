package browserstore_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/browserstore"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

// shelf is a Keeper in memory.
type shelf struct {
	mu     sync.Mutex
	values map[string][]byte
	full   bool
	saved  func(key string) // called after each Save, unless nil
}

func (s *shelf) Save(key string, value []byte) error {
	if err := s.change(func() { s.values[key] = slices.Clone(value) }); err != nil {
		return err
	}
	if s.saved != nil {
		s.saved(key)
	}
	return nil
}

func (s *shelf) Remove(key, prefix string) error {
	return s.change(func() {
		maps.DeleteFunc(s.values, func(k string, _ []byte) bool { return k == key || strings.HasPrefix(k, prefix) })
	})
}

func (s *shelf) change(do func()) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.full {
		return errors.New("no room")
	}
	do()
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

func (s *shelf) Load(prefix string) (map[string][]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := maps.Clone(s.values)
	maps.DeleteFunc(found, func(k string, _ []byte) bool { return !strings.HasPrefix(k, prefix) })
	return found, nil
}

// newRunner returns a runner with the options of the browser's engine.
func newRunner(t *testing.T, k browserstore.Keeper, version string) *experiment.Runner {
	t.Helper()
	r := experiment.NewRunner(experiment.RunnerOptions{
		Config: experiment.Config{
			Capabilities: catalog.Capabilities{Networks: catalog.NoNetworks}, Identity: func(spec string) (string, error) { return spec, nil },
		},
		Open:    func(bool) (experiment.Store, error) { return browserstore.Open(k) },
		Version: func(context.Context) (string, error) { return version, nil },
		Browser: true, MaxRunning: 1,
	})
	t.Cleanup(r.Close)
	return r
}

func newShelf() *shelf { return &shelf{values: map[string][]byte{}} }

var small = board.Size{Rows: 3, Cols: 3}

// begin starts an experiment with a name; "" lets the runner choose one.
func begin(t *testing.T, r *experiment.Runner, name string, games int, players ...string) string {
	t.Helper()
	q := &protocol.StartExperiment{Name: name, Players: players, Games: games, Size: small, Seed: 7}
	return must.Get(r.Start(t.Context(), q))(t)
}

// until waits until an experiment satisfies a condition.
func until(t *testing.T, r *experiment.Runner, name string, right func(*protocol.ExperimentResults) bool) *protocol.ExperimentResults {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		x := must.Get(r.Show(t.Context(), name))(t)
		if right(x) {
			return x
		}
	}
	t.Fatal("timed out waiting for the condition")
	return nil
}

func ended(x *protocol.ExperimentResults) bool { return !x.Running }

// records returns the records of all games of a player.
func records(t *testing.T, r *experiment.Runner, name string, player int) string {
	t.Helper()
	var all strings.Builder
	for from, more := 0, true; more; {
		part := must.Get(r.Records(t.Context(), &protocol.FindRecords{ExperimentRef: protocol.ExperimentRef{Name: name}, Player: player, From: from}))(t)
		all.WriteString(part.Records)
		from, more = part.Next, part.Next > 0
	}
	return all.String()
}

// The games of both players are listed, and their records are read in parts. Tests of package arena check the games themselves.
func TestGames(t *testing.T) {
	const games = 130 // more than fit in one answer
	r := newRunner(t, newShelf(), "1")
	name := begin(t, r, "", games, "greedy", "random")
	x := until(t, r, name, ended)
	if x.Error != "" || x.Finished != 2*games || len(x.Comparisons) != 1 || x.Report.Players[0].Games != games {
		t.Fatalf("%+v", x)
	}
	lines := strings.SplitAfter(records(t, r, name, 1), "\n")
	if len(lines) != games+1 {
		t.Fatalf("%d records", len(lines)-1)
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

// Another runner with the same keeper finds the games that were played, and plays the rest.
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
	name = begin(t, r, "", 1200, "greedy", "random")
	_, err := r.Start(t.Context(), &protocol.StartExperiment{Players: []string{"greedy"}, Games: 1, Size: small})
	must.Contains(t, fmt.Sprint(err), "is running", "a second one starts")
	close(begun)
	stopped := until(t, r, name, ended)
	if stopped.Error != "stopped" || stopped.Finished == 2400 {
		t.Fatalf("%+v", stopped)
	}
	s.saved = nil
	before := records(t, r, name, 1)

	r = newRunner(t, s, "2")
	_, err = r.Start(t.Context(), &protocol.StartExperiment{Name: name})
	must.Contains(t, fmt.Sprint(err), "are from version 1; this version, 2,", "another version resumes")
	r = newRunner(t, s, "1")
	if x := until(t, r, name, ended); x.Finished != stopped.Finished || x.Error != "stopped" || records(t, r, name, 1) != before {
		t.Fatalf("%+v, want %+v", x, stopped)
	}
	must.Get(r.Start(t.Context(), &protocol.StartExperiment{Name: name}))(t)
	if x := until(t, r, name, ended); x.Finished != 2400 || x.Error != "" {
		t.Fatalf("%+v", x)
	}
	if all := records(t, r, name, 1); !strings.HasPrefix(all, before[:strings.Index(before, "\n")]) || strings.Count(all, "\n") != 1200 {
		t.Error("the games differ")
	}
	_, err = r.Start(t.Context(), &protocol.StartExperiment{Name: name})
	must.Contains(t, fmt.Sprint(err), "are finished", "a finished one resumes")
}

// A wrong request gets an error that names the fault, and starts nothing.
func TestRefused(t *testing.T) {
	s := newShelf()
	r := newRunner(t, s, "1")
	for want, q := range map[string]*protocol.StartExperiment{
		"given twice":              {Players: []string{"greedy", "greedy"}},
		"no player is called":      {Players: []string{"gredy"}},
		"networks are not allowed": {Players: []string{"champion"}},
		"no experiment has":        {Name: "none"},
		"letters, digits":          {Name: "a b", Players: []string{"greedy"}},
	} {
		q.Size, q.Games = small, 1
		_, err := r.Start(t.Context(), q)
		must.Contains(t, fmt.Sprint(err), want, q)
	}
	s.setFull(true)
	_, err := r.Start(t.Context(), &protocol.StartExperiment{Players: []string{"greedy"}, Games: 1, Size: small})
	must.Contains(t, fmt.Sprint(err), "no room", "a full keeper")
	if all, err := r.List(t.Context()); err != nil || len(all) != 0 || len(s.values) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
	if _, err := r.Report(t.Context(), "none"); err == nil {
		t.Error("Report did not fail")
	}
}

// Removing an experiment stops it and deletes all its data, but not experiments whose names begin with its name.
func TestRemove(t *testing.T) {
	s := newShelf()
	r := newRunner(t, s, "1")
	begin(t, r, "ab", 3, "greedy")
	until(t, r, "ab", ended)
	other := s.keys()
	begin(t, r, "a", 100_000, "greedy")
	until(t, r, "a", func(x *protocol.ExperimentResults) bool { return x.Finished > 0 })
	s.setFull(true)
	must.Contains(t, fmt.Sprint(r.Remove(t.Context(), "a")), `"a" cannot be removed: no room`, "a keeper that fails")
	s.setFull(false)
	must.Do(t, r.Stop(t.Context(), "a"))
	if x := until(t, r, "a", ended); x.Finished == 0 {
		t.Error("removing failed, but the games are gone")
	}
	must.Get(r.Start(t.Context(), &protocol.StartExperiment{Name: "a"}))(t)
	must.Do(t, r.Remove(t.Context(), "a"))
	if left := s.keys(); !slices.Equal(left, other) {
		t.Errorf("%q is left, want %q", left, other)
	}
	if _, err := r.Show(t.Context(), "a"); err == nil {
		t.Error("the removed experiment is still shown")
	}
	must.Equal(t, fmt.Sprint(r.Remove(t.Context(), "a")), "no experiment has this name", "it is removed again")
	begin(t, r, "a", 1, "random") // its name is free, and no other one runs
	if x := until(t, r, "a", ended); x.Finished != 1 || x.Error != "" {
		t.Errorf("%+v", x)
	}
}

// A store with a damaged value is not opened; the error names the value.
func TestDamaged(t *testing.T) {
	s := newShelf()
	r := newRunner(t, s, "1")
	begin(t, r, "a", 1, "greedy")
	until(t, r, "a", ended)
	experiment, games := s.values["experiment a"], s.keys()[1]
	for _, x := range []struct {
		key, value, want string
	}{
		{"experiment b", string(experiment), `the stored experiment b is damaged: its name is "a"`},
		{"experiment c", "{", "the stored experiment c is damaged: "},
		{games, "{", "the stored " + games + " are damaged: "},
	} {
		before, kept := s.values[x.key]
		s.values[x.key] = []byte(x.value)
		if _, err := browserstore.Open(s); err == nil || !strings.HasPrefix(err.Error(), x.want) {
			t.Errorf("%v, want %s", err, x.want)
		}
		if delete(s.values, x.key); kept {
			s.values[x.key] = before
		}
	}
	if x := until(t, newRunner(t, s, "1"), "a", ended); x.Finished != 1 {
		t.Errorf("%+v", x)
	}
}
