package experiment_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/store"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

// lateHub is a hub without workers elsewhere, whose queue repeats deliveries of a former scheduler after the
// new one has begun, as a server does that lost acknowledgements in a crash.
type lateHub struct {
	late []arena.Delivery

	mu     sync.Mutex
	queues map[string]bool // that exist, by ID; true: a scheduler has it
	opened chan struct{}   // receives when a queue is opened, if there is room
}

func (h *lateHub) OpenQueue(_ context.Context, info arena.QueueInfo) (arena.RemoteQueue, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.queues[info.ID] {
		return nil, errors.New("another scheduler plays this experiment")
	}
	if h.queues == nil {
		h.queues = map[string]bool{}
	}
	h.queues[info.ID] = true
	select {
	case h.opened <- struct{}{}:
	default:
	}
	return &lateQueue{arena.NewLocalQueue(), h, info.ID}, nil
}

// count returns the number of queues.
func (h *lateHub) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.queues)
}

func (*lateHub) Experiments(context.Context) ([]arena.QueueStatus, error) { return nil, nil }

func (*lateHub) Overview(context.Context) (*protocol.WorkerList, error) { return nil, nil }

func (*lateHub) PutFile(context.Context, string) (string, error) { return "", nil }

type lateQueue struct {
	*arena.LocalQueue
	hub *lateHub
	id  string
}

func (q *lateQueue) Collect(ctx context.Context) (d arena.Delivery, ack func(), err error) {
	if late := q.hub.late; len(late) > 0 && ctx.Err() == nil {
		q.hub.late = late[1:]
		return late[0], func() {}, nil
	}
	return q.LocalQueue.Collect(ctx)
}

func (*lateQueue) Outstanding(context.Context) ([]arena.Chunk, error)    { return nil, nil }
func (*lateQueue) SetFinished(int)                                       {}
func (*lateQueue) Cores(string) int                                      { return 0 }
func (*lateQueue) Refusals() []arena.Refusal                             { return nil }
func (*lateQueue) Heartbeat() time.Duration                              { return time.Second }
func (*lateQueue) Reject(context.Context, *arena.Delivery, string) error { return nil }

func (q *lateQueue) Close() error {
	q.hub.mu.Lock()
	defer q.hub.mu.Unlock()
	q.hub.queues[q.id] = false
	return nil
}

func (q *lateQueue) Remove(context.Context) error {
	q.hub.mu.Lock()
	defer q.hub.mu.Unlock()
	delete(q.hub.queues, q.id)
	return nil
}

// Games that were stored before and are delivered again do not count twice.
func TestStoredGamesComeAgain(t *testing.T) {
	hub := &lateHub{}
	x := begin(t, config(program("1", true, "a")), open(t), 10, "greedy")
	err := x.Play(t.Context(), experiment.PlayOptions{Games: 4, OnGames: func(p *arena.Player, games []arena.Recorded) error {
		chunk := arena.Chunk{Setup: x.Stored.Setup, Player: p.Spec, Identity: p.Identity, First: games[0].Index, Games: len(games)}
		hub.late = append(hub.late, arena.Delivery{Chunk: chunk, Games: games, Done: true})
		return nil
	}})
	if err != nil || len(hub.late) == 0 {
		t.Fatalf("%d deliveries, %v", len(hub.late), err)
	}
	var seen experiment.Progress
	err = x.Play(t.Context(), experiment.PlayOptions{
		Workers: 1, Remote: &experiment.Remote{Hub: hub, Files: func(string) (map[string]string, error) { return nil, nil }},
		OnStart: func(have [][]arena.Outcome) { seen.Player(&x.Stored.Players[0], have[0], 10) },
		OnGames: func(p *arena.Player, games []arena.Recorded) error {
			seen.Add(p, games)
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if games, wanted := seen.Count(); games != 10 || wanted != 10 || len(hub.late) > 0 {
		t.Errorf("%d of %d games, and %d late deliveries that were not collected; must be 10 of 10", games, wanted, len(hub.late))
	}
}

// An experiment that is removed leaves no chunks to workers elsewhere: while it is played, before its queue was
// opened, or after it was stopped. One that is only stopped does.
func TestRemoveRemovesQueue(t *testing.T) {
	hub := &lateHub{opened: make(chan struct{}, 1)}
	remote := &experiment.Remote{Hub: hub, Files: func(string) (map[string]string, error) { return nil, nil }}
	path := filepath.Join(t.TempDir(), "experiments.db")
	r := experiment.NewRunner(experiment.RunnerOptions{
		Config: *config(program("1", true, "a")), Workers: 1, Remote: func() *experiment.Remote { return remote },
		Open: func(bool) (experiment.Store, error) { return store.Open(path) },
	})
	t.Cleanup(r.Close)
	begin := func() {
		t.Helper()
		q := &protocol.StartExperiment{Name: "x", Players: []string{"greedy"}, Games: 1_000_000, Size: board.Size{Rows: 4, Cols: 4}}
		if _, err := r.Start(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	remove := func(when string) {
		t.Helper()
		if err := r.Remove(t.Context(), "x"); err != nil {
			t.Fatal(err)
		}
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
	if err := r.Stop(t.Context(), "x"); err != nil {
		t.Fatal(err)
	}
	r.Wait()
	if n := hub.count(); n != 1 {
		t.Errorf("stopped: %d queues, want 1", n)
	}
	remove("after it was stopped")
}
