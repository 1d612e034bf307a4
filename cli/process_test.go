//go:build unix

package cli

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Ctrl-C as a process sees it, with the files it keeps.
func TestCtrlC(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	link := dir + "/afterstate"
	if err := os.Symlink(program, link); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(link, "arena", "random", "--games", "100000000", "--csv", dir+"/games.csv")
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Second)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != 130 {
		t.Fatalf("%v, %s", err, &errOut)
	}
	data, err := os.ReadFile(dir + "/games.csv")
	if err != nil || !bytes.HasSuffix(data, []byte("\n")) || bytes.Count(data, []byte("\n")) < 100 {
		t.Errorf("games.csv has %d bytes, %v", len(data), err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 2 {
		t.Errorf("%d files are left, want the link and games.csv", len(left))
	}
}

// A reader that goes away ends the program without a panic.
func TestClosedPipe(t *testing.T) {
	program, _ := os.Executable()
	link := t.TempDir() + "/afterstate"
	if err := os.Symlink(program, link); err != nil {
		t.Fatal(err)
	}
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
