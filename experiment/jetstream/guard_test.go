package jetstream_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	js "github.com/nats-io/nats.go/jetstream"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/jetstream"
)

// shrink makes the stream of results of namespace x small.
func shrink(t *testing.T, j js.JetStream, bytes int64) js.Stream {
	t.Helper()
	s, err := j.Stream(t.Context(), "x-results")
	if err != nil {
		t.Fatal(err)
	}
	config := s.CachedInfo().Config
	config.MaxBytes = bytes
	if s, err = j.UpdateStream(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	return s
}

// flood publishes until the stream of results is full. subject is that of a message.
func flood(t *testing.T, j js.JetStream, size int, subject func(n int) string) {
	t.Helper()
	for n := 0; ; n++ {
		_, err := j.Publish(t.Context(), subject(n), bytes.Repeat([]byte("x"), size))
		var api *js.APIError
		if errors.As(err, &api) && strings.Contains(api.Description, "maximum bytes") {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// deliver lets a worker play a chunk.
func deliver(t *testing.T, q *jetstream.Queue, w *jetstream.WorkerConn) {
	t.Helper()
	if err := q.Put(t.Context(), chunkOf(0)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Take(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := w.Deliver(t.Context(), arena.Delivery{Chunk: chunkOf(0), Games: gamesOf(chunkOf(0)), Done: true}); err != nil {
		t.Fatal(err)
	}
}

// Who may deliver results cannot fill their stream for long: results of experiments that do not exist, or have no
// scheduler, make room for those of others.
func TestFlood(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]struct {
		size    int
		subject func(n int) string
	}{
		"one unknown experiment":   {100_000, func(int) string { return "x.results.nobody" }},
		"many unknown experiments": {5_000, func(n int) string { return fmt.Sprint("x.results.nobody", n) }},
		"a stopped experiment":     {100_000, func(int) string { return "x.results.stopped" }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := start(t, func(o *server.Options) {
				o.Users = []*server.User{
					permitted("scheduler", schedulerPermissions("x", "*")),
					permitted("worker", jetstream.WorkerPermissions("x", "*")),
					{Username: "root"},
				}
				o.NoAuthUser = "root"
			})
			c := connect(t, jetstream.Options{URL: url, Namespace: "x", User: "scheduler", Password: "scheduler"})
			stopped := info
			stopped.ID, stopped.Name = "stopped", "stopped"
			if err := open(t, c, stopped).Close(); err != nil {
				t.Fatal(err)
			}
			q := open(t, c, info)
			w := worker(t, connect(t, jetstream.Options{URL: url, Namespace: "x", User: "worker", Password: "worker"}), workerInfo)
			j := raw(t, url)
			shrink(t, j, 1<<20)
			flood(t, j, f.size, f.subject)
			deliver(t, q, w)
			if d := collect(t, q); !d.Done {
				t.Errorf("collected %+v", d)
			}
		})
	}
}

// Results that a scheduler waits for stay, however full the stream is.
func TestFloodKeepsResults(t *testing.T) {
	t.Parallel()
	url := hub(t)
	c := connect(t, jetstream.Options{URL: url, Namespace: "x"})
	q := open(t, c, info)
	w := worker(t, connect(t, jetstream.Options{URL: url, Namespace: "x"}), workerInfo)
	j := raw(t, url)
	s := shrink(t, j, 1<<20)
	unknown := func(int) string { return "x.results.nobody" }
	for n := range 5 {
		if _, err := j.Publish(t.Context(), unknown(n), []byte("before")); err != nil {
			t.Fatal(err)
		}
	}
	deliver(t, q, w)
	flood(t, j, 1000, unknown)
	await(t, "what came before the oldest result is removed", func() bool {
		i, err := s.Info(t.Context())
		return err == nil && i.State.FirstSeq == 6
	})
	if d := collect(t, q); !d.Done || len(d.Games) != 3 {
		t.Errorf("collected %+v", d)
	}
	await(t, "what came after the oldest result is removed", func() bool {
		i, err := s.Info(t.Context())
		return err == nil && i.State.Msgs == 0
	})
}

// told returns the options of a client, and a channel of the messages that it reports.
func told(url string) (jetstream.Options, chan string) {
	said := make(chan string, 100)
	return jetstream.Options{URL: url, Namespace: "x", OnNotice: func(text string) { said <- text }}, said
}

// expect waits until something is said, and checks it.
func expect(t *testing.T, said chan string, wanted ...string) {
	t.Helper()
	select {
	case got := <-said:
		for _, want := range wanted {
			if !strings.Contains(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		}
	case <-time.After(hang):
		t.Fatalf("nothing is said: want %q", wanted)
	}
}

// collectAll collects until the test ends.
func collectAll(t *testing.T, q *jetstream.Queue) {
	for {
		_, ack, err := q.Collect(t.Context())
		if err != nil {
			return
		}
		ack()
	}
}

// A scheduler reports that it does not keep up with the deliveries for its experiment.
func TestOverrunIsReported(t *testing.T) {
	t.Parallel()
	url := hub(t)
	o, said := told(url)
	q := open(t, connect(t, o), info)
	j := raw(t, url)
	for range 4096 {
		if _, err := j.Publish(t.Context(), "x.results.test", []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	expect(t, said, " stores no more games (", " results of test wait to be read, after 0 messages that were no deliveries); trying again")
	go collectAll(t, q)
	expect(t, said, " stores games again")
}

// A full stream is reported to the scheduler and to workers, and that there is room again.
func TestFullIsReported(t *testing.T) {
	t.Parallel()
	url := hub(t)
	o, scheduler := told(url)
	q := open(t, connect(t, o), info)
	o, player := told(url)
	w := worker(t, connect(t, o), workerInfo)
	shrink(t, raw(t, url), 1<<20)
	if err := q.Put(t.Context(), chunkOf(0)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Take(t.Context()); err != nil {
		t.Fatal(err)
	}
	var full atomic.Bool
	ended := make(chan error, 1)
	go func() {
		d := arena.Delivery{Chunk: chunkOf(0), Games: gamesOf(chunkOf(0))[:1]}
		d.Games[0].Trace = make([]byte, 20_000)
		var err error
		for err == nil && !full.Load() {
			err = w.Deliver(t.Context(), d)
		}
		ended <- err
	}()
	expect(t, player, " stores no more games (stream x-results: maximum bytes exceeded); trying again")
	expect(t, scheduler, " stores no more games (stream x-results is full: 1 MB of results wait for the schedulers of 1 experiment); trying again")
	full.Store(true)
	go collectAll(t, q)
	expect(t, player, " stores games again")
	expect(t, scheduler, " stores games again")
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// However many workers are invented, those that exist are listed.
func TestInventedWorkers(t *testing.T) {
	t.Parallel()
	url := hub(t)
	c := connect(t, jetstream.Options{URL: url, Namespace: "x"})
	open(t, c, info)
	nc := raw(t, url).Conn()
	invent := func(from, to int) {
		for n := from; n < to; n++ {
			if err := nc.Publish(fmt.Sprintf("x.workers.%012x", n), []byte(`{"name":"nobody","cores":1}`)); err != nil {
				t.Fatal(err)
			}
		}
		if err := nc.FlushTimeout(hang); err != nil {
			t.Fatal(err)
		}
	}
	listed := func() (all int, real bool) {
		t.Helper()
		workers, err := c.Workers(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range workers {
			real = real || w.Name == workerInfo.Name
		}
		return len(workers), real
	}
	crew := connect(t, jetstream.Options{URL: url, Namespace: "x"})
	worker(t, crew, workerInfo)
	invent(0, 20_000)
	await(t, "all workers are listed", func() bool {
		all, real := listed()
		return real && all == 20_001
	})
	const maximum = 1 << 15
	invent(20_000, 40_000)
	worker(t, crew, workerInfo) // the first one is listed when it announces itself again
	await(t, "workers that exist are listed", func() bool {
		all, real := listed()
		if all > maximum {
			t.Fatalf("%d workers are listed, want %d at most", all, maximum)
		}
		return real && all > 20_002
	})
}

// Rejected workers that invent a name for every false delivery do not keep experiments from being opened, and do
// not fill the stream that describes them.
func TestManyRejected(t *testing.T) {
	t.Parallel()
	url := hub(t)
	c := connect(t, jetstream.Options{URL: url, Namespace: "x"})
	q := open(t, c, info)
	const names = 1100
	for n := range names {
		if err := q.Reject(t.Context(), &arena.Delivery{Worker: fmt.Sprint("w", n)}, "a false score"); err != nil {
			t.Fatal(err)
		}
	}
	other := info
	other.ID, other.Name = "other", "other"
	open(t, c, other)
	s, err := raw(t, url).Stream(t.Context(), "x-state")
	if err != nil {
		t.Fatal(err)
	}
	i, err := s.Info(t.Context(), js.WithSubjectFilter("x.rejected.*"))
	if n := len(i.State.Subjects); err != nil || n == 0 || n > 1000 {
		t.Errorf("%d of %d rejected workers are stored, %v, want 1,000 at most", n, names, err)
	}
}
