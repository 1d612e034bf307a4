//go:build linux

package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// However a run ends, its bots end with it.
func TestNoBotOutlivesTheRun(t *testing.T) {
	for name, c := range map[string]struct {
		signal syscall.Signal
		group  bool // to all processes of the group, as a terminal does
		status int
		said   string
	}{
		"Ctrl-C":     {syscall.SIGINT, true, 130, "afterstate: interrupted\n"},
		"terminated": {syscall.SIGTERM, false, 130, "afterstate: interrupted\n"},
		"killed":     {syscall.SIGKILL, false, -1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := program(t)
			quick := fmt.Sprintf(`exec(cmd="%s rpc --player random")`, path)
			slow := fmt.Sprintf(`exec(cmd="%s rpc --player expectimax(plies=12)",timeout=1h)`, path)
			cmd := exec.Command(path, "arena", quick, slow, "--games", "1000000", "--json", "-j", "2")
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
			var out, errOut bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errOut
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			for range 500 {
				if len(processesOf(path)) >= 3 {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			time.Sleep(100 * time.Millisecond)
			to := cmd.Process.Pid
			if c.group {
				to = -to
			}
			if err := syscall.Kill(to, c.signal); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // its status is looked at
			if got := cmd.ProcessState.ExitCode(); got != c.status || errOut.String() != c.said {
				t.Errorf("status %d, %q", got, &errOut)
			}
			if c.status == 130 && (!strings.Contains(out.String(), `"finished":`) || strings.Contains(out.String(), "forfeits")) {
				t.Errorf("it does not report what it had: %s", &out)
			}
			left := processesOf(path)
			for i := 0; i < 200 && c.status < 0 && len(left) > 0; i++ { // the kernel takes a moment
				time.Sleep(10 * time.Millisecond)
				left = processesOf(path)
			}
			if len(left) > 0 {
				t.Errorf("left: %q", left)
			}
		})
	}
}

// rpc stops at Ctrl-C while it waits and while it thinks.
func TestInterruptRpc(t *testing.T) {
	thinking, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":1,"method":"best_move","params":{"board":"2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2"}}`)
	silent, _ := io.Pipe()
	for name, stdin := range map[string]io.Reader{"waiting": silent, "thinking": thinking} {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		ctx, interrupt := context.WithCancel(ctx)
		time.AfterFunc(100*time.Millisecond, interrupt)
		start := time.Now()
		status, _, errOut := run(ctx, stdin, "rpc", "--player", "expectimax(plies=12)")
		if took := time.Since(start); status != 130 || errOut != "afterstate: interrupted\n" || took > 5*time.Second {
			t.Errorf("%s: status %d, %q after %v", name, status, errOut, took)
		}
		cancel()
	}
}
