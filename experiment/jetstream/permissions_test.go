package jetstream_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/jetstream"
)

// schedulerPermissions are those of a client that begins experiments in a namespace: everything with its streams, and
// nothing outside of it. id is its Options.ID or "*".
func schedulerPermissions(namespace, id string) jetstream.Permissions {
	p := jetstream.Permissions{
		Publish:   []string{"$JS.API.INFO", namespace + ".>", "$O." + namespace + "-files.>"},
		Subscribe: []string{namespace + ".inbox." + id + ".>"},
	}
	for _, stream := range []string{"-chunks", "-results", "-state", "-workers", "-files"} {
		s := namespace + stream
		if stream == "-files" {
			s = "OBJ_" + s
		}
		p.Publish = append(p.Publish,
			"$JS.API.STREAM.*."+s, "$JS.API.STREAM.MSG.*."+s, "$JS.API.DIRECT.GET."+s, "$JS.API.DIRECT.GET."+s+".>",
			"$JS.API.CONSUMER.*."+s, "$JS.API.CONSUMER.*."+s+".>", "$JS.API.CONSUMER.MSG.NEXT."+s+".>",
			"$JS.ACK."+s+".>", "$JS.FC."+s+".>")
	}
	return p
}

// permitted is a user of a server with some permissions.
func permitted(name string, p jetstream.Permissions) *server.User {
	return &server.User{Username: name, Password: name, Permissions: &server.Permissions{
		Publish: &server.SubjectPermission{Allow: p.Publish}, Subscribe: &server.SubjectPermission{Allow: p.Subscribe},
	}}
}

// The permissions of schedulers and workers suffice for what they do.
func TestPermissionsSuffice(t *testing.T) {
	t.Parallel()
	url := start(t, func(o *server.Options) {
		o.Users = []*server.User{
			permitted("scheduler", schedulerPermissions("lab", "s1")),
			permitted("worker", jetstream.WorkerPermissions("lab", "w1")),
		}
	})
	s := connect(t, jetstream.Options{URL: url, Namespace: "lab", User: "scheduler", Password: "scheduler", ID: "s1"})
	c := connect(t, jetstream.Options{URL: url, Namespace: "lab", User: "worker", Password: "worker", ID: "w1"})
	model := filepath.Join(t.TempDir(), "model")
	if err := os.WriteFile(model, []byte("weights"), 0o666); err != nil {
		t.Fatal(err)
	}
	sum, err := s.PutFile(t.Context(), model)
	if err != nil {
		t.Fatal(err)
	}
	w := worker(t, c, workerInfo) // before any experiment was begun
	q := open(t, s, info)
	chunk := chunkOf(0)
	if err := q.Put(t.Context(), chunk); err != nil {
		t.Fatal(err)
	}
	if got, err := w.Take(t.Context()); err != nil || got != chunk {
		t.Fatalf("took %+v, %v", got, err)
	}
	if _, err := c.GetFile(t.Context(), sum, t.TempDir()); err != nil {
		t.Error(err)
	}
	for _, d := range []arena.Delivery{{Chunk: chunk}, {Chunk: chunk, Games: gamesOf(chunk)[:1]}, {Chunk: chunk, Games: gamesOf(chunk)[1:], Done: true}} {
		if err := w.Deliver(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		d, ack, err := q.Collect(t.Context())
		if err != nil || d.Worker != w.Info().ID {
			t.Fatalf("collected %+v, %v", d, err)
		}
		ack()
	}
	for _, who := range []*jetstream.Client{s, c} {
		if all, err := who.Workers(t.Context()); err != nil || len(all) != 1 || all[0].Name != workerInfo.Name {
			t.Errorf("workers %+v, %v", all, err)
		}
	}
	if list, err := c.Overview(t.Context()); err != nil || !list.Denied || len(list.Workers) != 1 || len(list.Queues) != 0 {
		t.Errorf("a worker sees %+v, %v", list, err)
	}
	all, err := s.Experiments(t.Context())
	if err != nil || len(all) != 1 || all[0].Name != "test" || all[0].Scheduler == "" || all[0].Waiting+all[0].Leased != 0 {
		t.Errorf("experiments %+v, %v", all, err)
	}
	if err := q.Remove(t.Context()); err != nil {
		t.Error(err)
	}
}

// Workers may do nothing else.
func TestWorkersMayNot(t *testing.T) {
	t.Parallel()
	url := start(t, func(o *server.Options) {
		o.Users = []*server.User{
			permitted("scheduler", schedulerPermissions("lab", "*")),
			permitted("worker", jetstream.WorkerPermissions("lab", "w1")),
		}
	})
	open(t, connect(t, jetstream.Options{URL: url, Namespace: "lab", User: "scheduler", Password: "scheduler"}), info)
	refused := make(chan error, 100)
	nc, err := nats.Connect(url, nats.UserInfo("worker", "worker"), nats.CustomInboxPrefix("lab.inbox.w1"), nats.Timeout(hang),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	for _, subject := range []string{
		"lab.results.test", "lab.results.>", "lab.chunks.>", "lab.inbox.>", "lab.inbox.other.1", "_INBOX.>", ">", "$JS.ACK.>", "lab.workers.>",
	} {
		if _, err := nc.SubscribeSync(subject); err != nil {
			t.Fatal(err)
		}
		expectRefusal(t, refused, "subscribe to "+subject)
	}
	for _, subject := range []string{
		"lab.chunks.test.common.1", "lab.experiments.test", "lab.owners.test", "lab.rejected.0", "$O.lab-files.C.x", "other.results.test",
		"$JS.API.STREAM.INFO.lab-chunks", "$JS.API.STREAM.DELETE.lab-chunks", "$JS.API.STREAM.PURGE.lab-results", "$JS.API.STREAM.MSG.GET.lab-chunks",
		"$JS.API.STREAM.NAMES", "$JS.API.DIRECT.GET.lab-chunks", "$JS.API.DIRECT.GET.lab-results", "$JS.API.CONSUMER.CREATE.lab-chunks",
		"$JS.API.CONSUMER.CREATE.lab-results.x", "$JS.API.CONSUMER.DELETE.lab-chunks.test-common", "$JS.API.CONSUMER.MSG.NEXT.lab-results.test",
		"$JS.ACK.lab-results.test.1.1.1.1.1", "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.lab-chunks.test-common", "lab.inbox.w2.1",
	} {
		if err := nc.Publish(subject, []byte("{}")); err != nil {
			t.Fatal(err)
		}
		expectRefusal(t, refused, "publish to "+subject)
	}
}

func expectRefusal(t *testing.T, refused chan error, what string) {
	t.Helper()
	select {
	case err := <-refused:
		if !errors.Is(err, nats.ErrPermissionViolation) && !strings.Contains(strings.ToLower(err.Error()), "permissions violation") {
			t.Errorf("%s: %v", what, err)
		}
	case <-time.After(hang):
		t.Errorf("%s is permitted", what)
	}
}

// A scheduler reaches nothing outside of its namespace.
func TestSchedulersMayNot(t *testing.T) {
	t.Parallel()
	url := start(t, func(o *server.Options) {
		o.Users = []*server.User{
			permitted("lab", schedulerPermissions("lab", "*")),
			permitted("other", schedulerPermissions("other", "*")),
		}
	})
	open(t, connect(t, jetstream.Options{URL: url, Namespace: "lab", User: "lab", Password: "lab"}), info)
	nc, err := nats.Connect(url, nats.UserInfo("other", "other"), nats.CustomInboxPrefix("other.inbox.x"), nats.Timeout(hang), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	j, err := js.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := j.Stream(ctx, "lab-chunks"); err == nil {
		t.Error("a scheduler of another namespace reads the stream of chunks")
	}
}
