//go:build unix

package jetstream_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"afterstate/arena"
	"afterstate/arena/jetstream"
	"afterstate/internal/soak"
)

// crowd runs a scheduler with stub workers, which play nothing, and returns how many games came and in
// what time, from the first chunk on. Server and workers are in this process.
func crowd(t testing.TB, workers, chunks int) (games int64, took, cpu time.Duration) {
	o := jetstream.Options{URL: hub(t), Namespace: "x"}
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel()
	for i := range workers {
		w := worker(t, connect(t, o), jetstream.WorkerInfo{Name: fmt.Sprint("stub-", i), Cores: 1, Version: "1", Signature: "abc"})
		all.Go(func() {
			for {
				c, err := w.Take(ctx)
				if err != nil {
					return
				}
				if err := w.Deliver(ctx, arena.Delivery{Chunk: c, Games: gamesOf(c), Done: true}); err != nil {
					return
				}
			}
		})
	}
	q := open(t, connect(t, o), info)
	var came atomic.Int64
	c := chunkOf(0)
	c.Games = 0
	plan := &arena.Plan{MaxGames: 2, ChunkTime: time.Hour}
	plan.Add(c, []arena.Range{{Games: 2 * chunks}}, 1, time.Microsecond)
	s := arena.Scheduler{Queue: q, Plan: plan, Capacity: func() int { return workers }, Keep: func(_ *arena.Chunk, games []arena.Recorded) error {
		came.Add(int64(len(games)))
		return nil
	}}
	before, began := cpuTime(), time.Now()
	if err := s.Run(ctx); err != nil {
		t.Fatal(err)
	}
	return came.Load(), time.Since(began), cpuTime() - before
}

// Many workers are served at once, and every game comes once.
func TestCrowd(t *testing.T) {
	t.Parallel()
	workers, chunks := soak.Count(20, 200), soak.Count(300, 20_000)
	if games, _, _ := crowd(t, workers, chunks); games != int64(2*chunks) {
		t.Errorf("%d games came, want %d", games, 2*chunks)
	}
}

// BenchmarkCrowd plays chunks of two games by 200 workers:
//
//	go test ./arena/jetstream -run '^$' -bench Crowd -benchtime 100000x
func BenchmarkCrowd(b *testing.B) {
	_, took, cpu := crowd(b, 200, b.N)
	b.ReportMetric(float64(b.N)/took.Seconds(), "chunks/s")
	b.ReportMetric(cpu.Seconds()/float64(b.N)*1e6, "cpu-µs/chunk")
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.Sys)/(1<<20), "MiB")
}

// cpuTime is the processor time of this process.
func cpuTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
