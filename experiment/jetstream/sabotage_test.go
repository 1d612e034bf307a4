package jetstream_test

import (
	"context"
	"sync"
	"testing"
	"time"

	js "github.com/nats-io/nats.go/jetstream"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/jetstream"
)

// sabotages return what a single client does with all chunks.
var sabotages = map[string]func(ctx context.Context, t *testing.T, url string) func(){
	"handed back": func(ctx context.Context, t *testing.T, url string) func() {
		consumer, err := raw(t, url).Consumer(ctx, "x-chunks", "test-common")
		if err != nil {
			t.Fatal(err)
		}
		return func() {
			for ctx.Err() == nil {
				if m, err := consumer.Next(js.FetchContext(ctx)); err == nil {
					_ = m.Nak()
				}
			}
		}
	},
	"failing under many names": func(ctx context.Context, t *testing.T, url string) func() {
		c := connect(t, jetstream.Options{URL: url, Namespace: "x"})
		return func() {
			for ctx.Err() == nil {
				w, err := c.Join(ctx, jetstream.WorkerOptions{Info: workerInfo}) // has another secret, and so another ID
				if err != nil {
					continue
				}
				if chunk, err := w.Take(ctx); err == nil {
					_ = w.Deliver(ctx, arena.Delivery{Chunk: chunk, Failed: "out of order"})
				}
				_ = w.Close()
			}
		}
	},
}

// One client that takes all chunks and plays none does not end an experiment: the scheduler plays the games.
func TestSabotage(t *testing.T) {
	t.Parallel()
	for name, sabotage := range sabotages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := hub(t)
			if err := open(t, connect(t, jetstream.Options{URL: url, Namespace: "x"}), info).Close(); err != nil { // makes the consumer
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			var all sync.WaitGroup
			all.Go(sabotage(ctx, t, url))
			k := &kept{games: map[string]map[uint64]arena.Outcome{}}
			err := schedule(t, jetstream.Options{URL: url, Namespace: "x", Lease: 2 * time.Second}, k, []string{"greedy"}, 3, 3)
			cancel()
			all.Wait()
			if err != nil {
				t.Fatal(err)
			}
			checkAll(t, k, []string{"greedy"}, 3)
		})
	}
}
