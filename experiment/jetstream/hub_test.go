package jetstream_test

import (
	"testing"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/jetstream"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

// hub starts a server with JetStream in this process, and returns its URL.
func hub(t testing.TB) string { return start(t, func(*server.Options) {}) }

// start is hub with further options.
func start(t testing.TB, change func(*server.Options)) string {
	t.Helper()
	return startServer(t, change).ClientURL()
}

// startServer is start, and returns the server.
func startServer(t testing.TB, change func(*server.Options)) *server.Server {
	t.Helper()
	o := &server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true,
		AuthTimeout: hang.Seconds(),                      // a busy machine may be slow to connect
		MaxPayload:  8 << 20, JetStreamMaxStore: 1 << 40, // each namespace reserves 1.4 GB, whatever the disk has
	}
	change(o)
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(hang) {
		t.Fatal("the server did not start")
	}
	return s
}

var workerInfo = protocol.Worker{Name: "rack-1", Cores: 2, Version: "1", Signature: "abc"}

// worker starts a worker.
func worker(t testing.TB, c *jetstream.Client, info protocol.Worker) *jetstream.WorkerConn {
	t.Helper()
	w, err := c.Join(t.Context(), jetstream.WorkerOptions{Info: info})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// chunkOf is a chunk of three games that nobody plays, named by the first one.
func chunkOf(first uint64) arena.Chunk {
	return arena.Chunk{
		Setup:  arena.Setup{Size: board.Size{Rows: 3, Cols: 3}, Spawn: "random", SpawnIdentity: "random", Seed: 7},
		Player: "greedy", Identity: "greedy", Version: "1", First: first, Games: 3,
	}
}

// gamesOf are outcomes for a chunk.
func gamesOf(c arena.Chunk) (all []arena.Recorded) {
	for i := range uint64(c.Games) {
		all = append(all, arena.Recorded{Outcome: arena.Outcome{Seed: 7, Index: c.First + i, Score: int64(i)}, Trace: []byte{1}})
	}
	return all
}
