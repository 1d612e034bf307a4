//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"afterstate/internal/soak"
)

// arenaProcess is the program itself with a store of its own.
type arenaProcess struct {
	t       *testing.T
	program string
	db      string
}

func newArenaProcess(t *testing.T) *arenaProcess {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &arenaProcess{t, filepath.Join(t.TempDir(), "afterstate"), filepath.Join(t.TempDir(), "x.db")}
	if err := os.Symlink(program, p.program); err != nil {
		t.Fatal(err)
	}
	return p
}

// start begins arena with some words; what it says is in the buffers when it has ended.
func (p *arenaProcess) start(words ...string) (cmd *exec.Cmd, out, errOut *bytes.Buffer) {
	p.t.Helper()
	out, errOut = new(bytes.Buffer), new(bytes.Buffer)
	cmd = exec.Command(p.program, append([]string{"arena"}, append(words, "--db", p.db)...)...)
	cmd.Stdout, cmd.Stderr = out, errOut
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, out, errOut
}

// says runs arena with some words to its end.
func (p *arenaProcess) says(words ...string) string {
	p.t.Helper()
	cmd, out, errOut := p.start(words...)
	if err := cmd.Wait(); err != nil {
		p.t.Fatalf("%v: %v, %s", words, err, errOut)
	}
	return out.String()
}

// games are the numbers of kept games, by experiment and player.
func (p *arenaProcess) games() map[string][]int {
	p.t.Helper()
	all := map[string][]int{}
	for line := range strings.Lines(p.says("list", "--json")) {
		var e struct {
			Experiment string
			Players    []struct{ Games int }
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			p.t.Fatal(err)
		}
		for _, player := range e.Players {
			all[e.Experiment] = append(all[e.Experiment], player.Games)
		}
	}
	return all
}

// untimed are an experiment's games with all moves, without their times.
func (p *arenaProcess) untimed(name string) string {
	return p.says("export", name, "--format", "records")
}

// An experiment that is killed again and again, at any moment, loses no game that was
// kept, and ends with the games of one that was not. SOAK=1 kills it at least 20 times,
// which takes some minutes.
func TestArenaKill(t *testing.T) {
	t.Parallel()
	least, size := soak.Count(3, 20), soak.Count(200, 20_000)
	p := newArenaProcess(t)
	run := func(name string) []string {
		return []string{"run", name, "random", "greedy", "snake(depth=0)", "--size", "3x3", "--games", strconv.Itoa(size)}
	}
	kills, kept := 0, 0
	for {
		cmd, _, errOut := p.start(run("killed")...)
		timer := time.AfterFunc(time.Duration(rand.IntN(300+100*kills)+1)*time.Millisecond, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		timer.Stop()
		state := cmd.ProcessState.Sys().(syscall.WaitStatus)
		switch {
		case state.Signaled():
			kills++
		case state.ExitStatus() != 0:
			t.Fatalf("after %d kills: %s", kills, errOut)
		case kills < least:
			size *= 2 // this machine is fast
			continue
		}
		if !state.Signaled() {
			break
		}
		if _, err := os.Stat(p.db); err != nil {
			continue // it was killed before it began
		}
		if now := sum(p.games()["killed"]); now < kept {
			t.Fatalf("%d games were kept, and %d after a kill", kept, now)
		} else {
			kept = now
		}
	}
	t.Logf("%d kills, %d games of each player", kills, size)
	if counts := p.games()["killed"]; sum(counts) != 3*size {
		t.Errorf("%v games, want %d each", counts, size)
	}
	p.says(run("whole")...)
	if p.untimed("killed") != p.untimed("whole") {
		t.Error("the games differ from those of an experiment that was not killed")
	}
}

func sum(counts []int) (total int) {
	for _, n := range counts {
		total += n
	}
	return total
}

// Ctrl-C keeps what is finished, says how to go on, and ends with 130.
func TestArenaRunCtrlC(t *testing.T) {
	t.Parallel()
	p := newArenaProcess(t)
	cmd, out, errOut := p.start("run", "mine", "random", "--games", "100000000")
	waitFor(t, func() bool {
		info, err := os.Stat(p.db + "-wal")
		return err == nil && info.Size() > 1<<20
	})
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	want := "kept; to go on: afterstate arena run mine --db " + p.db + "\nafterstate: interrupted\n"
	if got := cmd.ProcessState.ExitCode(); got != 130 || !strings.HasSuffix(errOut.String(), want) {
		t.Fatalf("status %d, %s", got, errOut)
	}
	if !strings.Contains(out.String(), "stopped early: ") {
		t.Errorf("stdout: %s", out)
	}
	if kept := sum(p.games()["mine"]); kept < 1000 {
		t.Errorf("%d games are kept", kept)
	}
	if left, _ := filepath.Glob(p.db + "-*"); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// waitFor looks until something is so; the minute is for machines that hang.
func waitFor(t *testing.T, ready func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !ready(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("waited in vain")
		}
	}
}

// When the store cannot grow any more, the run ends and says so; once it can, the run
// goes on where it stopped.
func TestArenaRunWithoutRoom(t *testing.T) {
	t.Parallel()
	p := newArenaProcess(t)
	const games = 5500
	words := fmt.Sprintf("arena run small random greedy --games %d --size 3x3 --db %s", games, p.db)
	var errOut bytes.Buffer
	cmd := exec.Command("sh", "-c", "ulimit -f 1000; exec "+p.program+" "+words)
	cmd.Stderr = &errOut
	if err := cmd.Run(); err == nil || cmd.ProcessState.ExitCode() != 1 || !regexp.MustCompile(`x\.db cannot (grow|be read or written): .*Games up to now are kept`).MatchString(errOut.String()) {
		t.Fatalf("%v, %s", err, &errOut)
	}
	if kept := sum(p.games()["small"]); kept < 1 || kept == 2*games {
		t.Errorf("%d games are kept", kept)
	}
	p.says("run", "small")
	p.says("run", "alone", "random", "greedy", "--size", "3x3", "--games", strconv.Itoa(games))
	if p.untimed("small") != p.untimed("alone") {
		t.Error("the games differ from those of a run with room")
	}
}

// Two processes that play the same experiment do work twice and harm nothing.
func TestArenaTwoProcesses(t *testing.T) {
	t.Parallel()
	p := newArenaProcess(t)
	games := strconv.Itoa(soak.Count(1000, 3000))
	p.says("run", "both", "random", "greedy", "--games", "1", "--size", "3x3")
	first, _, errFirst := p.start("run", "both", "--games", games)
	second, _, errSecond := p.start("run", "both", "--games", games)
	if err := first.Wait(); err != nil {
		t.Errorf("%v, %s", err, errFirst)
	}
	if err := second.Wait(); err != nil {
		t.Errorf("%v, %s", err, errSecond)
	}
	p.says("run", "alone", "random", "greedy", "--games", games, "--size", "3x3")
	if p.untimed("both") != p.untimed("alone") {
		t.Error("the games differ from those of one process")
	}
}

// On a terminal the experiment is one block that is drawn over and over, and gone at
// its end.
func TestArenaRunSession(t *testing.T) {
	t.Parallel()
	s := start(t, options{}, "arena", "run", "live", "random", "snake", "--games", "100000", "--db", filepath.Join(t.TempDir(), "x.db"))
	s.sees(`live: \d+ of 200000 games, [0-9.e+]+ games/s, [0-9hms.]+ left\s+[█░]{40} \d+ %\s+random +\d+ games +1,\d+ ± \d+\s+snake +\d+ games +\d\d,\d+ ± [0-9,]+`)
	s.press("ctrl+c")
	s.ends(130)
	s.sees(`kept; to go on: afterstate arena run live --db`)
}
