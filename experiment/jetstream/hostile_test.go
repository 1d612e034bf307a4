package jetstream_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/jetstream"
)

// raw is a client without this package.
func raw(t *testing.T, url string) js.JetStream {
	t.Helper()
	nc, err := nats.Connect(url, nats.Timeout(hang))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	j, err := js.New(nc, js.WithDefaultTimeout(hang))
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// collectNone fails if there is a delivery.
func collectNone(t *testing.T, q *jetstream.Queue) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if d, _, err := q.Collect(ctx); err == nil {
		t.Errorf("collected %+v", d)
	}
}

func collect(t *testing.T, q *jetstream.Queue) arena.Delivery {
	t.Helper()
	d, ack, err := q.Collect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ack()
	return d
}

// Garbage, deliveries of chunks that nobody took, and leases of other chunks, experiments and spellings
// do not get through, and are removed from the stream.
func TestForgedDeliveries(t *testing.T) {
	t.Parallel()
	url := hub(t)
	c := connect(t, jetstream.Options{URL: url, Namespace: "x"})
	q := open(t, c, info)
	other := info
	other.ID, other.Name = "other", "other"
	q2 := open(t, c, other)
	w := worker(t, c, workerInfo)
	j := raw(t, url)
	good := chunkOf(0)
	if err := q.Put(t.Context(), good); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Take(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := w.Deliver(t.Context(), arena.Delivery{Chunk: good, Games: gamesOf(good)[:1]}); err != nil {
		t.Fatal(err)
	}
	m, err := lastResult(t, j)
	if err != nil {
		t.Fatal(err)
	}
	var true1 map[string]any
	if err := json.Unmarshal(m, &true1); err != nil {
		t.Fatal(err)
	}
	with := func(key string, value any) []byte {
		all := map[string]any{}
		for k, v := range true1 {
			all[k] = v
		}
		if chunk, ok := all["chunk"].(map[string]any); ok && strings.HasPrefix(key, "chunk.") {
			changed := map[string]any{}
			for k, v := range chunk {
				changed[k] = v
			}
			changed[strings.TrimPrefix(key, "chunk.")] = value
			key, value = "chunk", changed
		}
		all[key] = value
		data, _ := json.Marshal(all)
		return data
	}
	bad := [][]byte{
		nil, []byte("{"), []byte("null"), []byte("[]"), []byte("\x00\xff"), []byte(`{"chunk":{"games":-5}}`), []byte(`{"lease":"."}`), []byte(strings.Repeat("[", 100_000)),
		with("lease", ""), with("lease", "A."+strings.Repeat("0", 32)), with("lease", true1["lease"].(string)+"0"), with("lease", 5),
		with("games", 5), with("games", "[]"), with("games", []any{1}), with("games", []any{map[string]any{"Moves": 1e30}}), with("games", []any{map[string]any{"Largest": 256}}),
		with("chunk.first_game", 3), with("chunk.games", 1000), with("chunk.player", "random"), with("chunk.identity", "random"), with("chunk.version", "2"),
	}
	for _, data := range bad {
		if _, err := j.Publish(t.Context(), "x.results.test", data); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := j.Publish(t.Context(), "x.results.other", m); err != nil { // a lease of another experiment
		t.Fatal(err)
	}
	if d := collect(t, q); len(d.Games) != 1 || d.Done || d.Worker != w.Info().ID {
		t.Errorf("collected %+v", d)
	}
	for end := time.Now().Add(hang); (q.Garbage() < int64(len(bad)) || q2.Garbage() < 1) && time.Now().Before(end); {
		collectNone(t, q)
		collectNone(t, q2)
	}
	if n := q.Garbage(); n != int64(len(bad)) {
		t.Errorf("%d messages counted as garbage, want %d", n, len(bad))
	}
	if n := q2.Garbage(); n != 1 {
		t.Errorf("%d messages of the other experiment counted as garbage, want 1", n)
	}
	if err := w.Deliver(t.Context(), arena.Delivery{Chunk: chunkOf(99), Games: gamesOf(chunkOf(99)), Done: true}); err == nil || !strings.Contains(err.Error(), "was not taken here") {
		t.Errorf("a chunk that was not taken: %v", err)
	}
	// Of games that the chunk cannot have one is decoded, so that the scheduler rejects the worker.
	if _, err := j.Publish(t.Context(), "x.results.test", with("games", make([]struct{}, 100_000))); err != nil {
		t.Fatal(err)
	}
	if d := collect(t, q); len(d.Games) != good.Games+1 || d.Worker != w.Info().ID {
		t.Errorf("collected %d games of a chunk of %d", len(d.Games), good.Games)
	}
	if err := w.Deliver(t.Context(), arena.Delivery{Chunk: good, Games: gamesOf(good), Done: true}); err != nil {
		t.Fatal(err)
	}
	if d := collect(t, q); !d.Done {
		t.Errorf("collected %+v", d)
	}
}

// lastResult is the message of the last delivery.
func lastResult(t *testing.T, j js.JetStream) ([]byte, error) {
	s, err := j.Stream(t.Context(), "x-results")
	if err != nil {
		return nil, err
	}
	m, err := s.GetLastMsgForSubject(t.Context(), "x.results.test")
	if err != nil {
		return nil, err
	}
	return m.Data, nil
}

// A rejected worker receives the order to end, its later deliveries are ignored, and its chunks are queued again;
// also after the scheduler was restarted.
func TestRejected(t *testing.T) {
	t.Parallel()
	for !rejects(t) { // until the worker delivers before it knows
	}
}

// rejects returns false if the worker learned of its rejection before its last deliveries.
func rejects(t *testing.T) bool {
	url := hub(t)
	o := jetstream.Options{URL: url, Namespace: "x"}
	s := connect(t, o)
	q := open(t, s, info)
	w := worker(t, connect(t, o), workerInfo)
	for _, first := range []uint64{0, 3, 6} {
		if err := q.Put(t.Context(), chunkOf(first)); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Take(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	final := func(first uint64) bool {
		t.Helper()
		c := chunkOf(first)
		err := w.Deliver(t.Context(), arena.Delivery{Chunk: c, Games: gamesOf(c), Done: true})
		if err != nil && !errors.Is(err, jetstream.ErrRejected) {
			t.Fatal(err)
		}
		return err == nil
	}
	if !final(0) {
		t.Fatal("rejected before")
	}
	d := collect(t, q)
	if err := q.Reject(t.Context(), &d, "a false score"); err != nil {
		t.Fatal(err)
	}
	if !final(3) {
		return false
	}
	if d := collect(t, q); !d.Returned || d.Done || len(d.Games) > 0 || d.Chunk.First != 3 {
		t.Errorf("collected %+v, want the chunk back", d)
	}
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	if !final(6) {
		return false
	}
	again := open(t, s, info)
	d = collect(t, again)
	for d.Returned && d.Chunk.First < 6 { // a delivery whose acknowledgment was lost comes again
		d = collect(t, again)
	}
	if !d.Returned || d.Chunk.First != 6 {
		t.Errorf("collected %+v after a restart, want the chunk back", d)
	}
	if _, err := w.Take(t.Context()); !errors.Is(err, jetstream.ErrRejected) || !strings.Contains(err.Error(), "a false score") {
		t.Errorf("take: %v, want that the worker was rejected and why", err)
	}
	if err := w.Deliver(t.Context(), arena.Delivery{Chunk: chunkOf(6)}); !errors.Is(err, jetstream.ErrRejected) {
		t.Errorf("deliver: %v", err)
	}
	c := chunkOf(3) // it can be put again, although the worker may not have removed it
	if err := again.Put(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if got, err := again.Take(t.Context()); err != nil || got != c {
		t.Errorf("took %+v, %v", got, err)
	}
	return true
}

// Results of a program that plays otherwise do not count.
func TestOtherSignature(t *testing.T) {
	t.Parallel()
	o := jetstream.Options{URL: hub(t), Namespace: "x"}
	q := open(t, connect(t, o), info)
	other := workerInfo
	other.Signature, other.Version = "def", "2"
	reasons := make(chan string, 10)
	c := connect(t, o)
	w, err := c.Join(t.Context(), jetstream.WorkerOptions{Info: other, OnRefused: func(r arena.Refusal) { reasons <- r.String() }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	want := "greedy of test: the experiment is played by version 1 (signature abc), this worker is version 2 (signature def): must be the same signature"
	if got := <-reasons; got != want {
		t.Errorf("refused for %q, want %q", got, want)
	}
	if err := q.Put(t.Context(), chunkOf(0)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if got, err := w.Take(ctx); err == nil {
		t.Errorf("took %+v", got)
	}
	if refused := w.Info().Refused["test-common"].Reason; !strings.Contains(refused, "must be the same signature") {
		t.Errorf("announces %q", refused)
	}
	clitest.WaitFor(t, func() bool { return len(q.Refusals()) == 1 && q.Cores("") == 0 })
}

// playedBy is a chunk of another player.
func playedBy(identity string, first uint64) arena.Chunk {
	c := chunkOf(first)
	c.Player, c.Identity = identity, identity
	return c
}

// takes checks which chunk a worker takes.
func takes(t *testing.T, w *jetstream.WorkerConn, want arena.Chunk) {
	t.Helper()
	if got, err := w.Take(t.Context()); err != nil || got != want {
		t.Errorf("took %+v, %v", got, err)
	}
}

// refuses waits until the scheduler knows that no worker plays a player.
func refuses(t *testing.T, q *jetstream.Queue, want string) {
	t.Helper()
	var got []string
	clitest.WaitFor(t, func() bool {
		got = nil
		for _, r := range q.Refusals() {
			got = append(got, r.Worker+": "+r.String())
		}
		return len(got) > 0
	})
	if len(got) != 1 || got[0] != want {
		t.Errorf("refusals %q, want %q", got, want)
	}
}

// Chunks of programs go to workers that allow them; others play the other players meanwhile, and the scheduler knows
// what nobody plays.
func TestNotAllowed(t *testing.T) {
	t.Parallel()
	o := jetstream.Options{URL: hub(t), Namespace: "x"}
	mixed := info
	mixed.Members = append([]arena.Member{{Identity: "exec bot", Name: "my bot 1", Program: true}}, info.Members...)
	q := open(t, connect(t, o), mixed)
	for _, c := range []arena.Chunk{playedBy("exec bot", 0), chunkOf(0)} {
		if err := q.Put(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	takes(t, worker(t, connect(t, o), workerInfo), chunkOf(0))
	refuses(t, q, "rack-1: my bot 1 of test: workers run other programs and connect to them with --allow-exec only")
	if q.Cores("") != workerInfo.Cores || q.Cores("greedy") != workerInfo.Cores || q.Cores("exec bot") != 0 {
		t.Errorf("%d cores, %d for greedy, %d for the bot", q.Cores(""), q.Cores("greedy"), q.Cores("exec bot"))
	}
	allowing := workerInfo
	allowing.AllowExec = true
	takes(t, worker(t, connect(t, o), allowing), playedBy("exec bot", 0))
	clitest.WaitFor(t, func() bool { return len(q.Refusals()) == 0 && q.Cores("exec bot") == allowing.Cores })
}

// A worker that cannot play a player hands its chunks back and plays the others, and the scheduler knows why.
func TestUnable(t *testing.T) {
	t.Parallel()
	o := jetstream.Options{URL: hub(t), Namespace: "x"}
	two := info
	two.Members = append([]arena.Member{{Identity: "best", Name: "best", Demanding: true}}, info.Members...)
	q := open(t, connect(t, o), two)
	if err := q.Put(t.Context(), playedBy("best", 0)); err != nil {
		t.Fatal(err)
	}
	w := worker(t, connect(t, o), workerInfo)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	play := arena.Worker{Queue: w, Factory: func(c *arena.Chunk) (arena.PlayerFactory, error) {
		return arena.PlayerFactory{}, &arena.UnableError{Err: errors.New("no table of 3x3 here")}
	}}
	ended := make(chan error, 1)
	go func() { ended <- play.Work(ctx) }()
	if d := collect(t, q); !d.Returned || d.Failed != "" {
		t.Errorf("collected %+v", d)
	}
	refuses(t, q, "rack-1: best of test: no table of 3x3 here")
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	for _, c := range []arena.Chunk{playedBy("best", 0), chunkOf(0)} {
		if err := q.Put(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	takes(t, w, chunkOf(0))
	other := connect(t, o)
	takes(t, worker(t, other, workerInfo), playedBy("best", 0))

	// A scheduler that takes over finds the lane with its chunks.
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	again := open(t, connect(t, o), two)
	if err := again.Put(t.Context(), playedBy("best", 3)); err != nil {
		t.Fatal(err)
	}
	takes(t, worker(t, other, workerInfo), playedBy("best", 3))
	if err := again.Remove(t.Context()); err != nil {
		t.Error(err)
	}
}

// A worker that acknowledges a chunk and delivers nothing does not make it disappear.
func TestVanishedChunk(t *testing.T) {
	t.Parallel()
	url := hub(t)
	o := jetstream.Options{URL: url, Namespace: "x", Lease: 100 * time.Millisecond}
	q := open(t, connect(t, o), info)
	if err := q.Put(t.Context(), chunkOf(0)); err != nil {
		t.Fatal(err)
	}
	consumer, err := raw(t, url).Consumer(t.Context(), "x-chunks", "test-common")
	if err != nil {
		t.Fatal(err)
	}
	m, err := consumer.Next()
	if err != nil {
		t.Fatal(err)
	}
	if err := m.DoubleAck(t.Context()); err != nil {
		t.Fatal(err)
	}
	if d := collect(t, q); !d.Returned || d.Chunk != chunkOf(0) {
		t.Errorf("collected %+v, want the chunk back", d)
	}
}
