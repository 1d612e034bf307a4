//go:build linux

package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// The bots of a run end with it, however it ends.
func TestNoBotOutlivesTheRun(t *testing.T) {
	soak.Full(t, "starts and kills programs; TestBestWithABot leaves no bot either")
	for name, c := range map[string]struct {
		signal syscall.Signal
		group  bool // to all processes of the group, as a terminal does
		status int
		input  string
	}{
		"Ctrl-C":     {syscall.SIGINT, true, 130, "afterstate: interrupted\n"},
		"terminated": {syscall.SIGTERM, false, 130, "afterstate: interrupted\n"},
		"killed":     {syscall.SIGKILL, false, -1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := clitest.Program(t)
			quick := fmt.Sprintf(`exec(cmd="%s rpc --player random")`, path)
			slow := fmt.Sprintf(`exec(cmd="%s rpc --player expectimax(plies=12)",timeout=1h)`, path)
			cmd := exec.Command(path, "arena", quick, slow, "--games", "1000000", "--json", "-j", "2")
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
			var out, errOut bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errOut
			must.Do(t, cmd.Start())
			clitest.WaitFor(t, func() bool { return len(processesOf(path)) >= 3 })
			to := cmd.Process.Pid
			if c.group {
				to = -to
			}
			must.Do(t, syscall.Kill(to, c.signal))
			_ = cmd.Wait() // the status is checked below
			if got := cmd.ProcessState.ExitCode(); got != c.status || errOut.String() != c.input {
				t.Errorf("status %d, %q", got, &errOut)
			}
			if c.status == 130 && (!strings.Contains(out.String(), `"finished":`) || strings.Contains(out.String(), "forfeits")) {
				t.Errorf("the games so far are not reported: %s", &out)
			}
			if c.status < 0 { // the kernel takes a moment
				clitest.WaitFor(t, func() bool { return len(processesOf(path)) == 0 })
			} else if left := processesOf(path); len(left) > 0 {
				t.Errorf("left: %q", left)
			}
		})
	}
}

// rpc stops at Ctrl-C while it waits and while it thinks.
func TestInterruptRpc(t *testing.T) {
	const question = `{"jsonrpc":"2.0","id":1,"method":"best_move","params":{"board":"2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2"}}` + "\n"
	for name, input := range map[string]string{"waiting": "", "thinking": question} {
		ctx, interrupt := context.WithCancel(t.Context())
		in := &asking{alarm: newAlarm(), input: strings.NewReader(input)}
		go func() {
			<-in.rung
			time.AfterFunc(20*time.Millisecond, interrupt) // thinking takes hours
		}()
		status, _, errOut := clitest.Run(ctx, in, "rpc", "--player", "expectimax(plies=12)")
		if status != 130 || errOut != "afterstate: interrupted\n" {
			t.Errorf("%s: status %d, %q", name, status, errOut)
		}
	}
}

// asking is an input that signals its first read, and blocks after its last line.
type asking struct {
	*alarm
	input *strings.Reader
}

func (a *asking) Read(p []byte) (int, error) {
	a.ring()
	if n, err := a.input.Read(p); err == nil {
		return n, nil
	}
	select {}
}
