// Package child starts child processes that end with this one, on Linux even if this one is killed.
package child

import (
	"os/exec"
	"runtime"
)

// Start starts a program in a new session, so that Ctrl-C in the terminal does not reach it. Start
// waits for it in the background, but only after reap is closed, or at once if reap is nil. When
// the program has ended and Wait has returned, it closes reaped. Until then the system does not
// reuse the process ID.
func Start(cmd *exec.Cmd, reap <-chan struct{}) (reaped <-chan struct{}, err error) {
	detach(cmd)
	started, ended := make(chan error), make(chan struct{})
	go func() {
		runtime.LockOSThread() // Linux kills a child together with the thread that started it
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err != nil {
			return
		}
		if reap != nil {
			<-reap
		}
		_ = cmd.Wait() // the exit state is in cmd
		close(ended)
	}()
	return ended, <-started
}
