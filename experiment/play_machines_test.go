package experiment_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/machines"
	"github.com/afterstate2048/afterstate/experiment/store"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// stubHub is a hub in this process, with a worker that does each job when it is put.
type stubHub struct {
	experiment.Hub
	cores  int
	worker func(j *machines.Job) *machines.Result // nil: there is no worker
	former []*machines.Result                     // results of jobs that an earlier scheduler queued

	mu     sync.Mutex
	queues map[string]bool // existing queues, by ID; true: a scheduler holds the queue
	opened chan struct{}   // receives when a queue is opened, if there is room
	failed []string        // reasons of Queue.Fail
	acked  int
}

func (h *stubHub) OpenQueue(_ context.Context, info machines.QueueInfo, _ func(worker, reason string)) (machines.Queue, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.queues[info.ID] {
		return nil, errors.New("another scheduler is playing this experiment")
	}
	if h.queues == nil {
		h.queues = map[string]bool{}
	}
	h.queues[info.ID] = true
	select {
	case h.opened <- struct{}{}:
	default:
	}
	q := &stubQueue{hub: h, id: info.ID, results: make(chan *machines.Result, 1000)}
	for _, r := range h.former {
		q.results <- r
	}
	return q, nil
}

// count returns the number of queues.
func (h *stubHub) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.queues)
}

func (h *stubHub) remote() *experiment.Machines {
	return &experiment.Machines{Hub: h, Files: func(string) (map[string]string, error) { return nil, nil }}
}

type stubQueue struct {
	hub     *stubHub
	id      string
	results chan *machines.Result
}

func (q *stubQueue) Put(_ context.Context, j machines.Job) error {
	if q.hub.worker != nil {
		q.results <- q.hub.worker(&j)
	}
	return nil
}

func (q *stubQueue) Next(ctx context.Context) (*machines.Result, error) {
	select {
	case r := <-q.results:
		return r, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (q *stubQueue) Fail(_ context.Context, r *machines.Result, reason string) (*machines.Result, error) {
	q.hub.mu.Lock()
	defer q.hub.mu.Unlock()
	q.hub.failed = append(q.hub.failed, reason)
	return &machines.Result{ID: r.ID, Failed: reason}, nil // as after the last of some failures
}

func (q *stubQueue) Cores(bool) int      { return q.hub.cores }
func (*stubQueue) Refusal(bool) string   { return "" }
func (*stubQueue) SetFinished(games int) {}

func (q *stubQueue) Close() error {
	q.hub.mu.Lock()
	defer q.hub.mu.Unlock()
	q.hub.queues[q.id] = false
	return nil
}

func (q *stubQueue) Remove(context.Context) error {
	q.hub.mu.Lock()
	defer q.hub.mu.Unlock()
	delete(q.hub.queues, q.id)
	return nil
}

// stubWorker plays jobs as a worker on another machine does.
func stubWorker(t *testing.T, h *stubHub) func(j *machines.Job) *machines.Result {
	w := experiment.WorkerConfig{Capabilities: catalog.Capabilities{}, Identity: itself}
	play, end := experiment.Player(w.Factory(t.Context()))
	t.Cleanup(end)
	return func(j *machines.Job) *machines.Result {
		payload, _, err := play(t.Context(), j)
		if err != nil {
			t.Error(err)
		}
		text, err := json.Marshal(payload)
		if err != nil {
			t.Error(err)
		}
		return machines.NewResult(j.ID, text, func() {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.acked++
		})
	}
}

// outcomes are the games of an experiment as text without times.
func outcomes(t *testing.T, x *experiment.Experiment) string {
	t.Helper()
	r := must.Get(x.Results(t.Context()))(t)
	var all strings.Builder
	for _, p := range r.Players {
		for _, g := range p.Games {
			fmt.Fprintln(&all, p.Name, g.Index, g.Score, g.Moves, g.Largest)
		}
	}
	return all.String()
}

// With workers that work, deliver invalid games or hand every job back, the games are the same as on one machine. With
// results of an earlier scheduler, no game counts twice.
func TestPlayedElsewhere(t *testing.T) {
	alone := begin(t, config(program("1", "a")), open(t), 30, "greedy", "random")
	must.Do(t, alone.Play(t.Context(), experiment.PlayOptions{}))
	want := outcomes(t, alone)
	for name, worker := range map[string]func(good func(*machines.Job) *machines.Result, n int, j *machines.Job) *machines.Result{
		"good": func(good func(*machines.Job) *machines.Result, _ int, j *machines.Job) *machines.Result {
			return good(j)
		},
		"false": func(good func(*machines.Job) *machines.Result, n int, j *machines.Job) *machines.Result {
			r := good(j)
			if n%3 == 0 {
				r.Payload = json.RawMessage(strings.Replace(string(r.Payload), `"Score":`, `"Score":1`, 1))
			}
			return r
		},
		"garbage": func(_ func(*machines.Job) *machines.Result, _ int, j *machines.Job) *machines.Result {
			return machines.NewResult(j.ID, json.RawMessage(`"what?"`), func() {})
		},
		"useless": func(_ func(*machines.Job) *machines.Result, _ int, j *machines.Job) *machines.Result {
			return &machines.Result{ID: j.ID, Failed: "no space left on device"}
		},
	} {
		for _, localWorkers := range []int{0, 1} {
			h := &stubHub{cores: 2}
			good, n := stubWorker(t, h), 0
			h.worker = func(j *machines.Job) *machines.Result { n++; return worker(good, n, j) }
			x := begin(t, config(program("1", "a")), open(t), 30, "greedy", "random")
			seen := 0
			err := x.Play(t.Context(), experiment.PlayOptions{
				Workers: localWorkers, Machines: h.remote(),
				OnGames: func(_ *arena.Player, games []arena.Recorded) error { seen += len(games); return nil },
			})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			must.Equal(t, outcomes(t, x), want, name, "games")
			if seen != 60 || h.count() != 0 {
				t.Errorf("%s: %d games were seen, %d queues are left", name, seen, h.count())
			}
			if (name == "false" || name == "garbage") != (len(h.failed) > 0) || name == "good" && localWorkers == 0 && h.acked == 0 {
				t.Errorf("%s: failures %q, %d acknowledged", name, h.failed, h.acked)
			}
		}
	}
}

// brokenPlayer is a player that cannot play.
type brokenPlayer struct{ player.Player }

func (brokenPlayer) Decide(context.Context, search.Query) (player.Decision, error) {
	return player.Decision{}, errors.New("no memory here")
}

// A job that fails elsewhere and here ends the experiment, with the reason here.
func TestFailsEverywhere(t *testing.T) {
	h := &stubHub{cores: 1, worker: func(j *machines.Job) *machines.Result { return &machines.Result{ID: j.ID, Failed: "no memory there"} }}
	c := config(program("1", "a"))
	x := begin(t, c, open(t), 3, "greedy")
	err := x.Play(t.Context(), experiment.PlayOptions{Machines: h.remote(), Wrap: func(p player.Player) player.Player { return brokenPlayer{p} }})
	if err == nil || !strings.HasSuffix(err.Error(), "no memory here") {
		t.Error(err)
	}
}

// Games that were stored before, or that come from an earlier scheduler, do not count twice.
func TestResultsOfFormerScheduler(t *testing.T) {
	h := &stubHub{}
	x := begin(t, config(program("1", "a")), open(t), 10, "greedy")
	good := stubWorker(t, h)
	for _, first := range []uint64{0, 4} { // 0 to 3 are stored
		c := arena.Chunk{Setup: x.Plan.Setup, Player: "greedy", Identity: x.Plan.Players[0].Identity, Version: "1", First: first, Games: 4}
		payload := must.Get(json.Marshal(c))(t)
		h.former = append(h.former, good(&machines.Job{ID: c.ID(), Payload: payload}))
	}
	must.Do(t, x.Play(t.Context(), experiment.PlayOptions{Games: 4}))
	seen := 0
	must.Do(t, x.Play(t.Context(), experiment.PlayOptions{
		Workers: 1, Machines: h.remote(),
		OnStart: func(have [][]arena.Outcome) { seen = len(have[0]) },
		OnGames: func(_ *arena.Player, games []arena.Recorded) error { seen += len(games); return nil },
	}))
	must.Equal(t, seen, 10, "games seen")
}

// An experiment that is removed leaves no jobs to workers elsewhere: while it is played, before its queue was
// opened, or after it was stopped. An experiment that is only stopped leaves its jobs.
func TestRemoveRemovesQueue(t *testing.T) {
	hub := &stubHub{opened: make(chan struct{}, 1)}
	remote := hub.remote()
	path := filepath.Join(t.TempDir(), "experiments.db")
	r := experiment.NewRunner(experiment.RunnerOptions{
		Config: *config(program("1", "a")), Workers: 1, Machines: func() *experiment.Machines { return remote },
		Open: func(bool) (experiment.Store, error) { return store.Open(path) },
	})
	t.Cleanup(r.Close)
	begin := func() {
		t.Helper()
		q := &protocol.StartExperiment{Name: "x", Players: []string{"greedy"}, Games: 1_000_000, Size: board.Size{Rows: 4, Cols: 4}}
		must.Get(r.Start(t.Context(), q))(t)
	}
	remove := func(when string) {
		t.Helper()
		must.Do(t, r.Remove(t.Context(), "x"))
		if n := hub.count(); n != 0 || r.Running() != 0 {
			t.Errorf("removed %s: %d queues, %d experiments run", when, n, r.Running())
		}
	}

	begin()
	remove("at once")

	for len(hub.opened) > 0 {
		<-hub.opened
	}
	begin()
	<-hub.opened
	remove("while it is played")

	for len(hub.opened) > 0 {
		<-hub.opened
	}
	begin()
	<-hub.opened
	must.Do(t, r.Stop(t.Context(), "x"))
	r.Wait()
	must.Equal(t, hub.count(), 1, "stopped")
	remove("after it was stopped")
}

// Workers on other machines that take jobs and never return them do not keep an experiment from finishing.
func TestWorkersGone(t *testing.T) {
	h := &stubHub{cores: 2} // neither core does anything
	x := begin(t, config(program("1", "a")), open(t), 20, "greedy")
	must.Do(t, x.Play(t.Context(), experiment.PlayOptions{Workers: 1, Machines: h.remote()}))
	if r, err := x.Results(t.Context()); err != nil || len(r.Players[0].Games) != 20 {
		t.Error(err)
	}
}

// A worker plays a chunk with files by their hashes, and refuses players that would play differently here.
func TestWorkerConfig(t *testing.T) {
	weights := filepath.Join(t.TempDir(), "w.json")
	must.Do(t, os.WriteFile(weights, []byte(`{"empty":3}`), 0o600))
	fetched := 0
	w := experiment.WorkerConfig{
		Capabilities: catalog.Capabilities{ReadFile: catalog.ReadFile},
		Fetch: func(_ context.Context, sum string) (string, error) {
			fetched++
			if sum != "ab" {
				return "", errors.New("no such file")
			}
			return weights, nil
		},
		Identity: itself,
	}
	factory := w.Factory(t.Context())
	const spec, identity = `expectimax(eval=sum(file="elsewhere.json"),plies=1,death_value=0)`, `expectimax(eval=sum(file="sha256:ab"),plies=1,death_value=0)`
	for _, c := range []struct{ spec, identity, failure string }{
		{"greedy", "greedy", ""},
		{spec, identity, ""},
		{spec, identity, ""}, // not fetched again
		{spec, strings.Replace(identity, "sha256:ab", "sha256:cd", 1), "no such file"},
		{spec, strings.Replace(identity, "sha256:ab", "elsewhere.json", 1), "was not shared"},
		{`exec(cmd="true")`, `exec(cmd="true")`, "exec"},
		{`remote(url="ws://127.0.0.1:1")`, `remote(url="ws://127.0.0.1:1")`, "remote"},
	} {
		chunk := arena.Chunk{Setup: setup, Player: c.spec, Identity: c.identity, Games: 1}
		chunk.Setup.SpawnIdentity = chunk.Setup.Spawn
		f, err := factory(&chunk)
		switch {
		case c.failure == "" && err != nil:
			t.Errorf("%s: %v", c.identity, err)
		case c.failure == "":
			if f.New() == nil {
				t.Errorf("%s has no player", c.identity)
			}
		case err == nil || !strings.Contains(err.Error(), c.failure):
			t.Errorf("%s: %v, want %s", c.identity, err, c.failure)
		}
	}
	must.Equal(t, fetched, 2, "fetched")
	// 2x3 is always solved, so auto plays it by exact values.
	chunk := arena.Chunk{Setup: setup, Player: "auto", Identity: "auto", Games: 1}
	chunk.Setup.Size.Rows, chunk.Setup.Size.Cols = 2, 3
	_, err := factory(&chunk)
	must.Contains(t, fmt.Sprint(err), "this machine has its table of exact values, ", "auto without exact values")
}
