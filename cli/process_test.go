//go:build unix

package cli_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/cli"
	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// playing returns the spec of a bot that plays at random, and a function that waits until the bot has
// been asked for the moves of several games.
func playing(t *testing.T) (spec string, wait func()) {
	asked := filepath.Join(t.TempDir(), "asked")
	spec = fmt.Sprintf(`exec(cmd="sh -c 'tee %s | %s rpc --player random'")`, asked, clitest.Program(t))
	return spec, func() {
		clitest.WaitFor(t, func() bool {
			info, err := os.Stat(asked)
			return err == nil && info.Size() > 1<<17 // a game takes up to 30 kB, and two bots may write over each other
		})
	}
}

// Ctrl-C ends the process, which writes its files.
func TestCtrlC(t *testing.T) {
	soak.Full(t, "starts programs; TestInterrupt interrupts the same commands in this process")
	t.Parallel()
	dir := t.TempDir()
	bot, wait := playing(t)
	cmd := exec.Command(clitest.Program(t), "arena", bot, "--games", "100000000", "--csv", dir+"/games.csv")
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	must.Do(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // only where the test failed
	wait()
	// Two signals in a row, as timeout(1) sends, are one request to end.
	must.Do(t, errors.Join(cmd.Process.Signal(syscall.SIGTERM), cmd.Process.Signal(os.Interrupt)))
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != 130 {
		t.Fatalf("%v, %s", err, &errOut)
	}
	data, err := os.ReadFile(dir + "/games.csv")
	if err != nil || !bytes.HasSuffix(data, []byte("\n")) || bytes.Count(data, []byte("\n")) < 3 {
		t.Errorf("games.csv has %d bytes, %v", len(data), err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("%d files are left, want games.csv", len(left))
	}
}

// A cancelled context ends every long command with what it has, and status 130.
func TestInterrupt(t *testing.T) {
	bot, wait := playing(t)
	for _, c := range []struct {
		args []string
		wait func(begun <-chan struct{}) // until there is something to interrupt
		want string
	}{
		{[]string{"watch", "expectimax(plies=2)", "--seed", "1", "--size", "6x6", "--moves"}, func(begun <-chan struct{}) { <-begun }, `"over":false`},
		{[]string{"arena", bot, "snake", "--games", "1000000"}, func(<-chan struct{}) { wait() }, "stopped early"},
		{[]string{"perft", "2,0,0,0,0,0/0,0,0,0,0,0/0,0,0,0,0,0/0,0,0,0,0,0", "9"}, func(<-chan struct{}) { time.Sleep(20 * time.Millisecond) }, ""}, // it prints nothing before its result
		{[]string{"tree", "-p", "expectimax(plies=12)", "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2"}, func(<-chan struct{}) { time.Sleep(20 * time.Millisecond) }, ""},
		{[]string{"best", "-"}, func(begun <-chan struct{}) { <-begun }, ""},
	} {
		t.Run(c.args[0], func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			in, out := newAlarm(), newAlarm()
			begun := out.rung
			if c.args[0] == "best" {
				begun = in.rung // it reads
			}
			go func() {
				c.wait(begun)
				cancel()
			}()
			var errOut bytes.Buffer
			status := cli.Run(ctx, c.args, in, out, &errOut)
			if status != 130 || !strings.HasSuffix(errOut.String(), "afterstate: interrupted\n") {
				t.Errorf("status %d, %q", status, &errOut)
			}
			must.Contains(t, out.String(), c.want, "where it stopped")
		})
	}
}

// alarm reports when it is first written to, or read from, which never ends.
type alarm struct {
	bytes.Buffer
	rung chan struct{}
	ring func()
}

func newAlarm() *alarm {
	a := &alarm{rung: make(chan struct{})}
	a.ring = sync.OnceFunc(func() { close(a.rung) })
	return a
}

func (a *alarm) Write(p []byte) (int, error) {
	a.ring()
	return a.Buffer.Write(p)
}

func (a *alarm) Read([]byte) (int, error) {
	a.ring()
	select {}
}

// If the reader of its output goes away, the program ends without a panic.
func TestClosedPipe(t *testing.T) {
	soak.Full(t, "starts programs, which end by SIGPIPE as every program in Go does")
	t.Parallel()
	program, _ := os.Executable()
	link := t.TempDir() + "/afterstate"
	must.Do(t, os.Symlink(program, link))
	for _, args := range [][]string{
		{"watch", "random", "--moves", "--size", "6x6"},
		{"best", "--json", "-p", "greedy", "-"},
		{"inspect", "-"},
	} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		cmd := exec.Command(link, args...)
		var errOut bytes.Buffer
		cmd.Stdout, cmd.Stderr = w, &errOut
		cmd.Stdin = strings.NewReader(strings.Repeat("2,4/0,2\n", 10000))
		err = cmd.Run()
		w.Close()
		state := cmd.ProcessState.Sys().(syscall.WaitStatus)
		if err == nil || !(state.Signaled() && state.Signal() == syscall.SIGPIPE) || errOut.Len() > 0 {
			t.Errorf("%v: %v, %q", args, err, &errOut)
		}
	}
}
