package jetstream_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/jetstream"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/internal/testenv"
)

// program is the server, built from its module.
var program = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "nats-server")
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "nats-server")
	out, err := exec.Command("go", "build", "-o", path, "github.com/nats-io/nats-server/v2").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if soak.Wanted() {
		if path, err := program(); err == nil {
			_ = os.RemoveAll(filepath.Dir(path))
		}
	}
	os.Exit(code)
}

// process is a server in a process of its own.
type process struct {
	name, url, config string
	cmd               *exec.Cmd
}

// freePort returns a port that nobody listens at now. The system gives ports from 32768 up (on Linux; from
// 49152 up elsewhere) to connections and listeners that name none, also while a server is away: those below
// remain free. Each call returns another port.
func freePort(t *testing.T) int {
	t.Helper()
	for range 1000 {
		port := 20_000 + rand.IntN(10_000)
		if _, given := givenPorts.LoadOrStore(port, true); given {
			continue
		}
		if l, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", port)); err == nil {
			_ = l.Close()
			return port
		}
	}
	t.Fatal("there is no free port from 20000 to 29999")
	return 0
}

var givenPorts sync.Map

// processes starts a number of servers, one cluster if there are several.
func processes(t *testing.T, n int) []*process {
	t.Helper()
	var all []*process
	var routes []string
	var ports []int
	for range n {
		ports = append(ports, freePort(t))
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", ports[len(ports)-1]))
	}
	for i := range n {
		port := freePort(t)
		p := &process{name: fmt.Sprint("n", i), url: fmt.Sprintf("nats://127.0.0.1:%d", port)}
		folder := t.TempDir()
		text := fmt.Sprintf("server_name: n%d\nlisten: 127.0.0.1:%d\njetstream: {store_dir: %q, max_file_store: 1TB}\nmax_payload: 8MB\n", i, port, folder)
		if n > 1 {
			text += fmt.Sprintf("cluster: {name: c, listen: \"127.0.0.1:%d\", routes: [%s]}\n", ports[i], strings.Join(routes, ", "))
		}
		p.config = filepath.Join(folder, "server.conf")
		if err := os.WriteFile(p.config, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		p.start(t)
		t.Cleanup(p.kill)
		all = append(all, p)
	}
	for _, p := range all {
		p.ready(t, n)
	}
	return all
}

func (p *process) start(t *testing.T) {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	p.cmd = exec.Command(path, "-c", p.config)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
}

// kill ends the server without a chance to write anything.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// hang is how long a test waits for something that never happens.
const hang = time.Minute

// await waits until so, which what says, is true.
func await(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(hang); !so(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after %v it is not so that %s\n%s", hang, what, testenv.Stacks())
		}
	}
}

// ready waits until the server's JetStream answers, with all its peers.
func (p *process) ready(t *testing.T, servers int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), hang)
	defer cancel()
	for {
		if err := p.try(ctx, servers); err == nil {
			return
		} else if ctx.Err() != nil {
			t.Fatalf("%s is not ready: %v", p.name, err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func (p *process) try(ctx context.Context, servers int) error {
	nc, err := nats.Connect(p.url) // within 2 s, or ready tries again
	if err != nil {
		return err
	}
	defer nc.Close()
	j, err := js.New(nc)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if _, err := j.CreateOrUpdateStream(ctx, js.StreamConfig{Name: "probe", Subjects: []string{"probe"}, Replicas: servers}); err != nil {
		return err
	}
	_, err = j.Publish(ctx, "probe", nil)
	return err
}

// clusters are the numbers of servers to test with.
var clusters = []int{1, 3}

func urls(all []*process) string {
	var list []string
	for _, p := range all {
		list = append(list, p.url)
	}
	return strings.Join(list, ",")
}

// A server in a process of its own, and a cluster of three that stores everything three times, pass.
func TestQueueOfProcesses(t *testing.T) {
	soak.Full(t, "starts servers; TestQueue uses one in this process")
	for _, n := range clusters {
		all := processes(t, n)
		t.Run(fmt.Sprintf("%d servers", n), func(t *testing.T) {
			passes(t, func(t *testing.T, lease time.Duration, attempts int) arena.Queue {
				c := connect(t, jetstream.Options{URL: urls(all), Namespace: fmt.Sprint("test", opened.Add(1)), Lease: lease, MaxAttempts: attempts, Replicas: n})
				return open(t, c, info)
			})
		})
	}
}

// A server that is killed and comes back loses no game. In a cluster, the others play on without each of
// the leaders that the queue depends on.
func TestServerKilled(t *testing.T) {
	soak.Full(t, "starts servers and kills them; TestSchedulerRestarts ends schedulers in this process")
	for _, n := range clusters {
		t.Run(fmt.Sprintf("%d servers", n), func(t *testing.T) {
			all := processes(t, n)
			o := jetstream.Options{URL: urls(all), Namespace: "x", Replicas: n, Lease: 3 * time.Second}
			ctx, cancel := context.WithCancel(t.Context())
			var workers sync.WaitGroup
			for i := range 2 {
				at := workerInfo
				at.Name, at.Cores = fmt.Sprint("rack-", i), 1
				w := worker(t, connect(t, o), at)
				play := arena.Worker{Queue: w, Factory: factory, Heartbeat: w.Heartbeat(), DeliverEvery: 5 * time.Millisecond}
				workers.Go(func() {
					if err := play.Work(ctx); err != nil {
						t.Error(err)
					}
				})
			}
			defer workers.Wait()
			defer cancel()
			const each = 400 // games until the next kill
			k := &kept{games: map[string]map[uint64]arena.Outcome{}}
			k.allow(each)
			defer k.allow(math.MaxInt)
			kills := soak.Count(1, 20/n)
			specs := []string{"greedy", "random"}
			done := make(chan error, 1)
			go func() {
				err := errors.New("the scheduler failed")
				defer func() { // also if the test fails there
					done <- err
					cancel()
				}()
				err = schedule(t, o, k, specs, each*(kills+1)/len(specs), 1<<30)
			}()
			for kill := 1; kill <= kills; kill++ {
				if !k.reached(ctx, kill*each) {
					break
				}
				role := roles[kill%len(roles)]
				victim := role.leader(t, all)
				victim.kill()
				killed, before := time.Now(), kill*each+each/2
				k.allow(before)
				if n > 1 { // the others play on without it
					k.reached(ctx, before)
					t.Logf("kill %d: %s led %s %s; %d games came in %v without it", kill, victim.name, role.stream, role.consumer, each/2, time.Since(killed).Round(time.Millisecond))
				}
				victim.start(t)
				victim.ready(t, n)
				caughtUp(t, all)
				k.allow((kill + 1) * each)
			}
			k.allow(math.MaxInt)
			if err := <-done; err != nil {
				t.Fatal(err)
			}
			checkAll(t, k, specs, each*(kills+1)/len(specs))
		})
	}
}

// reached waits until a number of games is kept.
func (k *kept) reached(ctx context.Context, games int) bool {
	for k.count() < games && ctx.Err() == nil {
		time.Sleep(10 * time.Millisecond)
	}
	return ctx.Err() == nil
}

// role is what a server of a cluster can lead: a stream, or one of its consumers.
type role struct{ stream, consumer string }

// roles are those that the queue of the experiment "test" in namespace x depends on.
var roles = []role{
	{"x-results", "test"}, {"x-chunks", "test-common"}, {"x-results", ""}, {"x-chunks", ""}, {"x-state", ""},
}

// leader is the server that has the role.
func (r role) leader(t *testing.T, all []*process) *process {
	t.Helper()
	if len(all) == 1 {
		return all[0]
	}
	j := raw(t, urls(all))
	for end := time.Now().Add(hang); time.Now().Before(end); {
		name := r.leads(t.Context(), j)
		for _, p := range all {
			if p.name == name {
				return p
			}
		}
		time.Sleep(100 * time.Millisecond) // the cluster chooses one
	}
	t.Fatalf("%s %s has no leader", r.stream, r.consumer)
	return nil
}

// caughtUp waits until every server has all that the queue stores. Until then a cluster of three does not
// survive the loss of another one.
func caughtUp(t *testing.T, all []*process) {
	t.Helper()
	if len(all) == 1 {
		return
	}
	j := raw(t, urls(all))
	for _, r := range roles {
		await(t, "all servers have caught up with "+r.stream+" "+r.consumer, func() bool { return r.current(t.Context(), j, len(all)) })
	}
}

// current reports whether all servers have what the role stores.
func (r role) current(ctx context.Context, j js.JetStream, servers int) bool {
	cluster := r.cluster(ctx, j)
	if cluster == nil || cluster.Leader == "" {
		return false
	}
	current := 1
	for _, peer := range cluster.Replicas {
		if peer.Current {
			current++
		}
	}
	return current == servers
}

// leads is the name of the server that has the role now, "" if it is not known.
func (r role) leads(ctx context.Context, j js.JetStream) string {
	if cluster := r.cluster(ctx, j); cluster != nil {
		return cluster.Leader
	}
	return ""
}

// cluster describes the servers that have the role's data, nil if that is not known.
func (r role) cluster(ctx context.Context, j js.JetStream) *js.ClusterInfo {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	s, err := j.Stream(ctx, r.stream)
	if err != nil {
		return nil
	}
	if r.consumer == "" {
		return s.CachedInfo().Cluster
	}
	c, err := s.Consumer(ctx, r.consumer)
	if err != nil {
		return nil
	}
	return c.CachedInfo().Cluster
}
