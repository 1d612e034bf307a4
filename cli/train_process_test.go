//go:build unix

package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
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

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/learn/runs"
)

// trainProcess runs the program to train.
type trainProcess struct{ *clitest.Process }

func newTrainProcess(t *testing.T) trainProcess { return trainProcess{clitest.NewProcess(t)} }

func (p trainProcess) file(run, name string) string {
	return filepath.Join(p.Data, "afterstate", "runs", run, name)
}

// waits until a file is there.
func (p trainProcess) waits(path string) {
	p.T.Helper()
	clitest.WaitFor(p.T, func() bool {
		info, err := os.Stat(path)
		return err == nil && info.Size() > 0
	})
}

// checksum returns the checksum of a run's weights.
func (p trainProcess) checksum(run string) string {
	p.T.Helper()
	status, out, errOut := p.Run("model", "info", "--json", p.file(run, "checkpoint.model"))
	var info struct{ Checksum string }
	if err := json.Unmarshal([]byte(out), &info); status != 0 || err != nil {
		p.T.Fatalf("status %d, %v, %s", status, err, errOut)
	}
	return info.Checksum
}

// intervals returns the metrics without speeds.
func (p trainProcess) intervals(run string) (lines []string) {
	p.T.Helper()
	data, err := os.ReadFile(p.file(run, "metrics.jsonl"))
	if err != nil || !bytes.HasSuffix(data, []byte("\n")) {
		p.T.Fatalf("%v, %q", err, data)
	}
	for line := range strings.Lines(string(data)) {
		same, _, ok := strings.Cut(line, `,"games_per_s"`) // speeds differ
		if !ok || !json.Valid([]byte(line)) {
			p.T.Fatalf("%q", line)
		}
		lines = append(lines, same)
	}
	return lines
}

// killed repeatedly starts the command that next returns, and kills it at random moments, until one ends by itself. It
// returns the output of that one.
func (p trainProcess) killed(next func() []string) string {
	p.T.Helper()
	moments := rand.New(rand.NewPCG(1, 0))
	for kills := range 100 {
		cmd, out, errOut := p.Start(next()...)
		wait := time.Duration(moments.IntN(400+100*kills)+1) * time.Millisecond // longer after each kill, so that slow machines finish too
		timer := time.AfterFunc(wait, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		timer.Stop()
		state := cmd.ProcessState.Sys().(syscall.WaitStatus)
		if !state.Signaled() {
			if state.ExitStatus() != 0 {
				p.T.Fatalf("after %d kills: %s", kills, errOut)
			}
			p.T.Logf("%d kills", kills)
			return out.String()
		}
	}
	p.T.Fatal("the command did not end between kills")
	return ""
}

// Ctrl-C saves, prints how to resume, and ends with 130. A second process refuses a run
// that is in progress.
func TestTrainCtrlC(t *testing.T) {
	soak.Full(t, "trains in programs; TestScripts/train resumes runs")
	t.Parallel()
	p := newTrainProcess(t)
	cmd, out, errOut := p.Start("train", "2x4", "--name", "mine", "--games", "0", "--report-every", "20", "--out", filepath.Join(p.Data, "model"))
	p.waits(p.file("mine", "metrics.jsonl"))
	status, _, told := p.Run("train", "--resume", "mine")
	if status != 2 || told != "afterstate: run mine is being trained by another process: wait until it ends, or stop it with Ctrl-C\n" {
		t.Errorf("status %d, %q", status, told)
	}
	must.Do(t, cmd.Process.Signal(os.Interrupt))
	_ = cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != 130 || !strings.HasSuffix(errOut.String(), "\nsaved; to resume: afterstate train --resume mine\nafterstate: interrupted\n") {
		t.Fatalf("status %d, %s", got, errOut)
	}
	must.Contains(t, out.String(), " games, ", "stdout")
	for _, path := range []string{p.file("mine", "checkpoint.model"), filepath.Join(p.Data, "model")} {
		if status, _, errOut := p.Run("model", "info", path); status != 0 {
			t.Error(errOut)
		}
	}
	if entries, _ := os.ReadDir(p.file("mine", "")); len(entries) != 5 {
		t.Errorf("the run's folder has %v", entries)
	}
}

// A run that is killed repeatedly at random moments ends with the same result as one that was not, and never
// leaves a damaged file.
func TestTrainKill(t *testing.T) {
	soak.Full(t, "kills programs; TestScripts/train resumes runs with the weights of one that ran through")
	t.Parallel()
	p := newTrainProcess(t)
	games := strconv.Itoa(soak.Count(2000, 6000))
	args := []string{"--games", games, "--report-every", "500", "-j", "1", "--checkpoint-every", "100ms", "--restart-share", "0.3", "--restart-tile", "64"}
	if status, _, errOut := p.Run(append([]string{"train", "2x4", "--name", "whole"}, args...)...); status != 0 {
		t.Fatal(errOut)
	}
	command := append([]string{"train", "2x4", "--name", "killed"}, args...)
	p.killed(func() []string {
		if _, err := os.Stat(p.file("killed", runs.OptionsFile)); err == nil {
			command = append([]string{"train", "--resume", "killed"}, args...)
		}
		if _, err := os.Stat(p.file("killed", "checkpoint.model")); err == nil {
			p.checksum("killed")
		}
		return command
	})
	must.Equal(t, p.checksum("killed"), p.checksum("whole"), "checksum")
	got, want := p.intervals("killed"), p.intervals("whole")
	if strings.Join(got, "") != strings.Join(want, "") {
		t.Errorf("intervals\n%s, want\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// On a terminal the run is shown as one block that is redrawn.
func TestTrainSession(t *testing.T) {
	t.Parallel()
	s := clitest.Start(t, clitest.Options{}, "train", "2x4", "--games", "0", "--report-every", "200", "--name", "live")
	s.Sees(`training    live: \d+ games\s+mean score  \d+ in games \d+ to \d+\s+reached     .*512 [0-9.]+ %.*\s+speed       [0-9.e+]+ games/s, [0-9.]+ M moves/s\s+curve       [▁-█]{4}`)
	s.Resize(24, 30)
	s.Sees(`training    live: \d+ games\s+mean score  \d+`)
	s.Press("ctrl+c")
	s.Ends(130)
	s.Restored()
	s.Sees(`saved; to resume`)
}

// A sweep that is killed several times resumes with the same command, and has the same results as one that was not killed.
func TestSweepKill(t *testing.T) {
	soak.Full(t, "kills programs; TestScripts/sweep resumes a sweep")
	t.Parallel()
	p := newTrainProcess(t)
	file := filepath.Join(p.Data, "rates.toml")
	text := `network = "2x4"
games = 1200
report-every = 100
seeds = 2
[options]
lambda = [0, 0.3, 0.6, 0.9]
`
	must.Do(t, os.WriteFile(file, []byte(text), 0o644))
	status, want, errOut := p.Run("train", "sweep", file, "--name", "whole", "-j", "1")
	if status != 0 {
		t.Fatal(errOut)
	}
	out := p.killed(func() []string { return []string{"train", "sweep", file, "--name", "killed", "-j", "2"} })
	if got := strings.ReplaceAll(out, "killed", "whole"); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
		t.Errorf("%s\nwant\n%s", out, want)
	}
	for config := 1; config <= 4; config++ {
		whole, killed := fmt.Sprintf("whole-%d-seed1001", config), fmt.Sprintf("killed-%d-seed1001", config)
		must.Equal(t, p.checksum(killed), p.checksum(whole), "checksum of", killed)
		if got, want := p.intervals(killed), p.intervals(whole); strings.Join(got, "") != strings.Join(want, "") {
			t.Errorf("%s has\n%s, want\n%s", killed, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// A killed quantization leaves its temporary file. The next one removes it, but not the temporary file of
// a process that is still running.
func TestQuantizeKilled(t *testing.T) {
	p := clitest.NewProcess(t)
	checkpoint := filepath.Join(p.Data, "afterstate", "runs", "first", "checkpoint.model")
	if status, _, errOut := p.Run("train", "2x4", "--games", "5", "-j", "1", "--name", "first"); status != 0 {
		t.Fatal(errOut)
	}
	folder := t.TempDir()
	small := filepath.Join(folder, "q.model")
	temporary := func() (names []string) {
		t.Helper()
		names = must.Get(filepath.Glob(filepath.Join(folder, ".*.afterstate")))(t)
		return names
	}
	begin := func() *exec.Cmd {
		t.Helper()
		before := temporary()
		cmd, _, _ := p.Start("model", "quantize", checkpoint, "-o", small, "--games", "100000000", "-j", "1")
		clitest.WaitFor(t, func() bool {
			now := temporary()
			return len(now) == 1 && !slices.Equal(now, before)
		})
		return cmd
	}
	killed := begin()
	must.Do(t, killed.Process.Kill())
	_ = killed.Wait()
	left := temporary()
	running := begin() // removes it, and makes its own
	if now := temporary(); len(left) != 1 || len(now) != 1 || now[0] == left[0] {
		t.Errorf("the killed process left %v; then the folder has %v", left, now)
	}
	if status, _, errOut := p.Run("model", "quantize", checkpoint, "-o", small, "--games", "0"); status != 0 {
		t.Error(errOut)
	}
	if now := temporary(); len(now) != 1 {
		t.Errorf("while another process is running, the folder has %v", now)
	}
	must.Do(t, running.Process.Signal(os.Interrupt))
	_ = running.Wait()
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}
