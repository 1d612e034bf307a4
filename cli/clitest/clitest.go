// Package clitest helps to test the command line: a test binary can act as the program, run command lines in its
// own process, and drive the program on a pseudo-terminal.
//
//	func TestMain(m *testing.M) { clitest.Main(m) }
//
//	func TestScripts(t *testing.T) { clitest.Scripts(t) }
package clitest

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/afterstate2048/afterstate/cli"
	"github.com/afterstate2048/afterstate/experiment/bench"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/testenv"
)

// Main calls the functions in before and then runs the tests, which share a cache folder. If a test starts the test
// binary under the program's name, the binary acts as the program instead.
func Main(m *testing.M, before ...func()) { MainWith(m, nil, before...) }

// MainWith does what Main does, for a test binary that can also act as other programs. The keys of
// programs are their names.
func MainWith(m *testing.M, programs map[string]func(), before ...func()) {
	// A program built with the race detector sleeps for a second at exit by default. The bots that tests start
	// can exit at once.
	_ = os.Setenv("GORACE", "atexit_sleep_ms=0")
	all := map[string]func(){"afterstate": cli.Main}
	maps.Copy(all, programs)
	for name, program := range all {
		all[name] = func() {
			endWithTests()
			program()
		}
	}
	testscript.Main(cached{m, before}, all)
}

// ParentVariable is the environment variable with the process ID of the test binary. A program that finds the ID
// of its parent there exits when the parent has ended, even if the tests were killed.
const ParentVariable = "AFTERSTATE_TEST_PARENT"

// endWithTests ends this process soon after the test binary that started it has ended.
func endWithTests() {
	parent := os.Getppid()
	if os.Getenv(ParentVariable) != strconv.Itoa(parent) {
		return
	}
	go func() {
		for os.Getppid() == parent {
			time.Sleep(time.Second)
		}
		os.Exit(1)
	}()
}

// cached is a testing.M whose tests share a cache folder.
type cached struct {
	*testing.M
	before []func()
}

func (c cached) Run() int {
	return testenv.Run(func() int {
		for _, do := range c.before {
			do()
		}
		return c.M.Run()
	})
}

// CacheSignature computes the program's signature in advance. Otherwise each parallel test would compute it, which
// takes half a minute with the race detector.
func CacheSignature() {
	if _, err := bench.LocalSignature(context.Background()); err != nil {
		panic(err)
	}
}

// Golden compares lines with a golden file in testdata, or rewrites the file; see must.Golden.
func Golden(t *testing.T, name string, lines []string) {
	t.Helper()
	must.Golden(t, filepath.Join("testdata", name), []byte(strings.Join(lines, "\n")+"\n"))
}

// Hang is how long a test waits for an event before it fails.
var Hang = testenv.Hang

// WaitFor waits until ready returns true. After Hang the test fails.
func WaitFor(t testing.TB, ready func() bool) {
	t.Helper()
	testenv.WaitFor(t, ready)
}

// Program creates a link to this test binary under the program's name, and returns the path of the
// link. Started by that path, the binary acts as the program.
func Program(tb testing.TB) string {
	tb.Helper()
	binary := must.Get(os.Executable())(tb)
	link := filepath.Join(tb.TempDir(), "afterstate")
	must.Do(tb, os.Symlink(binary, link))
	return link
}

// Run executes a command line in this process. It returns the exit status and the texts on stdout
// and stderr.
func Run(ctx context.Context, in io.Reader, args ...string) (status int, out, errOut string) {
	var o, e bytes.Buffer
	status = cli.Run(ctx, args, in, &o, &e)
	return status, o.String(), e.String()
}

// StartServer runs, in this process, a command that starts a server, and returns the first line of its output: the
// server's address. stop ends the command and returns its exit status and its stderr.
func StartServer(t *testing.T, args ...string) (address string, stop func() (status int, errOut string)) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	out, in := io.Pipe()
	var errOut strings.Builder
	done := make(chan int, 1)
	go func() {
		status := cli.Run(ctx, args, strings.NewReader(""), in, &errOut)
		_ = in.Close()
		done <- status
	}()
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	if err != nil {
		t.Fatalf("%v: status %d, %s", err, <-done, errOut.String())
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	return strings.TrimSpace(line), func() (int, string) {
		cancel()
		return <-done, errOut.String()
	}
}

// Process runs the program with its own data folder.
type Process struct {
	T             testing.TB
	Program, Data string // path of the program, and its data folder
}

// NewProcess returns a Process with an empty data folder.
func NewProcess(tb testing.TB) *Process {
	tb.Helper()
	return &Process{tb, Program(tb), tb.TempDir()}
}

// Start starts a command. The buffers hold its complete output after it has ended.
func (p *Process) Start(args ...string) (cmd *exec.Cmd, out, errOut *bytes.Buffer) {
	p.T.Helper()
	out, errOut = new(bytes.Buffer), new(bytes.Buffer)
	cmd = exec.Command(p.Program, args...)
	cmd.Env = append(os.Environ(), "XDG_DATA_HOME="+p.Data)
	cmd.Stdout, cmd.Stderr = out, errOut
	must.Do(p.T, cmd.Start())
	p.T.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, out, errOut
}

// Run runs a command to its end.
func (p *Process) Run(args ...string) (status int, out, errOut string) {
	cmd, o, e := p.Start(args...)
	_ = cmd.Wait()
	return cmd.ProcessState.ExitCode(), o.String(), e.String()
}
