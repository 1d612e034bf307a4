//go:build unix

package tui

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
)

// suspender stops the program on Ctrl-Z and on SIGTSTP from outside, with the terminal as it
// was before, and takes the terminal again when the program is continued.
type suspender struct {
	stop, cont chan os.Signal
	ended      chan struct{}
}

// notStopped is how long a stop takes at most. A process that no shell of its session can
// continue is not stopped by SIGTSTP (an orphaned process group): then the game goes on.
const notStopped = 200 * time.Millisecond

// rendererStops is how long Bubble Tea's renderer is given to stop. In v2.0.9 its goroutine
// stops the ticker it shares with the next one, so that a renderer started at once may
// never draw.
const rendererStops = 50 * time.Millisecond

// continuedMsg says that the process was stopped without its knowledge and goes on.
type continuedMsg struct{}

func newSuspender() *suspender {
	s := &suspender{make(chan os.Signal, 1), make(chan os.Signal, 1), make(chan struct{})}
	s.listen()
	return s
}

func (s *suspender) listen() {
	if !signal.Ignored(syscall.SIGTSTP) {
		signal.Notify(s.stop, syscall.SIGTSTP)
	}
	signal.Notify(s.cont, syscall.SIGCONT)
}

// forward tells the program of signals until close.
func (s *suspender) forward(p *tea.Program) {
	for {
		select {
		case <-s.stop:
			p.Send(tea.SuspendMsg{})
		case <-s.cont:
			p.Send(continuedMsg{})
		case <-s.ended:
			return
		}
	}
}

func (s *suspender) close() {
	signal.Stop(s.stop)
	signal.Stop(s.cont)
	close(s.ended)
}

// filter handles the messages to suspend and to continue. It does not leave the first to
// Bubble Tea, which would wait for a SIGCONT even where the process was not stopped.
func (s *suspender) filter(p *tea.Program, msg tea.Msg) tea.Msg {
	switch msg.(type) {
	case tea.SuspendMsg:
		if p.ReleaseTerminal() != nil {
			return nil
		}
		s.suspend()
	case continuedMsg:
		if p.ReleaseTerminal() != nil { // so that its first state is kept
			return nil
		}
	default:
		return msg
	}
	time.Sleep(rendererStops)
	_ = p.RestoreTerminal() // without it the keyboard ends, and with it the program
	return tea.ClearScreen()
}

// suspend stops the process group and returns when it goes on.
func (s *suspender) suspend() {
	if signal.Ignored(syscall.SIGTSTP) { // whoever started the program wants no stops
		return
	}
	signal.Stop(s.stop)
	signal.Stop(s.cont)
	defer s.listen()
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)

	// The others in the group, and this process, which must have its signal behind it
	// before it listens again.
	own := make(chan os.Signal, 1)
	signal.Notify(own, syscall.SIGTSTP)
	_ = syscall.Kill(0, syscall.SIGTSTP)
	awaitSignal(own)
	signal.Stop(own)
	// Go does not give a signal's effect back once it was listened to. This one has the same.
	_ = syscall.Kill(syscall.Getpid(), syscall.SIGTTIN)
	awaitSignal(continued)
}

func awaitSignal(c <-chan os.Signal) {
	select {
	case <-c:
	case <-time.After(notStopped):
	}
}
