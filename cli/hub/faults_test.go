//go:build unix

package hub_test

import (
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/experiment/bench"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// If workers are killed at random moments, no game is lost or counted twice.
func TestWorkersKilled(t *testing.T) {
	soak.Full(t, quicker)
	l := newLab(t)
	l.startHub()
	kills := soak.Count(3, 20)
	workers := []*process{l.worker(), l.worker(), l.worker()}
	run, size := l.begin(4000 * kills)
	clitest.WaitFor(t, func() bool { return l.played("first") > 0 })
	for range kills {
		pause(2 * time.Second)
		i := rand.IntN(len(workers))
		workers[i].kill()
		workers[i] = l.worker()
	}
	if !run.running() {
		t.Log("the experiment ended before the last kill")
	}
	run.ends(0)
	l.equal("first", size)
}

// A killed scheduler resumes where it stopped.
func TestSchedulerKilled(t *testing.T) {
	soak.Full(t, quicker)
	l := newLab(t)
	l.startHub()
	l.worker()
	l.worker()
	kills := soak.Count(2, 10)
	run, size := l.begin(4000 * kills)
	kept := 0
	for range kills {
		before := kept
		clitest.WaitFor(t, func() bool { return l.played("first") > before || !run.running() })
		pause(time.Second)
		run.kill()
		if kept = l.played("first"); kept < before {
			t.Fatalf("%d games were stored before a kill, %d after it", before, kept)
		}
		run, _ = l.begin(4000 * kills)
	}
	run.ends(0)
	l.equal("first", size)
}

// While the hub is down, workers and scheduler wait, and continue when it is back.
func TestHubKilled(t *testing.T) {
	soak.Full(t, quicker)
	l := newLab(t)
	l.startHub()
	worker, other := l.worker(), l.worker()
	kills := soak.Count(2, 10)
	run, size := l.interrupted(4000*kills, func() { l.hub.kill() })
	time.Sleep(15 * time.Second) // longer than a worker that was stopped would wait
	if !run.running() {
		t.Fatal("the experiment ended while the hub was down")
	}
	l.startHub()
	for range kills - 1 { // a fast machine may end the experiment before the last kill
		pause(2 * time.Second)
		l.hub.kill()
		pause(2 * time.Second)
		l.startHub()
	}
	run.ends(0)
	l.working(worker, other)
	if !strings.Contains(worker.stderr(), "no connection to") || !strings.Contains(worker.stderr(), "connected to") {
		t.Errorf("the worker does not report the hub: %s", worker.stderr())
	}
	l.equal("first", size)
}

// A worker that is paused until its job is given to another one delivers late, and nothing is counted twice.
func TestWorkerStopped(t *testing.T) {
	soak.Full(t, quicker)
	l := newLab(t)
	l.startHub()
	sleeper := l.worker("--name", "sleeper")
	run, size := l.begin(6000)
	clitest.WaitFor(t, func() bool { return l.played("first") > 0 })
	sleeper.signal(syscall.SIGSTOP)
	l.worker()
	run.ends(0) // its chunk is handed out again
	sleeper.signal(syscall.SIGCONT)
	clitest.WaitFor(t, func() bool { return strings.Contains(l.do("workers", "hub"), "sleeper") })
	l.equal("first", size)
	sleeper.signal(syscall.SIGINT)
	sleeper.ends(0)
}

// smallDisk returns a folder with room for 24 MB.
func smallDisk(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", folder).CombinedOutput(); err != nil {
		notRun(t, "a small disk needs root and mount: "+string(out))
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", folder).Run() })
	return folder
}

// fill fills a small disk with a file.
func fill(t *testing.T, folder string) (ballast string) {
	t.Helper()
	ballast = filepath.Join(folder, "ballast")
	dd := exec.Command("dd", "if=/dev/zero", "of="+ballast, "bs=1M")
	dd.Env = append(os.Environ(), "LC_ALL=C") // for its message
	if out, _ := dd.CombinedOutput(); !strings.Contains(string(out), "No space left") {
		t.Fatalf("the disk is not full: %s", out)
	}
	return ballast
}

// When the hub's disk is full the experiment waits, and continues when there is room.
func TestDiskFull(t *testing.T) {
	soak.Full(t, quicker)
	folder := smallDisk(t)
	l := newLab(t)
	must.Do(t, os.MkdirAll(filepath.Join(l.data, "afterstate"), 0o755))
	must.Do(t, os.Symlink(filepath.Join(folder, "hub"), filepath.Join(l.data, "afterstate", "hub")))
	must.Do(t, os.Mkdir(filepath.Join(folder, "hub"), 0o700))
	l.startHub()
	l.worker()
	run, size := l.begin(8000)
	clitest.WaitFor(t, func() bool { return l.played("first") > 0 })
	ballast := fill(t, folder)
	time.Sleep(3 * time.Second)
	must.Do(t, os.Remove(ballast))
	l.hub.kill() // a server that found its disk full may need a restart
	l.startHub()
	run.ends(0)
	l.equal("first", size)
}

// notRun reports that a test cannot run here. CI accepts it too: a container may lack the rights even of root.
func notRun(t *testing.T, why string) {
	t.Helper()
	t.Skip("NOT RUN: " + why)
}

// The connection between worker and server is cut while both keep running.
func TestPartition(t *testing.T) {
	soak.Full(t, quicker)
	n := strconv.Itoa(os.Getpid() % 10000)
	// Both sides have a network of their own: tests that run meanwhile visit all addresses of this machine.
	home, away := "afterstate-"+n+"a", "afterstate-"+n+"b"
	ip := func(args ...string) ([]byte, error) { return exec.Command("ip", args...).CombinedOutput() }
	t.Cleanup(func() {
		_, _ = ip("netns", "del", home)
		_, _ = ip("netns", "del", away)
	})
	for _, line := range []string{
		"netns add " + home,
		"netns add " + away,
		"-n " + home + " link add wire type veth peer name wire netns " + away,
		"-n " + home + " addr add 10.213.7.1/24 dev wire",
		"-n " + home + " link set lo up",
		"-n " + home + " link set wire up",
		"-n " + away + " addr add 10.213.7.2/24 dev wire",
		"-n " + away + " link set wire up",
	} {
		if out, err := ip(strings.Fields(line)...); err != nil {
			notRun(t, "network namespaces need root and ip: "+line+": "+string(out))
		}
	}
	l := newLab(t)
	l.within = []string{"ip", "netns", "exec", home}
	l.startHubAt("10.213.7.1:0")
	apart := l.startIn([]string{"ip", "netns", "exec", away}, "afterstate", "worker", l.URLs[0], "-j", "1", "--name", "apart")
	apart.says("worker apart with")
	near := l.worker()
	run, size := l.begin(20000)
	down := 5 * time.Second
	for range soak.Count(1, 3) {
		clitest.WaitFor(t, func() bool { return l.played("first") > 0 })
		if out, err := ip("-n", home, "link", "set", "wire", "down"); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		time.Sleep(down)
		if out, err := ip("-n", home, "link", "set", "wire", "up"); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		down = 60 * time.Second
	}
	run.ends(0)
	l.working(apart, near)
	clitest.WaitFor(t, func() bool { return strings.Contains(l.do("workers", "hub"), "apart") })
	l.equal("first", size)
}

// A worker whose disk is full does not end a sweep: it reports the reason, and two other workers train.
func TestWorkerDiskFull(t *testing.T) {
	soak.Full(t, "TestHandedBack of experiment/machines has a worker that can do nothing")
	folder := smallDisk(t)
	fill(t, folder)
	l := newLab(t)
	l.startHub()
	full := l.startIn([]string{"env", "XDG_CACHE_HOME=" + folder}, "afterstate", "worker", l.URLs[0], "-j", "1", "--name", "full")
	full.says("worker full")
	file := filepath.Join(t.TempDir(), "rates.toml")
	writeFile(t, file, "network = \"2x4\"\ngames = 2000\nreport-every = 100\nseeds = 3\n[options]\nlambda = [0, 0.5]\n")
	run := l.start("afterstate", "train", "sweep", file, "--name", "shared", "--nats", "hub", "-j", "0", "--checkpoint-every", "300ms")
	full.says("no space left on device; taking no jobs for 1m0s")
	run.says("shared: worker full handed back a job: ")
	l.worker()
	l.worker()
	run.ends(0)
	l.working(full)
	alone := l.do("train", "sweep", file, "--name", "alone", "-j", "2")
	if got, want := strings.Join(strings.Fields(strings.ReplaceAll(run.stdout(), "shared", "alone")), " "), strings.Join(strings.Fields(alone), " "); got != want {
		t.Errorf("the result is\n%s\nand in one process\n%s", run.stdout(), alone)
	}
}

// A worker with a build that plays differently reports both signatures, and plays nothing.
func TestOtherBuild(t *testing.T) {
	soak.Full(t, quicker)
	l := newLab(t)
	l.startHub()
	self := must.Get(os.Executable())(t)
	binary := must.Get(os.ReadFile(self))(t)
	// Replace the cached signature of this build, which package bench wrote, by another one.
	const other = "0123456789abcdef"
	sum := sha256.Sum256(binary)
	cache := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(cache, "afterstate"), 0o755))
	writeFile(t, filepath.Join(cache, "afterstate", "signature-"+hex.EncodeToString(sum[:16])), other)
	worker := l.startIn([]string{"env", "XDG_CACHE_HOME=" + cache}, "afterstate", "worker", l.URLs[0], "-j", "1", "--name", "older")
	worker.says("worker older")
	run, size := l.begin(200)
	worker.says("cannot play first: ")
	ours := must.Get(bench.LocalSignature(t.Context()))(t)
	for _, signature := range []string{ours, other} {
		must.Contains(t, worker.stderr(), signature)
	}
	l.worker()
	run.ends(0)
	worker.signal(syscall.SIGINT)
	worker.says("ended after 0 games")
	l.equal("first", size)
}
