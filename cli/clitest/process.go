package clitest

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/cli"
)

// Hang is how long a test waits for an event before it fails. It ends a hang, and is far longer than the event
// takes on a slow and busy machine.
const Hang = 10 * time.Minute

// WaitFor waits until ready returns true. It fails after Hang.
func WaitFor(t testing.TB, ready func() bool) {
	t.Helper()
	for deadline := time.Now().Add(Hang); !ready(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("waited in vain")
		}
	}
}

// Program returns a path to this test binary under the program's name, which makes it act as the
// program.
func Program(tb testing.TB) string {
	tb.Helper()
	binary, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	link := filepath.Join(tb.TempDir(), "afterstate")
	if err := os.Symlink(binary, link); err != nil {
		tb.Fatal(err)
	}
	return link
}

// Run executes a command line in this process.
func Run(ctx context.Context, in io.Reader, args ...string) (status int, out, errOut string) {
	var o, e bytes.Buffer
	status = cli.Run(ctx, args, in, &o, &e)
	return status, o.String(), e.String()
}

// Process runs the program with its own data folder.
type Process struct {
	T             testing.TB
	program, Data string
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
	cmd = exec.Command(p.program, args...)
	cmd.Env = append(os.Environ(), "XDG_DATA_HOME="+p.Data)
	cmd.Stdout, cmd.Stderr = out, errOut
	if err := cmd.Start(); err != nil {
		p.T.Fatal(err)
	}
	p.T.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, out, errOut
}

// Run runs a command to its end.
func (p *Process) Run(args ...string) (status int, out, errOut string) {
	cmd, o, e := p.Start(args...)
	_ = cmd.Wait()
	return cmd.ProcessState.ExitCode(), o.String(), e.String()
}
