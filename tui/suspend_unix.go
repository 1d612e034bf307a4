//go:build unix

package tui

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
)

// suspender stops the process on Ctrl-Z and on an external SIGTSTP, with the terminal restored, and
// takes over the terminal again when the process continues. It also asks for the size of a window
// that is resized: Bubble Tea (v2.0.9) draws the first frame before it listens to that signal, so the
// screen would stay empty after a resize in between.
type suspender struct {
	stop, cont, resized chan os.Signal
	ended               chan struct{}
}

// stopTimeout is the maximum time until a stop takes effect. SIGTSTP does not stop a process without
// a shell in its session that could continue it (an orphaned process group); then the game
// continues.
const stopTimeout = 200 * time.Millisecond

// rendererStopDelay is the time that Bubble Tea's renderer gets to stop. In v2.0.9 its goroutine stops
// the ticker that it shares with the next renderer, so one that starts too early may never draw.
const rendererStopDelay = 200 * time.Millisecond

// continuedMsg means that the process was stopped and continued without a SuspendMsg.
type continuedMsg struct{}

func newSuspender() *suspender {
	s := &suspender{make(chan os.Signal, 1), make(chan os.Signal, 1), make(chan os.Signal, 1), make(chan struct{})}
	s.listen()
	signal.Notify(s.resized, syscall.SIGWINCH)
	return s
}

func (s *suspender) listen() {
	if !signal.Ignored(syscall.SIGTSTP) {
		signal.Notify(s.stop, syscall.SIGTSTP)
	}
	signal.Notify(s.cont, syscall.SIGCONT)
}

// forward sends signals as messages to the program until close.
func (s *suspender) forward(p *tea.Program) {
	for {
		select {
		case <-s.stop:
			p.Send(tea.SuspendMsg{})
		case <-s.cont:
			p.Send(continuedMsg{})
		case <-s.resized:
			p.Send(tea.RequestWindowSize())
		case <-s.ended:
			return
		}
	}
}

func (s *suspender) close() {
	signal.Stop(s.stop)
	signal.Stop(s.cont)
	signal.Stop(s.resized)
	close(s.ended)
}

// filter handles the messages to suspend and to continue. Bubble Tea's own suspend would wait for a
// SIGCONT even if the process was not stopped.
func (s *suspender) filter(p *tea.Program, msg tea.Msg) tea.Msg {
	switch msg.(type) {
	case tea.SuspendMsg:
		if p.ReleaseTerminal() != nil {
			return nil
		}
		s.suspend()
	case continuedMsg:
		if p.ReleaseTerminal() != nil { // so that RestoreTerminal keeps the terminal state saved at the start
			return nil
		}
	default:
		return msg
	}
	time.Sleep(rendererStopDelay)
	_ = p.RestoreTerminal() // if this fails, there is no input, and the program ends
	return tea.ClearScreen()
}

// suspend stops the process group and returns when it continues.
func (s *suspender) suspend() {
	if signal.Ignored(syscall.SIGTSTP) { // the parent process has disabled stops
		return
	}
	signal.Stop(s.stop)
	signal.Stop(s.cont)
	defer s.listen()
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)

	// Signal the process group. The signal of this process must arrive before it listens again.
	own := make(chan os.Signal, 1)
	signal.Notify(own, syscall.SIGTSTP)
	_ = syscall.Kill(0, syscall.SIGTSTP)
	awaitSignal(own)
	signal.Stop(own)
	// Go does not restore the default action of a signal after Notify. SIGTTIN has the same default
	// action.
	_ = syscall.Kill(syscall.Getpid(), syscall.SIGTTIN)
	awaitSignal(continued)
}

func awaitSignal(c <-chan os.Signal) {
	select {
	case <-c:
	case <-time.After(stopTimeout):
	}
}
