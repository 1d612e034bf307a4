//go:build unix

package hub_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/cli/hub"
	"github.com/afterstate2048/afterstate/experiment/machines/launch"
	"github.com/afterstate2048/afterstate/internal/must"
)

// lab is a machine with a hub: programs, data folder and processes.
type lab struct {
	testing.TB
	bin, data string
	within    []string // a command that all programs are started by, such as ip netns exec
	hub       *process
	launch.State
}

func newLab(t *testing.T) *lab {
	t.Helper()
	t.Parallel()
	l := &lab{TB: t, bin: t.TempDir(), data: t.TempDir()}
	self := must.Get(os.Executable())(t)
	for _, name := range []string{"afterstate", launch.Program} {
		must.Do(t, os.Symlink(self, filepath.Join(l.bin, name)))
	}
	return l
}

// process is a running program. Its output can be read while it runs.
type process struct {
	t   testing.TB
	cmd *exec.Cmd

	mu          sync.Mutex
	out, errOut bytes.Buffer
	ended       chan struct{}
}

// writer collects one stream of a process.
type writer struct {
	p  *process
	to *bytes.Buffer
}

func (w writer) Write(b []byte) (int, error) {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	return w.to.Write(b)
}

// start starts a program of the lab, in a process group of its own.
func (l *lab) start(program string, args ...string) *process {
	l.Helper()
	return l.startIn(l.within, program, args...)
}

// startIn starts a program by a command such as ip netns exec.
func (l *lab) startIn(before []string, program string, args ...string) *process {
	l.Helper()
	words := append(append(append([]string{}, before...), filepath.Join(l.bin, program)), args...)
	p := &process{t: l.TB, cmd: exec.Command(words[0], words[1:]...), ended: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), "XDG_DATA_HOME="+l.data, "PATH="+l.bin+":"+os.Getenv("PATH"),
		clitest.ParentVariable+"="+strconv.Itoa(os.Getpid()))
	p.cmd.Stdout, p.cmd.Stderr = writer{p, &p.out}, writer{p, &p.errOut}
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	must.Do(l, p.cmd.Start())
	go func() {
		_ = p.cmd.Wait()
		close(p.ended)
	}()
	l.Cleanup(p.kill)
	return p
}

// kill ends a process and its children with SIGKILL.
func (p *process) kill() {
	p.signal(syscall.SIGKILL)
	<-p.ended
}

// signal sends a signal to a process and its children. Once it has ended, another process may have its ID.
func (p *process) signal(s syscall.Signal) {
	if p.running() {
		_ = syscall.Kill(-p.cmd.Process.Pid, s)
	}
}

func (p *process) running() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

func (p *process) stdout() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.String()
}

func (p *process) stderr() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.errOut.String()
}

// ends waits for a process to end by itself and checks its status.
func (p *process) ends(status int) {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(clitest.Hang):
		p.t.Fatalf("%v does not end: %s", p.cmd.Args, p.stderr())
	}
	if got := p.cmd.ProcessState.ExitCode(); got != status {
		p.t.Fatalf("%v: status %d, want %d: %s", p.cmd.Args, got, status, p.stderr())
	}
}

// says waits until a text is in the stderr of a process.
func (p *process) says(text string) {
	p.t.Helper()
	for deadline := time.Now().Add(clitest.Hang); ; time.Sleep(20 * time.Millisecond) {
		running := p.running()
		if strings.Contains(p.stderr(), text) {
			return
		}
		if !running || time.Now().After(deadline) {
			p.t.Fatalf("%v does not say %q: %s", p.cmd.Args, text, p.stderr())
		}
	}
}

// do runs afterstate to its end.
func (l *lab) do(args ...string) string {
	l.Helper()
	p := l.start("afterstate", args...)
	p.ends(0)
	return p.stdout()
}

// startHub starts the hub, or starts it again at its address, and waits until it is ready.
func (l *lab) startHub(more ...string) {
	l.Helper()
	at := "127.0.0.1:0"
	if l.URL != "" {
		_, after, _ := strings.Cut(l.URL, "@")
		at, _, _ = strings.Cut(after, "?")
	}
	l.startHubAt(at, more...)
}

func (l *lab) startHubAt(at string, more ...string) {
	l.Helper()
	args := append([]string{"--listen", at, "--json"}, more...)
	l.hub = l.start(launch.Program, args...)
	clitest.WaitFor(l, func() bool {
		line, err := bufio.NewReader(strings.NewReader(l.hub.stdout())).ReadBytes('\n')
		switch running := l.hub.running(); {
		case running:
		case strings.Contains(l.hub.stderr(), "address already in use"): // another program got the port while the hub was down
			l.hub = l.start(launch.Program, args...)
			return false
		default:
			l.Fatalf("the hub does not start: %s", l.hub.stderr())
		}
		return err == nil && json.Unmarshal(line, &l.State) == nil
	})
}

// worker starts a worker with one core.
func (l *lab) worker(more ...string) *process {
	l.Helper()
	return l.start("afterstate", append([]string{"worker", l.URLs[0], "-j", "1"}, more...)...)
}

// words returns the arguments of an experiment.
func words(name, games string, more ...string) []string {
	return append([]string{"arena", "run", name, "random", "greedy", "snake(depth=0)", "--size", "3x3", "--games", games}, more...)
}

// equal checks that an experiment has the games that one process alone plays, with all moves.
func (l *lab) equal(name, games string) {
	l.Helper()
	l.do(words("alone", games)...)
	l.same(name, "alone")
}

// same checks that two experiments have the same games, each once.
func (l *lab) same(a, b string) {
	l.Helper()
	export := func(name string) string { return l.do("arena", "export", name, "--format", "records") }
	x, y := export(a), export(b)
	if x != y {
		l.Errorf("%s has %d games and %d bytes of records, %s has %d and %d", a, strings.Count(x, "\n"), len(x), b, strings.Count(y, "\n"), len(y))
	}
	must.Equal(l, l.report(a), l.report(b), "reports of", a, "and", b)
}

// report returns an experiment's report without times.
func (l *lab) report(name string) string {
	l.Helper()
	var report struct{ Players []map[string]any }
	must.Do(l, json.Unmarshal([]byte(l.do("arena", "show", name, "--json")), &report))
	for _, p := range report.Players {
		for key := range p {
			if strings.Contains(key, "_per_s") || strings.HasPrefix(key, "ms_") || key == "versions" {
				delete(p, key)
			}
		}
	}
	text := must.Get(json.MarshalIndent(report, "", " "))(l)
	return string(text)
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	must.Do(t, os.WriteFile(path, []byte(text), 0o600))
}

// pause waits for a random time.
func pause(maximum time.Duration) { time.Sleep(time.Duration(rand.Int64N(int64(maximum)))) }

// played returns the number of stored games of an experiment.
func (l *lab) played(name string) (games int) {
	l.Helper()
	p := l.start("afterstate", "arena", "export", name)
	<-p.ended
	return max(0, strings.Count(p.stdout(), "\n")-1)
}

// working checks that workers have not ended.
func (l *lab) working(all ...*process) {
	l.Helper()
	for _, w := range all {
		if !w.running() {
			l.Errorf("%v has ended: %s", w.cmd.Args, w.stderr())
		}
	}
}

const quicker = "TestWorkersAt and TestHub play without faults"

// begin starts an experiment that workers of the hub play.
func (l *lab) begin(games int) (run *process, size string) {
	l.Helper()
	size = strconv.Itoa(games)
	run = l.start("afterstate", append(words("first", size), "--nats", "hub", "-j", "0")...)
	return run, size
}

// interrupted starts an experiment, and calls fault while the workers play it. If the experiment was
// nearly finished by then, because the machine is fast, it is played again with more games.
func (l *lab) interrupted(games int, fault func()) (run *process, size string) {
	l.Helper()
	for ; ; games *= 4 {
		run, size = l.begin(games)
		clitest.WaitFor(l, func() bool { return l.played("first") > 0 })
		fault()
		if l.played("first") < 3*games/2 { // of three players
			return run, size
		}
		l.hub.kill()
		l.startHub()
		run.ends(0)
		l.do("arena", "rm", "first")
	}
}

func TestMain(m *testing.M) {
	clitest.MainWith(m, map[string]func(){launch.Program: hub.Main}, clitest.CacheSignature)
}

func TestScripts(t *testing.T) { clitest.Scripts(t) }
