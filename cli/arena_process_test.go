//go:build unix

package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
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

	"github.com/afterstate2048/afterstate/cli/clitest"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// arenaProcess is the program itself with a store of its own.
type arenaProcess struct {
	*clitest.Process
	db string
}

func newArenaProcess(t *testing.T) *arenaProcess {
	t.Helper()
	return &arenaProcess{clitest.NewProcess(t), filepath.Join(t.TempDir(), "x.db")}
}

// start starts arena with arguments. The buffers contain its output once it has ended.
func (p *arenaProcess) start(words ...string) (cmd *exec.Cmd, out, errOut *bytes.Buffer) {
	p.T.Helper()
	return p.Start(append(append([]string{"arena"}, words...), "--db", p.db)...)
}

// says runs arena with arguments to its end and returns its output.
func (p *arenaProcess) says(words ...string) string {
	p.T.Helper()
	cmd, out, errOut := p.start(words...)
	if err := cmd.Wait(); err != nil {
		p.T.Fatalf("%v: %v, %s", words, err, errOut)
	}
	return out.String()
}

// games returns the numbers of kept games, by experiment and player.
func (p *arenaProcess) games() map[string][]int {
	p.T.Helper()
	return gamesOfList(p.T, p.says("list", "--json"))
}

// gamesOfList returns the numbers of kept games of a list as JSON, by experiment and player.
func gamesOfList(t testing.TB, list string) map[string][]int {
	t.Helper()
	all := map[string][]int{}
	for line := range strings.Lines(list) {
		var e struct {
			Name     string
			Finished []int
		}
		must.Do(t, json.Unmarshal([]byte(line), &e))
		all[e.Name] = e.Finished
	}
	return all
}

// untimed returns an experiment's games with all moves, without their times.
func (p *arenaProcess) untimed(name string) string {
	return p.says("export", name, "--format", "records")
}

// An experiment that is killed repeatedly at random moments loses no stored game, and ends
// with the same games as one that was not killed. SOAK=1 kills it at least 20 times,
// which takes some minutes.
func TestArenaKill(t *testing.T) {
	soak.Full(t, "kills programs; TestPlay of package experiment goes on with a stopped experiment")
	t.Parallel()
	minimum, size := soak.Count(3, 20), soak.Count(200, 20_000)
	p := newArenaProcess(t)
	run := func(name string) []string {
		return []string{"run", name, "random", "greedy", "snake(depth=0)", "--size", "3x3", "--games", strconv.Itoa(size)}
	}
	moments := rand.New(rand.NewPCG(1, 0))
	kills, kept := 0, 0
	for {
		cmd, _, errOut := p.start(run("killed")...)
		timer := time.AfterFunc(time.Duration(moments.IntN(300+100*kills)+1)*time.Millisecond, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		timer.Stop()
		state := cmd.ProcessState.Sys().(syscall.WaitStatus)
		switch {
		case state.Signaled():
			kills++
		case state.ExitStatus() != 0:
			t.Fatalf("after %d kills: %s", kills, errOut)
		case kills < minimum:
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
			t.Fatalf("%d games were stored before a kill, %d after it", kept, now)
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

// When the store cannot grow, the run ends with an error. Once there is space, the run
// resumes where it stopped.
func TestArenaRunWithoutRoom(t *testing.T) {
	soak.Full(t, "fills a disk; TestFull of package store has a store that cannot grow")
	t.Parallel()
	p := newArenaProcess(t)
	const games = 12_000
	words := fmt.Sprintf("arena run small random greedy --games %d --size 3x3 --db %s", games, p.db)
	var errOut bytes.Buffer
	cmd := exec.Command("sh", "-c", "ulimit -f 2000; exec "+p.Program+" "+words)
	cmd.Stderr = &errOut
	if err := cmd.Run(); err == nil || cmd.ProcessState.ExitCode() != 1 || !regexp.MustCompile(`x\.db cannot (grow|be read or written): .*Finished games are stored`).MatchString(errOut.String()) {
		t.Fatalf("%v, %s", err, &errOut)
	}
	if kept := sum(p.games()["small"]); kept < 1 || kept == 2*games {
		t.Errorf("%d games are kept", kept)
	}
	p.says("run", "small")
	p.says("run", "alone", "random", "greedy", "--size", "3x3", "--games", strconv.Itoa(games))
	must.Equal(t, p.untimed("small") == p.untimed("alone"), true, "the games are those of a run with room")
}

// On a terminal a match is shown as one block that is redrawn. It estimates when the verdict will come once there are
// enough games.
func TestArenaMatchSession(t *testing.T) {
	soak.Full(t, "plays by the clock; TestRank of package experiment has the estimate")
	t.Parallel()
	s := clitest.Start(t, clitest.Options{}, "arena", "match", "expectimax(time=10ms)", "greedy", "--size", "2x3", "--confidence", "0.9999", "-j", "1", "--name", "m", "--db", filepath.Join(t.TempDir(), "x.db"))
	before := s.Sees(`\d+ of 20000 games at most: expectimax\(time=10ms\) [0-9,]+, greedy [0-9,]+\s+[█░]{40} \d+ %`)
	if strings.Contains(before, "verdict") {
		t.Error(before)
	}
	s.Sees(`\d+ of 20000 games at most, a verdict in about \d+[hms]`)
	s.Press("ctrl+c")
	s.Ends(130)
}

// On a terminal, long work shows its progress, and removes it at the end.
func TestProgressSession(t *testing.T) {
	t.Parallel()
	s := clitest.Start(t, clitest.Options{}, "arena", "random", "snake", "--games", "100000")
	s.Sees(`^\d+ of 200000 games\s+[█░]{40} \d+ %, [0-9.]+ a second, \S+ left`)
	s.Press("ctrl+c")
	s.Ends(130)
	s.Restored()
	if text := s.Sees(`interrupted`); strings.Contains(text, "░") || strings.Contains(text, " left") {
		t.Errorf("the progress is still on the terminal:\n%s", text)
	}
}

// runInBackground begins arena with some words in this process. ended returns its status and what it wrote to stderr.
func runInBackground(t *testing.T, db string, words ...string) (ended func() (status int, errOut string)) {
	t.Helper()
	done := make(chan struct{})
	var status int
	var errOut string
	go func() {
		defer close(done)
		status, _, errOut = arenaIn(t, db, words...)
	}()
	return func() (int, string) {
		<-done
		return status, errOut
	}
}

// An experiment that is removed while it is played ends with 1 and says why; no other
// experiment gets its games.
func TestArenaRemovedWhilePlayed(t *testing.T) {
	db := filepath.Join(t.TempDir(), "x.db")
	ended := runInBackground(t, db, "run", "D", "greedy", "--games", "100000000", "-j", "1")
	clitest.WaitFor(t, func() bool {
		info, err := os.Stat(db + "-wal")
		return err == nil && info.Size() > 1<<20
	})
	says(t, db, "rm", "D")
	says(t, db, "run", "E", "random", "--games", "10")
	if status, errOut := ended(); status != 1 || !strings.HasSuffix(errOut, "afterstate: experiment D was removed\n") {
		t.Errorf("status %d, %s", status, errOut)
	}
	if all := gamesOfList(t, says(t, db, "list", "--json")); len(all) != 1 || sum(all["E"]) != 10 {
		t.Errorf("games of experiments: %v, want 10 of E", all)
	}
	must.Contains(t, says(t, db, "show", "E"), "10 of 10")
}

// A player that never ends its game does not keep a removed experiment alive.
func TestArenaRemovedWhileAGameLasts(t *testing.T) {
	db := filepath.Join(t.TempDir(), "x.db")
	bot := filepath.Join(t.TempDir(), "bot.sh")
	must.Do(t, os.WriteFile(bot, []byte("read request\necho '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"name\":\"sleeper\",\"protocol\":1}}'\nsleep 1000\n"), 0o600))
	ended := runInBackground(t, db, "run", "D", `exec(cmd="sh `+bot+`",timeout=5m)`, "--games", "1", "-j", "1")
	clitest.WaitFor(t, func() bool {
		status, out, _ := arenaIn(t, db, "list")
		return status == 0 && strings.Contains(out, "D ")
	})
	says(t, db, "rm", "D")
	if status, errOut := ended(); status != 1 || !strings.HasSuffix(errOut, "afterstate: experiment D was removed\n") {
		t.Errorf("status %d, %s", status, errOut)
	}
}

// copyProgram copies a program, which may be private to another user or on another disk, unless the copy exists.
func copyProgram(from, to string) error {
	if _, err := os.Stat(to); err == nil {
		return nil
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(to, data, 0o755), os.Chmod(to, 0o755)) // whatever the umask
}

// reader is the program as a user who is not root runs it, since root may write anywhere.
func (p *arenaProcess) reader(args ...string) (out string, errOut string, status int) {
	p.T.Helper()
	program := p.Program
	var attributes *syscall.SysProcAttr
	if os.Getuid() == 0 {
		test := must.Get(os.Executable())(p.T)
		program = filepath.Join(filepath.Dir(p.db), "afterstate")
		must.Do(p.T, copyProgram(test, program))
		must.Do(p.T, os.Chmod(filepath.Dir(filepath.Dir(p.db)), 0o755))
		attributes = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	cmd := exec.Command(program, append(args, "--db", p.db)...)
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = &o, &e, attributes
	cmd.Env = []string{"HOME=/nonexistent", "PATH=" + os.Getenv("PATH"), "TZ=UTC"}
	err := cmd.Run()
	if cmd.ProcessState == nil {
		p.T.Fatal(err)
	}
	return o.String(), e.String(), cmd.ProcessState.ExitCode()
}

// A store that is read-only, because of the mode of its file or folder, can be read; writing
// fails with the reason.
func TestArenaReadOnly(t *testing.T) {
	soak.Full(t, "starts programs as another user; TestLuck of package store opens a store that may only be read")
	p := newArenaProcess(t)
	p.says("run", "first", "random", "greedy", "--games", "20", "--size", "3x3")
	folder := filepath.Dir(p.db)
	t.Cleanup(func() { _ = os.Chmod(folder, 0o755) })
	for _, c := range []struct{ file, folder os.FileMode }{{0o444, 0o755}, {0o644, 0o555}, {0o444, 0o555}, {0o444, 0o777}} {
		must.Do(t, os.Chmod(folder, 0o755))
		must.Do(t, os.Chmod(p.db, c.file))
		p.reader("arena", "list") // copies the program into the folder
		must.Do(t, os.Chmod(folder, c.folder))
		for _, words := range [][]string{
			{"arena", "list"}, {"arena", "show", "first"}, {"arena", "compare", "first/1", "first/2"}, {"arena", "report", "first", "--format", "md"},
			{"arena", "export", "first"}, {"arena", "export", "first", "--format", "records"}, {"watch", "--game", "first/greedy/3"},
		} {
			want, errOut := new(bytes.Buffer), ""
			cmd := exec.Command(p.Program, append(words, "--db", p.db)...)
			cmd.Env = append(os.Environ(), "TZ=UTC") // the list has times
			cmd.Stdout = want
			must.Do(t, cmd.Run())
			out, errOut, status := p.reader(words...)
			if status != 0 || out != want.String() {
				t.Errorf("%o in %o: %v: status %d, %s", c.file, c.folder, words, status, errOut)
			}
		}
		for _, words := range [][]string{{"arena", "rm", "first"}, {"arena", "run", "first", "--games", "30"}, {"arena", "run", "second", "greedy", "--games", "3"}} {
			_, errOut, status := p.reader(words...)
			if status != 1 || !strings.Contains(errOut, "x.db cannot be ") || strings.Contains(errOut, "SQL") {
				t.Errorf("%o in %o: %v: status %d, %s", c.file, c.folder, words, status, errOut)
			}
		}
	}
}
