//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"afterstate/internal/soak"
	"afterstate/runs"
)

// trainProcess is the program itself in a folder of its own.
type trainProcess struct {
	t             *testing.T
	program, data string
}

func newTrainProcess(t *testing.T) *trainProcess {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &trainProcess{t, filepath.Join(t.TempDir(), "afterstate"), t.TempDir()}
	if err := os.Symlink(program, p.program); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *trainProcess) file(run, name string) string {
	return filepath.Join(p.data, "afterstate", "runs", run, name)
}

// start begins a command; what it says is in the buffers when it has ended.
func (p *trainProcess) start(args ...string) (cmd *exec.Cmd, out, errOut *bytes.Buffer) {
	p.t.Helper()
	out, errOut = new(bytes.Buffer), new(bytes.Buffer)
	cmd = exec.Command(p.program, args...)
	cmd.Env = append(os.Environ(), "XDG_DATA_HOME="+p.data)
	cmd.Stdout, cmd.Stderr = out, errOut
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, out, errOut
}

// run runs a command to its end.
func (p *trainProcess) run(args ...string) (status int, out, errOut string) {
	cmd, o, e := p.start(args...)
	_ = cmd.Wait()
	return cmd.ProcessState.ExitCode(), o.String(), e.String()
}

// waits until a file is there.
func (p *trainProcess) waits(path string) {
	p.t.Helper()
	waitFor(p.t, func() bool {
		info, err := os.Stat(path)
		return err == nil && info.Size() > 0
	})
}

// checksum is that of a run's weights.
func (p *trainProcess) checksum(run string) string {
	p.t.Helper()
	status, out, errOut := p.run("model", "info", "--json", p.file(run, "checkpoint.model"))
	var info modelInfo
	if err := json.Unmarshal([]byte(out), &info); status != 0 || err != nil {
		p.t.Fatalf("status %d, %v, %s", status, err, errOut)
	}
	return info.Checksum
}

// intervals are the metrics' games and mean scores.
func (p *trainProcess) intervals(run string) (lines []string) {
	p.t.Helper()
	data, err := os.ReadFile(p.file(run, "metrics.jsonl"))
	if err != nil || !bytes.HasSuffix(data, []byte("\n")) {
		p.t.Fatalf("%v, %q", err, data)
	}
	for line := range strings.Lines(string(data)) {
		same, _, ok := strings.Cut(line, `,"games_per_s"`) // speeds differ
		if !ok || !json.Valid([]byte(line)) {
			p.t.Fatalf("%q", line)
		}
		lines = append(lines, same)
	}
	return lines
}

// Ctrl-C saves, says how to go on, and ends with 130. A second process keeps off a run
// that goes on.
func TestTrainCtrlC(t *testing.T) {
	t.Parallel()
	p := newTrainProcess(t)
	cmd, out, errOut := p.start("train", "2x4", "--name", "mine", "--games", "0", "--report-every", "20", "--out", filepath.Join(p.data, "model"))
	p.waits(p.file("mine", "metrics.jsonl"))
	status, _, told := p.run("train", "--resume", "mine")
	if status != 2 || told != "afterstate: run mine is being trained by another process: wait for it, or stop it with Ctrl-C\n" {
		t.Errorf("status %d, %q", status, told)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != 130 || !strings.HasSuffix(errOut.String(), "\nsaved; to go on: afterstate train --resume mine\nafterstate: interrupted\n") {
		t.Fatalf("status %d, %s", got, errOut)
	}
	if !strings.Contains(out.String(), " games, ") {
		t.Errorf("stdout: %s", out)
	}
	for _, path := range []string{p.file("mine", "checkpoint.model"), filepath.Join(p.data, "model")} {
		if status, _, errOut := p.run("model", "info", path); status != 0 {
			t.Error(errOut)
		}
	}
	if entries, _ := os.ReadDir(p.file("mine", "")); len(entries) != 4 {
		t.Errorf("the run's folder has %v", entries)
	}
}

// A run that is killed again and again, at any moment, ends as one that was not, and
// leaves no broken file on its way.
func TestTrainKill(t *testing.T) {
	t.Parallel()
	p := newTrainProcess(t)
	games := strconv.Itoa(soak.Count(2000, 6000))
	args := []string{"--games", games, "--report-every", "500", "-j", "1", "--checkpoint-every", "100ms", "--restart-share", "0.3", "--restart-tile", "64"}
	if status, _, errOut := p.run(append([]string{"train", "2x4", "--name", "whole"}, args...)...); status != 0 {
		t.Fatal(errOut)
	}
	command := append([]string{"train", "2x4", "--name", "killed"}, args...)
	kills := 0
	for {
		cmd, _, errOut := p.start(command...)
		wait := time.Duration(rand.IntN(400+20*kills)+1) * time.Millisecond // a slow machine gets there too
		timer := time.AfterFunc(wait, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		timer.Stop()
		state := cmd.ProcessState.Sys().(syscall.WaitStatus)
		if !state.Signaled() {
			if state.ExitStatus() != 0 {
				t.Fatalf("after %d kills: %s", kills, errOut)
			}
			break
		}
		if kills++; kills > 100 {
			t.Fatal("it never ends")
		}
		if _, err := os.Stat(p.file("killed", runs.OptionsFile)); err == nil {
			command = append([]string{"train", "--resume", "killed"}, args...)
		}
		if _, err := os.Stat(p.file("killed", "checkpoint.model")); err == nil {
			p.checksum("killed")
		}
	}
	t.Logf("%d kills", kills)
	if got, want := p.checksum("killed"), p.checksum("whole"); got != want {
		t.Errorf("checksum %s, want %s", got, want)
	}
	got, want := p.intervals("killed"), p.intervals("whole")
	if strings.Join(got, "") != strings.Join(want, "") {
		t.Errorf("intervals\n%s, want\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// On a terminal the run is one block that is drawn over and over.
func TestTrainSession(t *testing.T) {
	t.Parallel()
	s := start(t, options{}, "train", "2x4", "--games", "0", "--report-every", "200", "--name", "live")
	s.sees(`training    live: \d+ games\s+mean score  \d+ in games \d+ to \d+\s+reached     .*512 [0-9.]+ %.*\s+speed       \d+ games/s, [0-9.]+ M moves/s\s+curve       [▁-█]{4}`)
	s.resize(24, 30)
	s.sees(`training    live: \d+ games\s+mean score  \d+`)
	s.press("ctrl+c")
	s.ends(130)
	s.restored()
	s.sees(`saved; to go on`)
}

// A killed quantization leaves its temporary file; the next one removes it, and not that of
// one that still runs.
func TestQuantizeKilled(t *testing.T) {
	p := newTrainProcess(t)
	if status, _, errOut := p.run("train", "2x4", "--games", "5", "-j", "1", "--name", "first"); status != 0 {
		t.Fatal(errOut)
	}
	folder := t.TempDir()
	small := filepath.Join(folder, "q.model")
	temporary := func() (names []string) {
		t.Helper()
		names, err := filepath.Glob(filepath.Join(folder, ".*.afterstate"))
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	begin := func() *exec.Cmd {
		t.Helper()
		before := temporary()
		cmd, _, errOut := p.start("model", "quantize", p.file("first", "checkpoint.model"), "-o", small, "--games", "100000000", "-j", "1")
		for range 2000 {
			if now := temporary(); len(now) == 1 && !slices.Equal(now, before) {
				return cmd
			}
			time.Sleep(5 * time.Millisecond)
		}
		t.Fatalf("waited in vain for a temporary file: %s", errOut)
		return nil
	}
	killed := begin()
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait()
	left := temporary()
	running := begin() // removes it, and makes its own
	if now := temporary(); len(left) != 1 || len(now) != 1 || now[0] == left[0] {
		t.Errorf("left %v, then there are %v", left, now)
	}
	if status, _, errOut := p.run("model", "quantize", p.file("first", "checkpoint.model"), "-o", small, "--games", "0"); status != 0 {
		t.Error(errOut)
	}
	if now := temporary(); len(now) != 1 {
		t.Errorf("while one runs there are %v", now)
	}
	if err := running.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = running.Wait()
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}
