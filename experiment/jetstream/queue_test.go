package jetstream_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/jetstream"
)

var opened atomic.Int64

// connect connects to a server in a namespace of its own, unless o has one.
func connect(t testing.TB, o jetstream.Options) *jetstream.Client {
	t.Helper()
	c, err := jetstream.Connect(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// info describes the experiment of a test.
var info = arena.QueueInfo{ID: "test", Name: "test", Version: "1", Signature: "abc", Members: []arena.Member{{Identity: "greedy", Name: "greedy"}}}

// open opens the queue of an experiment.
func open(t testing.TB, c *jetstream.Client, info arena.QueueInfo) *jetstream.Queue {
	t.Helper()
	q, err := c.OpenQueue(t.Context(), info)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = q.Close() })
	return q.(*jetstream.Queue)
}

// A queue within one process passes, on virtual time.
func TestLocalQueue(t *testing.T) {
	basics.run(t, synctest.Test, func(*testing.T, time.Duration, int) arena.Queue { return arena.NewLocalQueue() })
}

// The queue of one client passes.
func TestQueue(t *testing.T) {
	t.Parallel()
	url := hub(t)
	passes(t, func(t *testing.T, lease time.Duration, attempts int) arena.Queue {
		c := connect(t, jetstream.Options{URL: url, Namespace: fmt.Sprint("test", opened.Add(1)), Lease: lease, MaxAttempts: attempts})
		return open(t, c, info)
	})
}

// A server with a small store says what is missing.
func TestSmallStore(t *testing.T) {
	t.Parallel()
	c := connect(t, jetstream.Options{URL: start(t, func(o *server.Options) { o.JetStreamMaxStore = 100 << 20 })})
	if _, err := c.OpenQueue(t.Context(), info); err == nil || !strings.Contains(err.Error(), "no room for stream afterstate-chunks") {
		t.Errorf("error %v", err)
	}
}
