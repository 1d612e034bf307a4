//go:build unix

package jetstream_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/jetstream"
	"github.com/afterstate2048/afterstate/experiment/store"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

// stubs starts workers with the permissions of a client each, until ctx ends. Their games take microseconds.
func stubs(ctx context.Context, t testing.TB, o jetstream.Options, workers int) *sync.WaitGroup {
	all := new(sync.WaitGroup)
	for i := range workers {
		w := worker(t, connect(t, o), protocol.Worker{Name: fmt.Sprint("stub-", i), Cores: 1, Version: "1", Signature: "abc"})
		all.Go(func() {
			play := arena.Worker{Queue: w, Factory: factory, Heartbeat: w.Heartbeat()}
			if err := play.Work(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	return all
}

// small is the setup of the shortest games.
var small = arena.Setup{Size: board.Size{Rows: 2, Cols: 2}, Spawn: "random", SpawnIdentity: "random", Seed: 7}

// crowd runs a scheduler for chunks of two games, which workers play already.
func crowd(ctx context.Context, t testing.TB, o jetstream.Options, workers, chunks int, keep func(c *arena.Chunk, games []arena.Recorded) error) {
	t.Helper()
	q := open(t, connect(t, o), info)
	plan := &arena.Planner{MaxGames: 2, ChunkTime: time.Hour}
	plan.Add(arena.Chunk{Setup: small, Player: "random", Identity: "random", Version: "1"}, []arena.Range{{Games: 2 * chunks}}, 1, time.Microsecond)
	s := arena.Scheduler{
		Queue: q, Plan: plan, Capacity: func(string) int { return workers }, Keep: keep,
		Inspect: &arena.Inspector{Factory: factory, Deterministic: func(*arena.Chunk) bool { return true }},
	}
	if err := s.Run(ctx); err != nil {
		t.Fatal(err)
	}
}

// Many workers are served at once, and every game comes.
func TestCrowd(t *testing.T) {
	t.Parallel()
	workers, chunks := soak.Count(20, 200), soak.Count(300, 20_000)
	o := jetstream.Options{URL: hub(t), Namespace: "x"}
	ctx, cancel := context.WithCancel(t.Context())
	all := stubs(ctx, t, o, workers)
	defer all.Wait()
	defer cancel()
	came := map[uint64]bool{} // on a busy machine a lease may end, and a game comes twice
	crowd(ctx, t, o, workers, chunks, func(_ *arena.Chunk, games []arena.Recorded) error {
		for i := range games {
			came[games[i].Index] = true
		}
		return nil
	})
	if len(came) != 2*chunks {
		t.Errorf("%d games came, want %d", len(came), 2*chunks)
	}
}

// BenchmarkCrowd plays chunks of two games by 200 workers, which have a process of their own, as server
// and scheduler have. The scheduler checks the games and writes them to a store.
//
//	go test ./experiment/jetstream -run '^$' -bench Crowd -benchtime 100000x
func BenchmarkCrowd(b *testing.B) {
	const workers = 200
	server := startHelper(b, "server")
	o := jetstream.Options{URL: server.says(b), Namespace: "x"}
	crew := startHelper(b, fmt.Sprintf("%d workers %s", workers, o.URL))
	crew.says(b)
	s, err := store.Open(filepath.Join(b.TempDir(), "arena.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	e := &arena.Plan{Name: "crowd", Setup: small, Games: 2 * b.N, Players: []arena.Player{{Spec: "random", Identity: "random", Versions: []string{"1"}}}}
	if err := s.Create(b.Context(), e); err != nil {
		b.Fatal(err)
	}
	before, began, batches := usage(), time.Now(), 0
	crowd(b.Context(), b, o, workers, b.N, func(_ *arena.Chunk, games []arena.Recorded) error {
		batches++
		_, err := s.Keep(b.Context(), e, &e.Players[0], games)
		return err
	})
	took, after := time.Since(began), usage()
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(b.N)/took.Seconds(), "chunks/s")
	b.ReportMetric(float64(b.N)/float64(batches), "chunks/transaction")
	report := func(who string, cpu time.Duration, memory int64) {
		b.ReportMetric(cpu.Seconds()/float64(b.N)*1e6, who+"-µs/chunk")
		b.ReportMetric(100*cpu.Seconds()/took.Seconds(), who+"-%CPU")
		b.ReportMetric(float64(memory)/(1<<20), who+"-MiB")
	}
	report("scheduler", after.cpu-before.cpu, after.memory)
	u := crew.end(b) // first, since it waits for the server
	report("workers", u.cpu, u.memory)
	u = server.end(b)
	report("server", u.cpu, u.memory)
	if games, err := s.Games(b.Context(), e, &e.Players[0]); err != nil || len(games) != 2*b.N {
		b.Errorf("%d games are stored, %v, want %d", len(games), err, 2*b.N)
	}
}

// use is the processor time of a process, and its largest memory in bytes.
type use struct {
	cpu    time.Duration
	memory int64
}

func useOf(u *syscall.Rusage) use {
	unit := int64(1024)
	if runtime.GOOS == "darwin" {
		unit = 1
	}
	return use{time.Duration(u.Utime.Nano() + u.Stime.Nano()), int64(u.Maxrss) * unit}
}

// usage is that of this process.
func usage() use {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return useOf(&u)
}

// helperVariable makes the test binary run a part of a benchmark, until its stdin ends.
const helperVariable = "AFTERSTATE_CROWD_HELPER"

// helper is a part of a benchmark in a process of its own.
type helper struct {
	cmd *exec.Cmd
	in  io.Closer
	out *bufio.Reader
}

func startHelper(b *testing.B, words string) *helper {
	b.Helper()
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	r := &helper{cmd: exec.Command(self, "-test.run", "^TestHelperProcess$", "-test.v")}
	r.cmd.Env, r.cmd.Stderr = append(os.Environ(), helperVariable+"="+words), os.Stderr
	in, err := r.cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := r.cmd.Start(); err != nil {
		b.Fatal(err)
	}
	r.in, r.out = in, bufio.NewReader(out)
	b.Cleanup(func() { _ = r.cmd.Process.Kill() })
	return r
}

const ready = "ready: "

// says waits until the process is ready, and returns what it said.
func (r *helper) says(b *testing.B) string {
	b.Helper()
	for {
		line, err := r.out.ReadString('\n')
		if err != nil {
			b.Fatalf("a process of the benchmark ended: %v", err)
		}
		if text, ok := strings.CutPrefix(line, ready); ok {
			return strings.TrimSpace(text)
		}
	}
}

// end ends the process.
func (r *helper) end(b *testing.B) use {
	b.Helper()
	_ = r.in.Close()
	_, _ = io.Copy(io.Discard, r.out)
	if err := r.cmd.Wait(); err != nil {
		b.Error(err)
	}
	u, _ := r.cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return useOf(u)
}

// TestHelperProcess is the helper process of BenchmarkCrowd; without its environment variable it does nothing.
func TestHelperProcess(t *testing.T) {
	words := os.Getenv(helperVariable)
	if words == "" {
		return
	}
	if words == "server" {
		fmt.Println(ready + hub(t))
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	}
	var workers int
	var url string
	if _, err := fmt.Sscanf(words, "%d workers %s", &workers, &url); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	all := stubs(ctx, t, jetstream.Options{URL: url, Namespace: "x"}, workers)
	fmt.Println(ready)
	_, _ = io.Copy(io.Discard, os.Stdin)
	stop()
	all.Wait()
}
