//go:build unix

package clitest

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"golang.org/x/term"

	"github.com/afterstate2048/afterstate/internal/must"
)

// Session is a run of the program on a pseudo-terminal.
type Session struct {
	t      *testing.T
	Cmd    *exec.Cmd
	master *os.File
	slave  *os.File
	before *term.State
	ended  chan error

	mu     sync.Mutex
	screen *vt.Emulator
	raw    bytes.Buffer
	ground string // answer to a query for the terminal's background colour; "" for no answer
}

// Options configures a session; the zero value is a terminal of 80x24 with all colours.
type Options struct {
	Rows, Cols uint16
	Env        []string
	Ground     string
	Detached   bool   // the terminal is not the controlling terminal of the process, which then gets no SIGHUP
	NoKeys     bool   // stdin is not a terminal
	Shell      string // shell script that starts the program with "$0" "$@"
}

// Start starts the program on a new pseudo-terminal.
func Start(t *testing.T, o Options, args ...string) *Session {
	t.Helper()
	link := Program(t)
	dir := filepath.Dir(link)
	var err error
	if o.Rows == 0 {
		o.Rows, o.Cols = 24, 80
	}
	s := &Session{t: t, ended: make(chan error, 1), screen: newScreen(int(o.Cols), int(o.Rows)), ground: o.Ground}
	if s.master, s.slave, err = pty.Open(); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("NOT RUN: no pseudo-terminal: %v", err)
	}
	must.Do(t, pty.Setsize(s.master, &pty.Winsize{Rows: o.Rows, Cols: o.Cols}))
	if s.before, err = term.GetState(int(s.slave.Fd())); err != nil {
		t.Fatal(err)
	}
	s.Cmd = exec.Command(link, args...)
	if o.Shell != "" {
		s.Cmd = exec.Command("sh", append([]string{"-c", o.Shell, link}, args...)...)
	}
	s.Cmd.Stdin, s.Cmd.Stdout, s.Cmd.Stderr = s.slave, s.slave, s.slave
	if o.NoKeys {
		s.Cmd.Stdin = nil
	}
	s.Cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "XDG_CACHE_HOME=" + os.Getenv("XDG_CACHE_HOME"), "XDG_STATE_HOME=" + dir + "/state", "TERM=xterm-256color", "COLORTERM=truecolor"}, o.Env...)
	s.Cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: !o.Detached, Ctty: 1}
	must.Do(t, s.Cmd.Start())
	go s.read()
	// Drop the emulator's answers to queries, since many terminals give none.
	go func() { _, _ = io.Copy(io.Discard, s.screen) }()
	go func() { s.ended <- s.Cmd.Wait() }()
	t.Cleanup(func() {
		_ = s.Cmd.Process.Kill() // the process has ended by now, except after a failed test
		s.master.Close()
		s.slave.Close()
	})
	return s
}

// newScreen returns an emulator that ignores a scrolling region below its last row. After a resize, a
// program draws for the old size until it learns of the new one. Real terminals tolerate that; the
// emulator would keep the region and panic when it scrolls.
func newScreen(cols, rows int) *vt.Emulator {
	screen := vt.NewEmulator(cols, rows)
	screen.RegisterCsiHandler('r', func(params ansi.Params) (handled bool) {
		bottom, _, _ := params.Param(1, 0)
		return bottom > screen.Height()
	})
	return screen
}

// read feeds the program's output to the emulator, and answers a query for the background colour.
func (s *Session) read() {
	buf := make([]byte, 1<<16)
	for {
		n, err := s.master.Read(buf)
		s.mu.Lock()
		s.raw.Write(buf[:n])
		_, _ = s.screen.Write(buf[:n])
		queried := s.ground != "" && bytes.Contains(s.raw.Bytes(), []byte("\x1b]11;?"))
		if queried {
			_, _ = io.WriteString(s.master, "\x1b]11;"+s.ground+"\x1b\\")
			s.ground = ""
		}
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// Sees waits until the screen matches a pattern and returns the text of the screen. The test fails
// after Hang.
func (s *Session) Sees(pattern string) string {
	s.t.Helper()
	want := regexp.MustCompile(pattern)
	var text string
	for deadline := time.Now().Add(Hang); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		s.mu.Lock()
		text = s.screen.String()
		s.mu.Unlock()
		if want.MatchString(text) {
			return text
		}
	}
	s.t.Fatalf("timed out waiting for %q; the screen is\n%s", pattern, text)
	return ""
}

// Press presses keys. A key is given by its name, such as left or ctrl+c, or by the characters that the key sends.
func (s *Session) Press(keys ...string) {
	s.t.Helper()
	for _, k := range keys {
		if code, ok := map[string]string{"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "tab": "\t", "enter": "\r", "ctrl+c": "\x03"}[k]; ok {
			k = code
		}
		must.Get(io.WriteString(s.master, k))(s.t)
	}
}

// Resize changes the size of the window.
func (s *Session) Resize(rows, cols uint16) {
	s.t.Helper()
	s.mu.Lock()
	s.screen.Resize(int(cols), int(rows))
	_, _ = io.WriteString(s.screen, "\x1b[H\x1b[2J") // the program must redraw the complete screen
	s.mu.Unlock()
	must.Do(s.t, pty.Setsize(s.master, &pty.Winsize{Rows: rows, Cols: cols}))
}

// wait waits for the program to end.
func (s *Session) wait() {
	s.t.Helper()
	select {
	case <-s.ended:
	case <-time.After(Hang):
		s.t.Fatalf("the program does not end; its screen is\n%s", s.screen)
	}
}

// Ends waits for the program to exit and checks its status.
func (s *Session) Ends(status int) {
	s.t.Helper()
	s.wait()
	if got := s.Cmd.ProcessState.ExitCode(); got != status {
		s.t.Errorf("exit status %d, must be %d; the screen is\n%s", got, status, s.screen)
	}
}

// Restored checks that the program has restored the terminal.
func (s *Session) Restored() {
	s.t.Helper()
	after, err := term.GetState(int(s.slave.Fd()))
	if err != nil || !reflect.DeepEqual(after, s.before) {
		s.t.Errorf("the terminal's modes have changed: %v", err)
	}
	// The last output of the program may still be unread.
	deadline := time.Now().Add(Hang)
	for len(s.modes()) > 0 && time.Now().Before(deadline) {
		time.Sleep(10 * time.Millisecond)
	}
	if kept := s.modes(); len(kept) > 0 {
		s.t.Errorf("the terminal keeps %q", kept)
	}
}

// modes returns the terminal modes that the program has set and not reset.
func (s *Session) modes() (kept []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.screen.IsAltScreen() {
		kept = append(kept, "the alternate screen")
	}
	if s.screen.CursorHidden() {
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

// Output returns everything that the program has written.
func (s *Session) Output() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.raw.String()
}

// HangUp closes the terminal and waits for the program to end.
func (s *Session) HangUp() {
	s.t.Helper()
	s.slave.Close()
	s.master.Close()
	s.wait()
}

// Kill kills the program and waits for it to end.
func (s *Session) Kill() {
	s.t.Helper()
	must.Do(s.t, s.Cmd.Process.Kill())
	<-s.ended
}
