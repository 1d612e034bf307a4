package machines_test

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"

	"github.com/afterstate2048/afterstate/experiment/machines"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/protocol"
)

// hub is a NATS server in this process that can be stopped and started again. Its address for clients stays the same.
type hub struct {
	t      testing.TB
	folder string
	proxy  net.Listener

	mu     sync.Mutex
	server *server.Server // nil: stopped
	conns  []net.Conn
}

func newHub(t testing.TB) *hub {
	t.Helper()
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	h := &hub{t: t, folder: t.TempDir(), proxy: l}
	h.start()
	go h.pass()
	t.Cleanup(func() {
		_ = l.Close()
		h.stop()
	})
	return h
}

// start starts the server, with the same folder as before.
func (h *hub) start() {
	h.t.Helper()
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: h.folder, NoSigs: true, NoLog: true,
		AuthTimeout: testenv.Hang.Seconds(), // a busy machine may be slow to connect
	})
	if err != nil {
		h.t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(testenv.Hang) {
		h.t.Fatal("the server did not start")
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.server = s
}

// stop ends the server and its connections.
func (h *hub) stop() {
	h.mu.Lock()
	s, conns := h.server, h.conns
	h.server, h.conns = nil, nil
	h.mu.Unlock()
	for _, c := range conns {
		_ = c.Close()
	}
	if s != nil {
		s.Shutdown()
		s.WaitForShutdown()
	}
}

// pass passes connections on to the server.
func (h *hub) pass() {
	for {
		in, err := h.proxy.Accept()
		if err != nil {
			return
		}
		h.mu.Lock()
		if h.server == nil {
			_ = in.Close()
			h.mu.Unlock()
			continue
		}
		out, err := net.Dial("tcp", h.server.Addr().String())
		if err != nil {
			_ = in.Close()
			h.mu.Unlock()
			continue
		}
		h.conns = append(h.conns, in, out)
		h.mu.Unlock()
		for _, pair := range [][2]net.Conn{{in, out}, {out, in}} {
			go func() {
				_, _ = io.Copy(pair[0], pair[1])
				_ = pair[0].Close()
			}()
		}
	}
}

func (h *hub) url() string { return "nats://" + h.proxy.Addr().String() }

// connect connects a client. Jobs are handed out again after a second.
func (h *hub) connect() *machines.Client {
	h.t.Helper()
	return h.connectWith(machines.Options{Silence: time.Second})
}

func (h *hub) connectWith(o machines.Options) *machines.Client {
	h.t.Helper()
	o.URL = h.url()
	c := must.Get(machines.Connect(h.t.Context(), o))(h.t)
	h.t.Cleanup(c.Close)
	return c
}

// raw connects without this package.
func (h *hub) raw() js.JetStream {
	h.t.Helper()
	c := must.Get(nats.Connect(h.url(), nats.Timeout(testenv.Hang)))(h.t)
	h.t.Cleanup(c.Close)
	return must.Get(js.New(c, js.WithDefaultTimeout(testenv.Hang)))(h.t)
}

// messages is the number of messages of a stream.
func (h *hub) messages(stream string) int {
	h.t.Helper()
	s := must.Get(h.raw().Stream(h.t.Context(), stream))(h.t)
	return int(s.CachedInfo().State.Msgs)
}

var (
	info       = machines.QueueInfo{ID: "q", Version: "1", Signature: "abc", SharedExperiment: protocol.SharedExperiment{Name: "first"}}
	workerInfo = protocol.Worker{Name: "rack-1", Cores: 2, Version: "1", Signature: "abc"}
)

// open opens a queue.
func open(t testing.TB, c *machines.Client, info machines.QueueInfo, onTrouble func(worker, reason string)) machines.Queue {
	t.Helper()
	q := must.Get(c.OpenQueue(t.Context(), info, onTrouble))(t)
	t.Cleanup(func() { _ = q.Close() })
	return q
}

// put puts a job.
func put(t testing.TB, q machines.Queue, id string) {
	t.Helper()
	must.Do(t, q.Put(t.Context(), machines.Job{ID: id, Kind: machines.Games, Player: "greedy", Payload: json.RawMessage(`"` + id + `"`)}))
}

// work starts a worker, which ends with the test or by stop.
func work(t testing.TB, c *machines.Client, o machines.WorkerOptions, do machines.Do) (w *machines.Worker, stop func()) {
	t.Helper()
	if o.Info.Name == "" {
		o.Info = workerInfo
	}
	o.Core = func() (machines.Do, func()) { return do, func() {} }
	w = must.Get(c.NewWorker(o))(t)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := w.Work(ctx); err != nil {
			t.Error(err)
		}
	}()
	stop = func() {
		cancel()
		<-ended
	}
	t.Cleanup(stop)
	return w, stop
}

// echo returns the payload of a job.
func echo(_ context.Context, j *machines.Job) (any, int, error) { return j.Payload, 1, nil }

// next returns the next result.
func next(t testing.TB, q machines.Queue) *machines.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testenv.Hang)
	defer cancel()
	r, err := q.Next(ctx)
	if err != nil {
		t.Fatalf("%v\n%s", err, testenv.Stacks())
	}
	return r
}

// results receives and acknowledges the results of some jobs, which must be those of echo.
func results(t testing.TB, q machines.Queue, ids ...string) {
	t.Helper()
	missing := map[string]bool{}
	for _, id := range ids {
		missing[id] = true
	}
	for len(missing) > 0 {
		r := next(t, q)
		if r.Failed != "" || string(r.Payload) != `"`+r.ID+`"` {
			t.Fatalf("result %+v", r)
		}
		r.Ack()
		delete(missing, r.ID)
	}
}
