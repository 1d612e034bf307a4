package jetstream_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/jetstream"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/protocol"
)

// shows waits until a client sees these workers and this queue of the experiment of a test. Times, IDs and hosts may be
// any.
func shows(t *testing.T, c *jetstream.Client, queue protocol.ExperimentQueue, workers ...protocol.Worker) {
	t.Helper()
	queue.Name, queue.Players = "test", []string{"greedy"}
	difference := ""
	defer func() {
		if t.Failed() {
			t.Log(difference)
		}
	}()
	await(t, "the overview is as it should be", func() bool {
		list, err := c.Overview(t.Context())
		if err != nil || list.Denied || list.Server == "" || len(list.Queues) != 1 || list.Queues[0].Scheduler == "" {
			t.Fatalf("%+v, %v", list, err)
		}
		difference = cmp.Diff(queue, list.Queues[0], cmpopts.IgnoreFields(protocol.RemoteExperiment{}, "Scheduler")) +
			cmp.Diff(workers, list.Workers, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(protocol.Worker{}, "ID", "Host", "HeardS", "SinceS", "GamesPerS"), cmpopts.IgnoreFields(protocol.PlayedChunks{}, "ForS"))
		return difference == ""
	})
}

// rack is the worker of a test in an overview.
func rack(state protocol.WorkerState, games int64, failures ...protocol.WorkerFailure) protocol.Worker {
	w := workerInfo
	w.State, w.Games, w.Failures = state, games, failures
	return w
}

// failed is what failed at the player of a test.
func failed(kind protocol.FailureKind, count int64, reason string) protocol.WorkerFailure {
	return protocol.WorkerFailure{Kind: kind, Experiment: "test", Player: "greedy", Count: count, Reason: reason}
}

// puts puts a number of chunks and takes none.
func puts(t *testing.T, q *jetstream.Queue, chunks uint64) {
	t.Helper()
	for n := range chunks {
		if err := q.Put(t.Context(), chunkOf(3*n)); err != nil {
			t.Fatal(err)
		}
	}
}

func delivers(t *testing.T, w *jetstream.WorkerConn, d arena.Delivery) {
	t.Helper()
	if err := w.Deliver(t.Context(), d); err != nil {
		t.Fatal(err)
	}
}

// The overview has the chunks that wait and that were handed out, what a worker plays, and what failed there.
func TestOverview(t *testing.T) {
	t.Parallel()
	o := jetstream.Options{URL: hub(t), Namespace: "x"}
	s := connect(t, o)
	q := open(t, s, info)
	puts(t, q, 3)
	shows(t, s, protocol.ExperimentQueue{Waiting: 3})

	w := worker(t, connect(t, o), workerInfo)
	takes(t, w, chunkOf(0))
	playing := rack(protocol.WorkerPlaying, 0)
	playing.Playing = []protocol.PlayedChunks{{Experiment: "test", Player: "greedy", Cores: 1, First: 0, Last: 2}}
	shows(t, s, protocol.ExperimentQueue{Waiting: 2, Leased: 1}, playing)

	games := gamesOf(chunkOf(0))
	games[1].Forfeit = player.Forfeit{Reason: "illegal move", Detail: "stderr: secret"}
	delivers(t, w, arena.Delivery{Chunk: chunkOf(0), Games: games, Done: true})
	takes(t, w, chunkOf(3))
	delivers(t, w, arena.Delivery{Chunk: chunkOf(3), Failed: "no table"})
	failures := []protocol.WorkerFailure{failed(protocol.FailedChunks, 1, "no table"), failed(protocol.FailedForfeits, 1, "illegal move")}
	shows(t, s, protocol.ExperimentQueue{Waiting: 1, Results: 2}, rack(protocol.WorkerWaiting, 3, failures...))

	older := protocol.Worker{Name: "rack-2", Cores: 1, Version: "0", Signature: "def"}
	worker(t, connect(t, o), older)
	refused := failed(protocol.FailedRefused, 0, "the experiment is played by version 1 (signature abc), this worker is version 0 (signature def): must be the same signature")
	older.State, older.Failures = protocol.WorkerWaiting, []protocol.WorkerFailure{refused}
	shows(t, s, protocol.ExperimentQueue{Waiting: 1, Results: 2}, rack(protocol.WorkerWaiting, 3, failures...), older)
}

// A chunk whose worker is silent is handed out again, which both sides show.
func TestLostLease(t *testing.T) {
	t.Parallel()
	o := jetstream.Options{URL: hub(t), Namespace: "x", Lease: 500 * time.Millisecond}
	s := connect(t, o)
	q := open(t, s, info)
	puts(t, q, 1)
	silent := worker(t, connect(t, o), workerInfo)
	takes(t, silent, chunkOf(0))
	time.Sleep(o.Lease)
	next := workerInfo
	next.Name = "rack-2"
	again := worker(t, connect(t, o), next)
	takes(t, again, chunkOf(0))
	delivers(t, silent, arena.Delivery{Chunk: chunkOf(0), Games: gamesOf(chunkOf(0))[:1]})
	delivers(t, silent, arena.Delivery{Chunk: chunkOf(0), Games: gamesOf(chunkOf(0))[1:2]}) // it counts once
	first := rack(protocol.WorkerPlaying, 2, failed(protocol.FailedLeases, 1, ""))
	first.Playing = []protocol.PlayedChunks{{Experiment: "test", Player: "greedy", Cores: 1, First: 0, Last: 2}}
	second := rack(protocol.WorkerPlaying, 0)
	second.Name, second.Playing = "rack-2", first.Playing
	shows(t, s, protocol.ExperimentQueue{Leased: 1, Redelivered: 1, Results: 2}, first, second)
}

// A rejected worker is listed with the reason after it has ended.
func TestRejectedIsListed(t *testing.T) {
	t.Parallel()
	o := jetstream.Options{URL: hub(t), Namespace: "x"}
	s := connect(t, o)
	q := open(t, s, info)
	puts(t, q, 1)
	w := worker(t, connect(t, o), workerInfo)
	takes(t, w, chunkOf(0))
	delivers(t, w, arena.Delivery{Chunk: chunkOf(0), Games: gamesOf(chunkOf(0)), Done: true})
	d := collect(t, q)
	if err := q.Reject(t.Context(), &d, "a false score"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Take(t.Context()); !errors.Is(err, jetstream.ErrRejected) {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	rejected := protocol.WorkerFailure{Kind: protocol.FailedRejected, Reason: "a false score"}
	shows(t, s, protocol.ExperimentQueue{}, rack(protocol.WorkerRejected, 3, rejected))
}
