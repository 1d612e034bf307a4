package experiment_test

import (
	"context"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"afterstate/arena"
	"afterstate/arena/store"
	"afterstate/board"
	"afterstate/experiment"
	"afterstate/wire"
)

// lateHub is a hub without workers elsewhere, whose queue repeats deliveries of a former scheduler after the
// new one has begun, as a server does that lost acknowledgements in a crash.
type lateHub struct {
	late    []arena.Delivery
	removed atomic.Int64 // queues
}

func (h *lateHub) OpenQueue(context.Context, arena.QueueInfo) (arena.RemoteQueue, error) {
	return &lateQueue{arena.NewLocalQueue(arena.LocalQueueOptions{}), h}, nil
}

func (*lateHub) Experiments(context.Context) ([]arena.QueueStatus, error) { return nil, nil }

func (*lateHub) PutFile(context.Context, string) (string, error) { return "", nil }

type lateQueue struct {
	*arena.LocalQueue
	hub *lateHub
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
func (*lateQueue) Cores() int                                            { return 0 }
func (*lateQueue) Heartbeat() time.Duration                              { return time.Second }
func (*lateQueue) Reject(context.Context, *arena.Delivery, string) error { return nil }
func (*lateQueue) Close() error                                          { return nil }

func (q *lateQueue) Remove(context.Context) error {
	q.hub.removed.Add(1)
	return nil
}

// Games that were stored before and are delivered again do not count twice.
func TestStoredGamesComeAgain(t *testing.T) {
	hub := &lateHub{}
	x := begin(t, config(program("1", true, "a")), open(t), 10, "greedy")
	err := x.Play(t.Context(), experiment.PlayOptions{Games: 4, OnGames: func(p *store.Player, games []arena.Recorded) error {
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
		OnStart: func(have [][]arena.Game) { seen.Player(&x.Stored.Players[0], have[0], 10) },
		OnGames: func(p *store.Player, games []arena.Recorded) error {
			seen.Add(p, games)
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if games, wanted := seen.Count(); games != 10 || wanted != 10 || len(hub.late) > 0 {
		t.Errorf("%d of %d games, and %d late deliveries that were not collected; want 10 of 10", games, wanted, len(hub.late))
	}
}

// An experiment that is removed while it is played leaves no chunks to workers elsewhere. One that is stopped does.
func TestRemoveRemovesQueue(t *testing.T) {
	hub := &lateHub{}
	remote := &experiment.Remote{Hub: hub, Files: func(string) (map[string]string, error) { return nil, nil }}
	path := filepath.Join(t.TempDir(), "experiments.db")
	r := experiment.NewRunner(experiment.RunnerOptions{
		Config: *config(program("1", true, "a")), Workers: 1, Remote: func() *experiment.Remote { return remote },
		Open: func(bool) (*store.Store, error) { return store.Open(path) },
	})
	t.Cleanup(r.Close)
	begin := func(q *wire.StartExperiment) {
		t.Helper()
		if _, err := r.Start(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	begin(&wire.StartExperiment{Name: "x", Players: []string{"greedy"}, Games: 1_000_000, Size: board.Size{Rows: 4, Cols: 4}})
	if err := r.Stop(t.Context(), "x"); err != nil {
		t.Fatal(err)
	}
	for r.Running() > 0 {
		time.Sleep(time.Millisecond)
	}
	if n := hub.removed.Load(); n != 0 {
		t.Errorf("%d queues are removed after a stop", n)
	}
	begin(&wire.StartExperiment{Name: "x"})
	if err := r.Remove(t.Context(), "x"); err != nil {
		t.Fatal(err)
	}
	if n := hub.removed.Load(); n != 1 || r.Running() != 0 {
		t.Errorf("%d queues are removed with the experiment, and %d experiments run; want 1 and 0", n, r.Running())
	}
}
