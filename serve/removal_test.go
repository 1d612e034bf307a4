package serve

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/experiment/store"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

// An experiment that another process removes while the server plays it ends, says so, and
// leaves its name to another one, which has one run and its own games alone.
func TestExperimentRemovedWhilePlayed(t *testing.T) {
	soak.Full(t, "it plays a dozen experiments until they notice; TestRemoveExperiment stays")
	path := filepath.Join(t.TempDir(), "experiments.db")
	runner := runnerAt(path, "1.2.3", 1)
	t.Cleanup(runner.Close)
	c := start(t, Options{Runner: runner})
	other := must.Get(store.Open(path))(t)
	t.Cleanup(func() { _ = other.Close() })
	remove := func() {
		t.Helper()
		e := must.Get(other.Experiment(t.Context(), "a"))(t)
		must.Do(t, other.Remove(t.Context(), e))
	}
	begin := func(player string, games int) {
		t.Helper()
		if got := c.ask("experiments.start", fmt.Sprintf(`{"players":[%q],"games":%d,"name":"a"}`, player, games)); got != `{"name":"a"}` {
			t.Fatal(got)
		}
	}
	running := runner.Running
	for range 3 {
		begin("expectimax(plies=4)", 5000)
		remove()
		begin("greedy", 20) // while the first run may not have noticed
		if n := running(); n > 1 {
			t.Errorf("%d runs of one name", n)
		}
		eventually(t, "the run ends", func() bool { return running() == 0 })
		eventually(t, "the games", func() bool {
			got := c.ask("experiments.show", `{"name":"a"}`)
			if !strings.HasPrefix(got, "{") {
				t.Fatal(got)
			}
			x := decode[protocol.ExperimentResults](t, got)
			return x.Finished == 20 && !x.Running && len(x.Players) == 1 && x.Players[0] == "greedy" && x.Error == ""
		})
		remove()
	}
	begin("expectimax(plies=4)", 5000)
	remove()
	eventually(t, "the run ends", func() bool { return running() == 0 })
	eventually(t, "the games", func() bool {
		return c.ask("experiments.show", `{"name":"a"}`) == "-32602 experiments.show: experiment a was removed"
	})
}

// A client removes an experiment: it is stopped, its games leave the store, and its name is free.
func TestRemoveExperiment(t *testing.T) {
	path := filepath.Join(t.TempDir(), "experiments.db")
	runner, other := runnerAt(path, "1.2.3", 1), runnerAt(path, "1.2.3", 1)
	t.Cleanup(runner.Close)
	t.Cleanup(other.Close)
	c := start(t, Options{Runner: runner})
	remove := func(want string) {
		t.Helper()
		if got := c.ask("experiments.remove", `{"name":"a"}`); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	remove("-32602 experiments.remove: no experiment has this name")
	const long = `{"players":["greedy","expectimax(plies=4)"],"games":5000,"name":"a"}`
	for range soak.Count(1, 2) {
		if got := c.ask("experiments.start", long); got != `{"name":"a"}` {
			t.Fatal(got)
		}
		eventually(t, "the games", func() bool {
			return decode[protocol.ExperimentResults](t, c.ask("experiments.show", `{"name":"a"}`)).Finished > 0
		})
		remove("{}")
		if n := runner.Running(); n != 0 {
			t.Errorf("%d run", n)
		}
		if got := c.ask("experiments.list", ""); got != `{"experiments":[],"can_start":true}` {
			t.Error(got)
		}
	}

	// Another process plays it: it stops too.
	must.Get(other.Start(t.Context(), &protocol.StartExperiment{Name: "a", Players: []string{"greedy", "expectimax(plies=4)"}, Games: 5000, Size: board.Size{Rows: 4, Cols: 4}}))(t)
	remove("{}")
	eventually(t, "the other process stops", func() bool { return other.Running() == 0 })
	if got := c.ask("experiments.list", ""); got != `{"experiments":[],"can_start":true}` {
		t.Error(got)
	}
}
