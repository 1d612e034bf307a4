package solo_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/solo"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/search"
)

// room has the locks of all tabs.
type room struct {
	mu     sync.Mutex
	owners map[string]*tab
}

// tab is a Locker for a runner, and its Keeper. Hooks are called where they are not nil.
type tab struct {
	*shelf
	room          *room
	before, after func() // of each Load
	locking       func() // before each Lock
	broken        error  // of all locks
}

func newTab(s *shelf, r *room) *tab { return &tab{shelf: s, room: r} }

func newRoom() *room { return &room{owners: map[string]*tab{}} }

func (b *tab) Lock(name string) (release func(), err error) {
	if b.locking != nil {
		b.locking()
	}
	b.room.mu.Lock()
	defer b.room.mu.Unlock()
	switch {
	case b.broken != nil:
		return nil, b.broken
	case b.room.owners[name] != nil:
		return nil, solo.ErrLocked
	}
	b.room.owners[name] = b
	return func() {
		b.room.mu.Lock()
		defer b.room.mu.Unlock()
		if b.room.owners[name] == b {
			delete(b.room.owners, name)
		}
	}, nil
}

func (b *tab) Locked() ([]string, error) {
	b.room.mu.Lock()
	defer b.room.mu.Unlock()
	return slices.Collect(maps.Keys(b.room.owners)), b.broken
}

func (b *tab) Load(prefixes, known []string) (map[string][]byte, error) {
	if b.before != nil {
		b.before()
	}
	values, err := b.shelf.Load(prefixes, known)
	if b.after != nil {
		b.after()
	}
	return values, err
}

// crash releases the locks of a tab, as its end does.
func (b *tab) crash() {
	b.room.mu.Lock()
	defer b.room.mu.Unlock()
	maps.DeleteFunc(b.room.owners, func(_ string, owner *tab) bool { return owner == b })
}

// runner returns the runner of a tab.
func (b *tab) runner(t *testing.T) *experiment.Runner {
	t.Helper()
	return runnerOf(t, b, b, "1", nil)
}

// listed returns an experiment of a runner's list, or nil.
func listed(t *testing.T, r *experiment.Runner, name string) *protocol.ExperimentInfo {
	t.Helper()
	all, err := r.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if i := slices.IndexFunc(all, func(x protocol.ExperimentInfo) bool { return x.Name == name }); i >= 0 {
		return &all[i]
	}
	return nil
}

// untilListed waits until an experiment in a runner's list is as it should be.
func untilListed(t *testing.T, r *experiment.Runner, name string, right func(*protocol.ExperimentInfo) bool) *protocol.ExperimentInfo {
	t.Helper()
	for end := time.Now().Add(10 * time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if x := listed(t, r, name); right(x) {
			return x
		}
	}
	t.Fatalf("%s never so: %+v", name, listed(t, r, name))
	return nil
}

func done(x *protocol.ExperimentInfo) bool { return x.Finished == x.Games*len(x.Players) && !x.Running }

// once checks that the shelf has each game of an experiment of two players exactly once.
func (s *shelf) once(t *testing.T, name string, games int) {
	t.Helper()
	type game struct{ Player, Index int }
	times := map[game]int{}
	for _, key := range s.keys() {
		if !strings.HasPrefix(key, "games "+name+" ") {
			continue
		}
		var batch struct {
			Player int
			Games  []struct{ Index int }
		}
		if err := json.Unmarshal(s.values[key], &batch); err != nil {
			t.Fatal(err)
		}
		for _, g := range batch.Games {
			times[game{batch.Player, g.Index}]++
		}
	}
	for g, n := range times {
		if n != 1 {
			t.Errorf("%+v is stored %d times", g, n)
		}
	}
	if len(times) != 2*games {
		t.Errorf("%d games are stored, want %d", len(times), 2*games)
	}
}

// pauseAfterGames lets whoever stores games first wait: reached is closed then, and closing resume ends the wait.
func (s *shelf) pauseAfterGames() (reached <-chan struct{}, resume chan<- struct{}) {
	first, goOn := make(chan struct{}), make(chan struct{})
	var waited atomic.Bool
	s.saved = func(key string) {
		if strings.HasPrefix(key, "games ") && waited.CompareAndSwap(false, true) {
			close(first)
			<-goOn
		}
	}
	return first, goOn
}

// A runner sees what another one plays, with its progress, and may not play it. When the other one stops or
// its tab is gone, it plays the rest.
func TestPlayedElsewhere(t *testing.T) {
	const games = 600
	for _, crash := range []bool{false, true} {
		s, locks := newShelf(), newRoom()
		reached, resume := s.pauseAfterGames()
		tabs := []*tab{newTab(s, locks), newTab(s, locks)}
		here, there := tabs[0].runner(t), tabs[1].runner(t)
		named(t, here, "a", games, "greedy", "random")
		if x := listed(t, there, "a"); !x.RunningInOtherTab || x.Running || x.Error != "" {
			t.Errorf("begun: %+v", x)
		}
		<-reached
		x := listed(t, there, "a")
		if !x.RunningInOtherTab || x.Finished == 0 || x.Finished == 2*games {
			t.Errorf("played: %+v", x)
		}
		if shown, err := there.Show(t.Context(), "a"); err != nil || shown.Finished != x.Finished || !shown.RunningInOtherTab {
			t.Errorf("shown: %+v, %v", shown, err)
		}
		if x := listed(t, here, "a"); !x.Running || x.RunningInOtherTab {
			t.Errorf("where it is played: %+v", x)
		}
		const want = `another tab of this browser plays "a"`
		if _, err := there.Start(t.Context(), &protocol.StartExperiment{Name: "a"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("it is played twice: %v", err)
		}
		if err := there.Stop(t.Context(), "a"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("it is stopped: %v", err)
		}

		if crash {
			tabs[0].crash()
			defer here.Close()
			defer close(resume)
		} else {
			if err := here.Stop(t.Context(), "a"); err != nil {
				t.Fatal(err)
			}
			close(resume)
			if x := untilListed(t, there, "a", func(x *protocol.ExperimentInfo) bool { return !x.RunningInOtherTab }); x.Error != "stopped" || x.Finished == 2*games {
				t.Errorf("stopped: %+v", x)
			}
		}
		if _, err := there.Start(t.Context(), &protocol.StartExperiment{Name: "a"}); err != nil {
			t.Fatal(err)
		}
		until(t, there, "a", ended)
		if !crash {
			x := untilListed(t, here, "a", done)
			if x.Error != "" || x.RunningInOtherTab || records(t, here, "a", 1) != records(t, there, "a", 1) {
				t.Errorf("finished: %+v", x)
			}
		}
		s.once(t, "a", games)

		// What is known is not loaded again.
		s.loaded = nil
		listed(t, there, "a")
		if !slices.Equal(s.loaded, []string{"experiment a"}) {
			t.Errorf("%q are loaded again", s.loaded)
		}
	}
}

// A runner that gets the lock knows the games that were stored just before.
func TestFinishedBeforeLock(t *testing.T) {
	const games = 100
	s, locks := newShelf(), newRoom()
	reached, resume := s.pauseAfterGames()
	here := newTab(s, locks).runner(t)
	named(t, here, "a", games, "greedy", "random")
	<-reached
	if err := here.Stop(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	close(resume)
	until(t, here, "a", ended)

	b := newTab(s, locks)
	there := b.runner(t)
	b.locking = func() {
		if _, err := here.Start(t.Context(), &protocol.StartExperiment{Name: "a"}); err != nil {
			t.Error(err)
		}
		until(t, here, "a", ended)
	}
	if _, err := there.Start(t.Context(), &protocol.StartExperiment{Name: "a"}); err == nil || !strings.Contains(err.Error(), "are finished") {
		t.Errorf("it is played twice: %v", err)
	}
	s.once(t, "a", games)
}

// However runners take turns, each game is played once.
func TestTurns(t *testing.T) {
	const games = 300
	s, locks := newShelf(), newRoom()
	named(t, newTab(s, locks).runner(t), "a", games, "greedy", "random")
	var all sync.WaitGroup
	for range 4 {
		r := newTab(s, locks).runner(t)
		all.Go(func() {
			for n := 0; ; n++ {
				x := listed(t, r, "a")
				if done(x) {
					return
				}
				_, err := r.Start(t.Context(), &protocol.StartExperiment{Name: "a"})
				switch {
				case err == nil && n%2 == 0:
					err = r.Stop(t.Context(), "a")
				case err != nil && (strings.Contains(err.Error(), "another tab") || strings.Contains(err.Error(), "is running") || strings.Contains(err.Error(), "are finished")):
					err = nil
				}
				if err != nil {
					t.Error(err)
					return
				}
				time.Sleep(time.Millisecond)
			}
		})
	}
	all.Wait()
	s.once(t, "a", games)
}

// thinker is a player that thinks until it is stopped.
type thinker struct{ player.Player }

func (thinker) Decide(ctx context.Context, _ search.Query) (player.Decision, error) {
	<-ctx.Done()
	return player.Decision{}, ctx.Err()
}

// A runner stops an experiment that another one has removed, also before it has games to store, and then has
// the one that got its name.
func TestRemovedElsewhere(t *testing.T) {
	s, locks := newShelf(), newRoom()
	a := newTab(s, locks)
	here := runnerOf(t, a, a, "1", func(p player.Player) player.Player { return thinker{p} })
	there := newTab(s, locks).runner(t)
	named(t, here, "a", 5, "greedy")
	listed(t, there, "a")
	if err := there.Remove(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	named(t, there, "a", 3, "random")
	untilListed(t, here, "a", func(x *protocol.ExperimentInfo) bool { return x != nil && done(x) && x.Players[0] == "random" })
	until(t, there, "a", ended)
	if err := there.Remove(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if x := listed(t, here, "a"); x != nil {
		t.Errorf("it is left: %+v", x)
	}
	named(t, here, "b", 1, "greedy") // nothing else runs
}

// Another experiment has the name of a removed one, whose games have the same keys.
func TestReplacedElsewhere(t *testing.T) {
	s, locks := newShelf(), newRoom()
	here, there := newTab(s, locks).runner(t), newTab(s, locks).runner(t)
	begun := func(r *experiment.Runner, games int, player string) string {
		t.Helper()
		named(t, r, "a", games, player)
		until(t, r, "a", ended)
		return records(t, r, "a", 1)
	}
	former := begun(here, 3, "greedy")
	if listed(t, there, "a"); records(t, there, "a", 1) != former {
		t.Error("the games of the first one are others")
	}
	if err := here.Remove(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	now := begun(here, 3, "random")
	if listed(t, there, "a"); records(t, there, "a", 1) != now || now == former {
		t.Error("the games of the second one are others")
	}
}

// An experiment that begins or stops while another runner loads values does not look stopped early there.
func TestWhileLoading(t *testing.T) {
	s, locks := newShelf(), newRoom()
	reached, resume := s.pauseAfterGames()
	here := newTab(s, locks).runner(t)
	b := newTab(s, locks)
	there := b.runner(t)
	var once sync.Once
	b.before = func() { once.Do(func() { named(t, here, "a", 5000, "greedy", "random") }) }
	if x := listed(t, there, "a"); x == nil || !x.RunningInOtherTab || x.Error != "" {
		t.Errorf("it begins: %+v", x)
	}
	<-reached
	once = sync.Once{}
	b.before, b.after = nil, func() {
		once.Do(func() {
			if err := here.Stop(t.Context(), "a"); err != nil {
				t.Error(err)
			}
			close(resume)
			until(t, here, "a", ended)
		})
	}
	if x := listed(t, there, "a"); !x.RunningInOtherTab || x.Error != "" {
		t.Errorf("it stops: %+v", x)
	}
	here.Close()
	if x, now := listed(t, there, "a"), listed(t, here, "a"); x.RunningInOtherTab || x.Error != "stopped" || x.Finished != now.Finished {
		t.Errorf("it has stopped: %+v, want %+v", x, now)
	}
}

// Errors of locks and damaged values are reported, and nothing is begun.
func TestSharedErrors(t *testing.T) {
	s, locks := newShelf(), newRoom()
	b := newTab(s, locks)
	r := b.runner(t)
	named(t, r, "a", 1, "greedy")
	until(t, r, "a", ended)
	before := s.keys()
	b.broken = errors.New("no locks today")
	if _, err := r.List(t.Context()); err == nil || !strings.Contains(err.Error(), "no locks today") {
		t.Errorf("listed: %v", err)
	}
	if _, err := r.Start(t.Context(), &protocol.StartExperiment{Players: []string{"greedy"}, Games: 1, Size: small}); err == nil || !strings.Contains(err.Error(), "no locks today") {
		t.Errorf("begun: %v", err)
	}
	b.broken = nil
	if after := s.keys(); !slices.Equal(after, before) {
		t.Errorf("%q are stored, want %q", after, before)
	}
	for key, want := range map[string]string{"experiment b": `the stored experiment b is damaged: its name is "a"`, "experiment c": "the stored experiment c is damaged: "} {
		s.values[key] = s.values["experiment a"]
		if key == "experiment c" {
			s.values[key] = []byte("{")
		}
		if _, err := r.List(t.Context()); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
		delete(s.values, key)
	}
	if x := listed(t, r, "a"); x == nil || !done(x) {
		t.Errorf("%+v", x)
	}
}
