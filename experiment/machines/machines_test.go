package machines_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	js "github.com/nats-io/nats.go/jetstream"

	"github.com/afterstate2048/afterstate/experiment/machines"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/protocol"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// Jobs reach workers, even if they were queued before a worker connected, and each result comes back once.
func TestJobs(t *testing.T) {
	h := newHub(t)
	q := open(t, h.connect(), info, nil)
	put(t, q, "a")
	put(t, q, "a") // already in the queue
	if n := h.messages("afterstate-jobs"); n != 1 {
		t.Errorf("%d jobs, want 1", n)
	}
	w, stop := work(t, h.connect(), machines.WorkerOptions{}, echo)
	put(t, q, "b")
	results(t, q, "a", "b")
	stop()
	if got := w.Info(); got.Games < 2 || got.State != protocol.WorkerWaiting {
		t.Errorf("worker %+v", got)
	}
	testenv.WaitFor(t, func() bool { return h.messages("afterstate-jobs")+h.messages("afterstate-results") == 0 })
	for id, want := range map[string]string{"": "must be up to 64", "a.b": "must be up to 64", "c": "a job has "} {
		j := machines.Job{ID: id, Payload: json.RawMessage(`"` + strings.Repeat("x", 2<<20) + `"`)}
		if err := q.Put(t.Context(), j); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("job %q: %v, want %s", id, err, want)
		}
	}
}

// A result that is too large for a message travels as a file, which is removed with it.
func TestLargeResult(t *testing.T) {
	h := newHub(t)
	q := open(t, h.connect(), info, nil)
	large := strings.Repeat("large ", 1<<20)
	work(t, h.connect(), machines.WorkerOptions{}, func(context.Context, *machines.Job) (any, int, error) { return large, 1, nil })
	put(t, q, "a")
	r := next(t, q)
	var got string
	if err := json.Unmarshal(r.Payload, &got); err != nil || got != large {
		t.Errorf("%d bytes, %v", len(r.Payload), err)
	}
	r.Ack()
	store := must.Get(h.raw().ObjectStore(t.Context(), "afterstate-files"))(t)
	if list, err := store.List(t.Context()); !errors.Is(err, js.ErrNoObjectsFound) {
		t.Errorf("%d files, %v", len(list), err)
	}
}

// A worker that cannot do a job hands it back with the reason and takes no jobs for a while. Other workers do the job.
func TestHandedBack(t *testing.T) {
	h := newHub(t)
	var mu sync.Mutex
	var troubles []string
	q := open(t, h.connect(), info, func(worker, reason string) {
		mu.Lock()
		defer mu.Unlock()
		troubles = append(troubles, worker+": "+reason)
	})
	notices := make(chan string, 10)
	full := workerInfo
	full.Name, full.Cores = "full", 1
	w, _ := work(t, h.connect(), machines.WorkerOptions{Info: full, OnNotice: func(text string) { notices <- text }},
		func(context.Context, *machines.Job) (any, int, error) {
			return nil, 0, errors.New("no space left on device")
		})
	put(t, q, "a")
	if text := <-notices; text != "handed back greedy of first: no space left on device; taking no jobs for 1m0s" {
		t.Error(text)
	}
	testenv.WaitFor(t, func() bool { return w.Info().State == protocol.WorkerPaused })
	work(t, h.connect(), machines.WorkerOptions{}, echo)
	ids := []string{"a"}
	for i := range 20 {
		ids = append(ids, fmt.Sprint("b", i))
		put(t, q, ids[len(ids)-1])
	}
	results(t, q, ids...)
	mu.Lock()
	defer mu.Unlock()
	if !slices.Equal(troubles, []string{"full: no space left on device"}) || w.Info().Trouble != "no space left on device" {
		t.Errorf("troubles %q, %q", troubles, w.Info().Trouble)
	}
}

// A job that failed three times is left to the scheduler.
func TestFailsAtAll(t *testing.T) {
	h := newHub(t)
	var failures atomic.Int64
	q := open(t, h.connect(), info, func(string, string) { failures.Add(1) })
	work(t, h.connect(), machines.WorkerOptions{Pause: time.Millisecond}, func(_ context.Context, j *machines.Job) (any, int, error) {
		if j.ID == "bad" {
			return nil, 0, errors.New("no memory")
		}
		return j.Payload, 1, nil
	})
	put(t, q, "bad")
	if r := next(t, q); r.ID != "bad" || r.Failed != "no memory" || failures.Load() != 3 {
		t.Errorf("%+v after %d failures", r, failures.Load())
	}
	put(t, q, "good")
	results(t, q, "good")
	testenv.WaitFor(t, func() bool { return h.messages("afterstate-jobs") == 0 })
}

// If the server no longer has a file that a job needs, the job fails and the scheduler gets it back. The worker does not
// pause: it takes the next job at once.
func TestFileGone(t *testing.T) {
	h := newHub(t)
	q, c := open(t, h.connect(), info, nil), h.connect()
	work(t, c, machines.WorkerOptions{Pause: time.Hour}, func(ctx context.Context, j *machines.Job) (any, int, error) {
		if j.ID == "gone" {
			return nil, 0, c.ReadFile(ctx, strings.Repeat("0", 64), io.Discard)
		}
		return j.Payload, 1, nil
	})
	put(t, q, "gone")
	if r := next(t, q); r.ID != "gone" || !strings.Contains(r.Failed, "object not found") {
		t.Errorf("%+v", r)
	}
	put(t, q, "good")
	results(t, q, "good")
}

// A result that the scheduler finds wrong is a failure too.
func TestWrongResult(t *testing.T) {
	h := newHub(t)
	q := open(t, h.connect(), info, nil)
	n := 0
	one := workerInfo
	one.Cores = 1
	work(t, h.connect(), machines.WorkerOptions{Info: one}, func(_ context.Context, j *machines.Job) (any, int, error) {
		n++
		return n, 1, nil
	})
	put(t, q, "a")
	for i := range 3 {
		r := next(t, q)
		given, err := q.Fail(t.Context(), r, "wrong")
		if err != nil || (given != nil) != (i == 2) {
			t.Fatalf("after %d failures: %+v, %v", i+1, given, err)
		}
		if given != nil && (given.ID != "a" || given.Failed != "wrong") {
			t.Errorf("%+v", given)
		}
	}
}

// A job whose worker falls silent goes to another worker; after too many silent workers it is left to the scheduler.
func TestSilentWorkers(t *testing.T) {
	h := newHub(t)
	q := open(t, h.connect(), info, nil)
	put(t, q, "a")
	s, err := h.raw().Stream(t.Context(), "afterstate-jobs")
	if err != nil {
		t.Fatal(err)
	}
	_, stop := work(t, h.connect(), machines.WorkerOptions{}, echo) // it makes the consumer
	results(t, q, "a")
	stop()
	// A list of the consumers would name it too, but the server reads the list without locks while the stopped worker's
	// last request may still update the consumer.
	name := sha256.Sum256([]byte(info.Signature))
	consumer := must.Get(s.Consumer(t.Context(), hex.EncodeToString(name[:8])))(t)
	// take takes a job and never answers, like a worker that is killed.
	take := func() {
		t.Helper()
		batch := must.Get(consumer.Fetch(1, js.FetchMaxWait(testenv.Hang)))(t)
		if m := <-batch.Messages(); m == nil {
			t.Fatal(batch.Error())
		}
	}
	put(t, q, "b")
	take()
	_, stop = work(t, h.connect(), machines.WorkerOptions{}, echo)
	results(t, q, "b")
	stop()
	if !soak.Wanted() {
		return
	}
	put(t, q, "c")
	for range 8 {
		take()
	}
	work(t, h.connect(), machines.WorkerOptions{}, echo)
	if r := next(t, q); r.ID != "c" || r.Failed != "greedy: workers took the job 8 times, and none finished it" {
		t.Errorf("%+v", r)
	}
}

// A worker that is stopped hands back its jobs, and another one gets them at once.
func TestWorkerEnds(t *testing.T) {
	h := newHub(t)
	q := open(t, h.connectWith(machines.Options{Silence: testenv.Hang}), info, nil)
	begun := make(chan bool, 10)
	_, stop := work(t, h.connectWith(machines.Options{Silence: testenv.Hang}), machines.WorkerOptions{}, func(ctx context.Context, j *machines.Job) (any, int, error) {
		begun <- true
		<-ctx.Done()
		return nil, 0, ctx.Err()
	})
	put(t, q, "a")
	<-begun
	stop()
	work(t, h.connectWith(machines.Options{Silence: testenv.Hang}), machines.WorkerOptions{}, echo)
	results(t, q, "a")
}

// Jobs and results outlive their scheduler. Results that it had not stored come to the next one.
func TestSchedulerEnds(t *testing.T) {
	h := newHub(t)
	q := open(t, h.connect(), info, nil)
	if _, err := h.connect().OpenQueue(t.Context(), info, nil); !errors.Is(err, machines.ErrHeld) {
		t.Errorf("a second scheduler: %v", err)
	}
	work(t, h.connect(), machines.WorkerOptions{}, echo)
	for _, id := range []string{"a", "b", "c"} {
		put(t, q, id)
	}
	_ = next(t, q) // received, but not stored
	must.Do(t, q.Close())
	if _, err := q.Next(t.Context()); !errors.Is(err, machines.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	q = open(t, h.connect(), info, nil)
	results(t, q, "a", "b", "c")
	put(t, q, "d")
	must.Do(t, q.Remove(t.Context()))
	if n := h.messages("afterstate-jobs") + h.messages("afterstate-results"); n > 1 { // the worker may deliver d
		t.Errorf("%d messages are left", n)
	}
}

// The claim of a killed scheduler on this machine is free at once. A scheduler loses its claim if another one takes it over.
func TestClaims(t *testing.T) {
	h := newHub(t)
	c := h.connect()
	must.Do(t, c.Prepare(t.Context()))
	ended := exec.Command(os.Args[0], "-test.run=^$") // this program, without a test
	must.Do(t, ended.Run())
	host, _ := os.Hostname()
	kv := must.Get(h.raw().KeyValue(t.Context(), "afterstate-queues"))(t)
	claim := func(pid int) {
		t.Helper()
		text := fmt.Sprintf(`{"id":"q","owner":{"host":%q,"pid":%d,"token":"x"}}`, host, pid)
		must.Get(kv.Put(t.Context(), "q", []byte(text)))(t)
	}
	claim(ended.Process.Pid)
	q := open(t, c, info, nil)
	claim(1)
	ctx, cancel := context.WithTimeout(t.Context(), testenv.Hang)
	defer cancel()
	if _, err := q.Next(ctx); !errors.Is(err, machines.ErrHeld) {
		t.Errorf("taken over: %v", err)
	}
}

// Schedulers and workers wait while the server is down, and continue when it is back, even if it has lost its disk.
func TestServerEnds(t *testing.T) {
	h := newHub(t)
	q := open(t, h.connect(), info, nil)
	var n atomic.Int64
	work(t, h.connect(), machines.WorkerOptions{}, func(ctx context.Context, j *machines.Job) (any, int, error) {
		n.Add(1)
		return echo(ctx, j)
	})
	put(t, q, "a")
	results(t, q, "a")
	h.stop()
	waiting := make(chan bool)
	go func() {
		put(t, q, "b")
		close(waiting)
	}()
	h.start()
	<-waiting
	results(t, q, "b")
	h.stop()
	h.folder = t.TempDir()
	h.start()
	put(t, q, "c")
	results(t, q, "c")
}

// Workers of another build take no jobs, and both sides say so. Only workers that allow programs take jobs that run programs.
func TestRefusals(t *testing.T) {
	h := newHub(t)
	q := open(t, h.connect(), info, nil)
	other := workerInfo
	other.Name, other.Version, other.Signature = "old", "0", "def"
	notices := make(chan string, 10)
	never := func(_ context.Context, j *machines.Job) (any, int, error) {
		t.Errorf("the wrong worker got job %s", j.ID)
		return nil, 0, nil
	}
	work(t, h.connect(), machines.WorkerOptions{Info: other, OnNotice: func(text string) { notices <- text }}, never)
	const want = "the jobs come from version 1 (signature abc), this worker is version 0 (signature def): both need the same signature"
	if text := <-notices; text != "cannot play first: "+want {
		t.Error(text)
	}
	testenv.WaitFor(t, func() bool { return q.Refusal(false) == want+" (worker old)" })
	work(t, h.connect(), machines.WorkerOptions{}, never)
	testenv.WaitFor(t, func() bool { return q.Cores(false) == 2 })
	if q.Cores(true) != 0 || !strings.Contains(q.Refusal(true), "worker rack-1 may not run") || q.Refusal(false) != "" {
		t.Errorf("%d cores for programs, %q, %q", q.Cores(true), q.Refusal(true), q.Refusal(false))
	}
	must.Do(t, q.Put(t.Context(), machines.Job{ID: "p", Payload: json.RawMessage(`"p"`), Programs: true}))
	free := workerInfo
	free.Name, free.AllowExec = "free", true
	work(t, h.connect(), machines.WorkerOptions{Info: free}, echo)
	results(t, q, "p")
	testenv.WaitFor(t, func() bool { return q.Cores(true) == 2 && q.Cores(false) == 4 && q.Refusal(true) == "" })
}

// The overview lists workers and queues.
func TestOverview(t *testing.T) {
	h := newHub(t)
	c := h.connect()
	if list, err := c.Overview(t.Context()); err != nil || len(list.Workers)+len(list.Queues) != 0 || list.Server != h.url() {
		t.Errorf("%+v, %v", list, err)
	}
	described := info
	described.Players, described.Games = []string{"greedy"}, 100
	q := open(t, c, described, nil)
	begun, end := make(chan bool, 10), make(chan bool)
	defer close(end)
	one := workerInfo
	one.Cores = 1
	work(t, h.connect(), machines.WorkerOptions{Info: one}, func(ctx context.Context, j *machines.Job) (any, int, error) {
		begun <- true
		select {
		case <-end:
		case <-ctx.Done():
		}
		return nil, 0, ctx.Err()
	})
	put(t, q, "a")
	put(t, q, "b")
	q.SetFinished(7)
	<-begun
	testenv.WaitFor(t, func() bool {
		list, err := c.Overview(t.Context())
		if err != nil || len(list.Workers) != 1 || len(list.Queues) != 1 {
			return false
		}
		w, x := &list.Workers[0], &list.Queues[0]
		return w.Name == "rack-1" && w.State == protocol.WorkerPlaying && len(w.Playing) == 1 && w.Playing[0] == protocol.PlayedJobs{Experiment: "first", Player: "greedy", Cores: 1} &&
			x.Jobs == 2 && x.Finished == 7 && x.Games == 100 && strings.Contains(x.Scheduler, fmt.Sprint("process ", os.Getpid()))
	})
}

func TestParseURL(t *testing.T) {
	t.Parallel()
	cert := strings.Repeat("ab", 32)
	for text, want := range map[string]machines.Options{
		"host":                       {URL: "nats://host:4222"},
		"nats://T@host?cert=" + cert: {URL: "nats://host:4222", Token: "T", CertSHA256: cert},
		"tls://u:p@[::1]:1":          {URL: "tls://[::1]:1", User: "u", Password: "p"},
	} {
		got, err := machines.ParseURL(text)
		if err != nil || got.URL != want.URL || got.Token != want.Token || got.User != want.User || got.Password != want.Password ||
			got.CertSHA256 != want.CertSHA256 {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"":                         "has no host",
		"http://host":              `scheme "http"`,
		"host/path":                `path "/path"`,
		"SECRET@ho st":             "not the URL",
		"host?cert=12":             `certificate fingerprint "12"`,
		"host?certificate=" + cert: `parameter "certificate" in the URL: must be cert`,
	} {
		if _, err := machines.ParseURL(text); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
