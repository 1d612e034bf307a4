//go:build unix

package tui

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
)

// stopTimeout is the maximum time until a stop takes effect. SIGTSTP does not stop a process without a shell in its
// session that could continue it (an orphaned process group); then the game continues.
const stopTimeout = 200 * time.Millisecond

// suspend stops the process group and returns when it continues. Bubble Tea's own suspend would wait for a SIGCONT even
// if the process was not stopped.
func suspend() {
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	_ = syscall.Kill(0, syscall.SIGTSTP)
	select {
	case <-continued:
	case <-time.After(stopTimeout):
	}
}

// watchSize requests the size of the window whenever it is resized: Bubble Tea (v2.0.9) draws the
// first frame before it listens to the signal of a resize, so the screen would stay empty after a
// resize in between.
func watchSize(p *tea.Program) (end func()) {
	resized := make(chan os.Signal, 1)
	signal.Notify(resized, syscall.SIGWINCH)
	go func() {
		for range resized {
			p.Send(tea.RequestWindowSize())
		}
	}()
	return func() {
		signal.Stop(resized)
		close(resized)
	}
}
