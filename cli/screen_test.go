//go:build unix

package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"
)

// terminalSession is the program on a pseudo-terminal, with someone at the keys.
type terminalSession struct {
	t      *testing.T
	cmd    *exec.Cmd
	master *os.File
	slave  *os.File
	before *term.State
	ended  chan error

	mu     sync.Mutex
	screen *emulator
	raw    bytes.Buffer
	ground string // what the terminal answers when asked for its background
}

// options of a session; the zero value is a terminal of 80x24 with all colours.
type options struct {
	rows, cols uint16
	env        []string
	ground     string
	detached   bool   // the terminal is not the process's own, so that nobody tells it when it goes
	noKeys     bool   // stdin is no terminal
	shell      string // the script of a shell that starts the program, "$0" "$@"
}

func start(t *testing.T, o options, args ...string) *terminalSession {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	link := filepath.Join(dir, "afterstate")
	if err := os.Symlink(program, link); err != nil {
		t.Fatal(err)
	}
	if o.rows == 0 {
		o.rows, o.cols = 24, 80
	}
	s := &terminalSession{t: t, ended: make(chan error, 1), screen: newEmulator(int(o.rows), int(o.cols)), ground: o.ground}
	if s.master, s.slave, err = pty.Open(); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("NOT RUN: no pseudo-terminal: %v", err)
	}
	if err := pty.Setsize(s.master, &pty.Winsize{Rows: o.rows, Cols: o.cols}); err != nil {
		t.Fatal(err)
	}
	if s.before, err = term.GetState(int(s.slave.Fd())); err != nil {
		t.Fatal(err)
	}
	s.cmd = exec.Command(link, args...)
	if o.shell != "" {
		s.cmd = exec.Command("sh", append([]string{"-c", o.shell, link}, args...)...)
	}
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = s.slave, s.slave, s.slave
	if o.noKeys {
		s.cmd.Stdin = nil
	}
	s.cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "XDG_STATE_HOME=" + dir + "/state", "TERM=xterm-256color", "COLORTERM=truecolor"}, o.env...)
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: !o.detached, Ctty: 1}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go s.read()
	go func() { s.ended <- s.cmd.Wait() }()
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill() // only where the test failed
		s.master.Close()
		s.slave.Close()
	})
	return s
}

// read feeds the emulator and answers as a terminal does.
func (s *terminalSession) read() {
	buf := make([]byte, 1<<16)
	for {
		n, err := s.master.Read(buf)
		s.mu.Lock()
		s.raw.Write(buf[:n])
		_, _ = s.screen.Write(buf[:n])
		asked := s.ground != "" && bytes.Contains(s.raw.Bytes(), []byte("\x1b]11;?"))
		if asked {
			_, _ = io.WriteString(s.master, "\x1b]11;"+s.ground+"\x1b\\")
			s.ground = ""
		}
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// sees waits until the screen matches a pattern and returns it.
func (s *terminalSession) sees(pattern string) string {
	s.t.Helper()
	want := regexp.MustCompile(pattern)
	var text string
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		s.mu.Lock()
		text = s.screen.String()
		s.mu.Unlock()
		if want.MatchString(text) {
			return text
		}
	}
	s.t.Fatalf("waited in vain for %q on\n%s", pattern, text)
	return ""
}

func (s *terminalSession) press(keys ...string) {
	s.t.Helper()
	for _, k := range keys {
		if code, ok := map[string]string{"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "tab": "\t", "enter": "\r", "ctrl+c": "\x03"}[k]; ok {
			k = code
		}
		if _, err := io.WriteString(s.master, k); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *terminalSession) resize(rows, cols uint16) {
	s.t.Helper()
	s.mu.Lock()
	s.screen.resize(int(rows), int(cols))
	s.mu.Unlock()
	if err := pty.Setsize(s.master, &pty.Winsize{Rows: rows, Cols: cols}); err != nil {
		s.t.Fatal(err)
	}
}

// ends waits for the program's exit status.
func (s *terminalSession) ends(status int) {
	s.t.Helper()
	select {
	case <-s.ended:
	case <-time.After(30 * time.Second):
		s.t.Fatal("the program does not end")
	}
	if got := s.cmd.ProcessState.ExitCode(); got != status {
		s.t.Errorf("exit status %d, want %d; the screen is\n%s", got, status, s.screen)
	}
}

// restored checks that the terminal is as it was before.
func (s *terminalSession) restored() {
	s.t.Helper()
	after, err := term.GetState(int(s.slave.Fd()))
	if err != nil || !reflect.DeepEqual(after, s.before) {
		s.t.Errorf("the terminal's modes have changed: %v", err)
	}
	// The program's last words may still be on their way.
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		kept := s.modes()
		if len(kept) == 0 {
			return
		}
		if time.Now().After(deadline) {
			s.t.Errorf("the terminal keeps %q", kept)
			return
		}
	}
}

// modes are those that the program has set and not taken back.
func (s *terminalSession) modes() (kept []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.screen.alternate {
		kept = append(kept, "the alternate screen")
	}
	if s.screen.hidden {
		kept = append(kept, "a hidden cursor")
	}
	raw := s.raw.String()
	for _, mode := range []string{"\x1b[?2004", "\x1b[?2026", "\x1b[?1049"} {
		if strings.LastIndex(raw, mode+"h") > strings.LastIndex(raw, mode+"l") {
			kept = append(kept, mode)
		}
	}
	return kept
}

func (s *terminalSession) output() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.raw.String()
}

// A game by a person: moves, undo, a hint, quit, and on where it was left.
func TestPlaySession(t *testing.T) {
	t.Parallel()
	state := "XDG_STATE_HOME=" + t.TempDir()
	s := start(t, options{env: []string{state}}, "play", "--seed", "7", "--hint", "expectimax(eval=gradient,plies=2)")
	s.sees(`4x4, seed 7(?s:.*)0 moves`)
	s.press("left", "s", "l", "k", "down")
	s.sees(`\b5 moves`)
	s.press("u")
	s.sees(`\b4 moves(?s:.*)Undone`)
	s.press("r", " ")
	s.sees(`► (up|down|left|right) +█+(?s:.*)2 plies`)
	s.press("n")
	s.sees(`Start another game\?`)
	s.press("n", "?")
	s.sees(`WASD or HJKL`)
	s.press("q", "q")
	s.ends(0)
	s.sees(`to be continued: score \d+, best \d+, largest tile \d+, 5 moves`)
	s.restored()

	s = start(t, options{env: []string{state}}, "play", "--seed", "7")
	s.sees(`\b5 moves(?s:.*)where you left\s+it`)
	s.press(strings.Repeat("u", 5))
	s.sees(`\b0 moves`)
	s.press("n", "y")
	s.sees(`seed 7, game 1`)
	s.press("q")
	s.ends(0)
}

// A window may change its size, be too small, and say what it needs.
func TestResize(t *testing.T) {
	t.Parallel()
	s := start(t, options{}, "play", "--size", "6x6", "--no-animation")
	s.sees(`6x6, seed \d+`)
	s.resize(16, 60)
	s.sees(`window of 43x17; this one has\s+60x16`)
	s.press("left", "down")
	s.resize(60, 200)
	s.sees(`6x6, seed \d+(.*\n){44,}.*▀▀▀`)
	s.resize(18, 50)
	s.sees(`score \d+  best \d+`)
	s.press("ctrl+c")
	s.ends(130)
	s.restored()
}

var coloured = regexp.MustCompile(`\x1b\[[0-9;:]*\b(3[0-8]|4[0-8]|9[0-7]|10[0-7])\b[0-9;:]*m`)

// As many colours as the terminal has, and none where none are wanted.
func TestColourSessions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env      string
		ground   string
		has      string
		not      string
		coloured bool
	}{
		{"COLORTERM=truecolor", "rgb:ffff/ffff/ffff", "48;2;243;237;215", "48;5;", true}, // a 2
		{"COLORTERM=truecolor", "rgb:ffff/ffff/ffff", "48;2;230;226;216", "48;5;", true}, // an empty cell, light
		{"COLORTERM=truecolor", "rgb:0000/0000/0000", "48;2;42;46;55", "48;2;230;226;216", true},
		{"COLORTERM=", "", "48;5;230", "48;2;", true},
		{"NO_COLOR=1", "", "┼", "░", false},
		{"NO_COLOR=yes", "", "┼", "░", false},
	} {
		s := start(t, options{env: []string{c.env}, ground: c.ground}, "play", "--seed", "7")
		s.sees(`seed 7`)
		waitFor(t, func() bool { return strings.Contains(s.output(), c.has) })
		s.press("left", "q")
		s.ends(0)
		s.restored()
		out := s.output()
		if !strings.Contains(out, c.has) || strings.Contains(out, c.not) || coloured.MatchString(out) != c.coloured {
			t.Errorf("%s %s: %q %v, %q %v, coloured %v", c.env, c.ground, c.has, strings.Contains(out, c.has), c.not, strings.Contains(out, c.not), coloured.MatchString(out))
		}
	}
}

// Watching: pause, step, back, take over, hand back, and a record of it all.
func TestWatchSession(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "game.jsonl")
	s := start(t, options{}, "watch", "greedy", "--seed", "7", "--speed", "1", "--record", file)
	s.sees(`greedy\s(?s:.*)4x4, seed 7(?s:.*)1 move/s(?s:.*)[0-2] moves?`)
	s.press(" ")
	s.sees(`paused`)
	s.press("b", "b", "b", "n", "n", "n")
	s.sees(`\b3 moves`)
	s.press("b")
	s.sees(`\b2 moves(?s:.*)► (up|down|left|right) +█`)
	s.press("t")
	s.sees(`you are playing(?s:.*)hand back`)
	s.press("left", "down", "left", "down")
	s.sees(`\b[3-6] moves`)
	s.press("t")
	s.sees(`paused`) // as it was before the viewer took over
	s.press(strings.Repeat("+", 9), " ")
	s.sees(`no moves left`)
	s.press("q")
	s.ends(0)
	s.sees(`game over: largest tile \d+, score \d+, \d+ moves`)
	s.restored()
	if data, err := os.ReadFile(file); err != nil || !bytes.Contains(data, []byte(`"player":"greedy and a person from move 3 on"`)) {
		t.Errorf("%v, %s", err, data)
	}
	s = start(t, options{}, "watch", "--replay", file, "--speed", "0")
	s.sees(`greedy and a person(?s:.*)no moves left(?s:.*)recorded`)
	s.press("q")
	s.ends(0)
}

// Ctrl-C keeps the record and gives the terminal back.
func TestWatchInterrupted(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "game.jsonl")
	s := start(t, options{}, "watch", "--seed", "1", "--record", file)
	s.sees(`\b([5-9]|\d\d) moves`)
	s.press("ctrl+c")
	s.ends(130)
	s.sees(`stopped: largest tile \d+(?s:.*)interrupted`)
	s.restored()
	if data, err := os.ReadFile(file); err != nil || !bytes.Contains(data, []byte(`"player":"auto"`)) {
		t.Errorf("%v, %s", err, data)
	}
}

// Without keys the screen is shown to the end of the game.
func TestWatchWithoutKeys(t *testing.T) {
	t.Parallel()
	s := start(t, options{noKeys: true}, "watch", "greedy", "--seed", "7", "--speed", "0")
	s.ends(0)
	s.sees(`game over: largest tile`)
	s.restored()
}

// A terminal that goes away ends the program, whether it is told (SIGHUP) or has
// to find out, and what was played is kept.
func TestLostTerminal(t *testing.T) {
	t.Parallel()
	for _, detached := range []bool{false, true} {
		dir := t.TempDir()
		s := start(t, options{env: []string{"XDG_STATE_HOME=" + dir}, detached: detached}, "play", "--seed", "7")
		s.sees(`seed 7`)
		s.press("left", "down", "left", "down")
		s.sees(`\b[2-4] moves`)
		s.slave.Close()
		s.master.Close()
		select {
		case <-s.ended:
		case <-time.After(30 * time.Second):
			t.Fatalf("detached %v: the program stays", detached)
		}
		if _, err := os.Stat(filepath.Join(dir, "afterstate", "game-4x4-seed7.json")); err != nil {
			t.Errorf("detached %v: %v", detached, err)
		}

		file := filepath.Join(dir, "game.jsonl")
		s = start(t, options{detached: detached}, "watch", "--seed", "1", "--record", file)
		s.sees(`\b([5-9]|\d\d) moves`)
		s.slave.Close()
		s.master.Close()
		select {
		case <-s.ended:
		case <-time.After(30 * time.Second):
			t.Fatalf("detached %v: the program stays", detached)
		}
		if _, err := os.Stat(file); err != nil {
			t.Errorf("detached %v: %v", detached, err)
		}
	}
}

// Two terminals at one kept game lose nothing of each other, even if one is killed.
func TestTwoPlaySessions(t *testing.T) {
	state := "XDG_STATE_HOME=" + t.TempDir()
	first := start(t, options{env: []string{state}}, "play", "--seed", "7")
	first.sees(`4x4, seed 7(?s:.*)0 moves`)
	first.press("left", "s", "l", "k", "down")
	first.sees(`\b5 moves`)
	second := start(t, options{env: []string{state}}, "play", "--seed", "7")
	second.sees(`\b0 moves(?s:.*)Another\s+terminal\s+plays\s+your\s+first\s+game;\s+this\s+is\s+game\s+2,\s+kept\s+apart`)
	second.press("left", "s")
	second.sees(`\b2 moves`)
	first.press("q")
	first.ends(0)
	second.press("q")
	second.ends(0)
	first = start(t, options{env: []string{state}}, "play", "--seed", "7")
	first.sees(`\b5 moves(?s:.*)where you left\s+it`)
	second = start(t, options{env: []string{state}}, "play", "--seed", "7")
	second.sees(`\b2 moves(?s:.*)where you left\s+it(?s:.*)game\s+2`)
	if err := first.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-first.ended
	third := start(t, options{env: []string{state}}, "play", "--seed", "7")
	third.sees(`\b5 moves(?s:.*)where you left\s+it`)
	third.press("q")
	third.ends(0)
	second.press("q")
	second.ends(0)
}

// A terminal that cannot place text, or of which nobody says what it can, gets lines.
func TestDumbTerminals(t *testing.T) {
	for _, env := range []string{"TERM=dumb", "TERM="} {
		s := start(t, options{env: []string{env}}, "play", "--seed", "7", "--hint", "greedy")
		s.sees(`score 0, best 0, 0 moves\nmove:`)
		s.press("left up\r")
		s.sees(`score \d+, best \d+, [12] moves?\nmove:`)
		s.press("hint\r")
		s.sees(`> (up|down|left|right) \d`)
		s.press("jump\r")
		s.sees(`"jump" is not a move: want up, down,`)
		s.press("undo new\r")
		s.sees(`Start another game\? yes or no:`)
		s.press("no quit\r")
		s.ends(0)
		s.sees(`to be continued: score \d+`)
		s.restored()
		if out := s.output(); strings.Contains(out, "\x1b") {
			t.Errorf("%s: %q", env, out)
		}
		s = start(t, options{env: []string{env}}, "watch", "greedy", "--size", "2x2", "--seed", "1")
		s.ends(0)
		s.sees(`move 0  score 0(?s:.*)game over: largest tile`)
		if out := s.output(); strings.Contains(out, "\x1b") {
			t.Errorf("%s: %q", env, out)
		}
	}
}

// SIGTSTP from outside stops the program with the terminal as it was, and fg gives the keys
// back; so it is after Ctrl-Z.
func TestSuspend(t *testing.T) {
	const shell = `set -m; sh -c 'echo $$ > "$HOME/pid"; exec "$0" "$@"' "$0" "$@"; echo; echo job stopped; read _; fg >&2; echo shell ends`
	for _, args := range [][]string{{"play", "--seed", "7"}, {"watch", "greedy", "--seed", "7", "--speed", "1"}} {
		for _, key := range []bool{false, true} {
			t.Logf("%v, by a key: %v", args, key)
			s := start(t, options{shell: shell}, args...)
			s.sees(`4x4, seed 7(?s:.*)0 moves`)
			if key {
				s.press("\x1a")
			} else {
				s.signal(syscall.SIGTSTP)
			}
			s.sees(`job stopped`)
			s.restored()
			s.press("\n")
			s.sees(`4x4, seed 7`)
			if args[0] == "play" {
				s.press("left", "s", "l", "k", "down")
				s.sees(`\b5 moves`)
			} else {
				s.press(" ")
				s.sees(`paused`)
			}
			s.press("q")
			s.sees(`shell ends`)
			s.ends(0)
			s.restored()
		}
	}
}

// Where no shell could continue the program, it does not stop. A program that was stopped by
// SIGSTOP draws its screen anew when it goes on.
func TestSuspendWithoutShell(t *testing.T) {
	s := start(t, options{}, "play", "--seed", "7")
	s.sees(`4x4, seed 7(?s:.*)0 moves`)
	for i, stop := range []func(){
		func() { s.press("\x1a") },
		func() { _ = s.cmd.Process.Signal(syscall.SIGTSTP) },
		func() {
			_ = s.cmd.Process.Signal(syscall.SIGSTOP)
			s.mu.Lock()
			_, _ = io.WriteString(s.screen, "\x1b[H\x1b[2J")
			s.mu.Unlock()
			_ = s.cmd.Process.Signal(syscall.SIGCONT)
		},
	} {
		entered := s.entered()
		stop()
		for deadline := time.Now().Add(time.Minute); s.entered() == entered; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("case %d: the terminal is not taken again", i)
			}
		}
		s.sees(fmt.Sprintf(`4x4, seed 7(?s:.*)\b%d moves?`, i))
		s.press([]string{"left", "s", "l"}[i])
		s.sees(fmt.Sprintf(`\b%d moves?`, i+1))
	}
	s.press("q")
	s.ends(0)
	s.restored()
}

// entered is how often the program took the whole screen. Keys that come while it gives the
// terminal back and takes it again may be lost.
func (s *terminalSession) entered() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Count(s.raw.Bytes(), []byte("\x1b[?1049h"))
}

// signal sends a signal to the program that a shell started.
func (s *terminalSession) signal(sig syscall.Signal) {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(filepath.Dir(s.cmd.Args[3]), "pid"))
	pid := 0
	if err == nil {
		pid, err = strconv.Atoi(strings.TrimSpace(string(text)))
	}
	if err == nil {
		err = syscall.Kill(pid, sig)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// A name in a record reaches neither the screen nor the window's title with its controls.
func TestDoorOfScreens(t *testing.T) {
	hostileFiles(t)
	file, err := filepath.Abs("game.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, options{cols: 120, rows: 30}, "watch", "--replay", file, "--speed", "0")
	s.sees(`52;c`)
	s.press("q")
	s.ends(0)
	s.sees(`(stopped|game over): largest tile`)
	s.restored()
	out := s.output()
	for _, bad := range []string{"\x1b]52", "\u009b", "\x7f", "\u202e"} {
		if strings.Contains(out, bad) {
			t.Errorf("%q reaches the terminal", bad)
		}
	}
	if title := `2048: \u001b]52;c`; !strings.Contains(out, title) {
		t.Errorf("the title is not %q", title)
	}
}
