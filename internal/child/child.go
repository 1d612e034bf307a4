// Package child starts and kills child processes. On Linux, the system kills them when this process
// ends, even if it is killed. On other systems the caller must call [Kill].
package child

import (
	"os/exec"
	"runtime"
)

// Start starts a program in a new session, so that Ctrl-C in the terminal does not reach it. A
// goroutine calls cmd.Wait as soon as reap is closed, or at once if reap is nil. It closes reaped
// when Wait has returned. Until then the system does not reuse the process ID.
func Start(cmd *exec.Cmd, reap <-chan struct{}) (reaped <-chan struct{}, err error) {
	detach(cmd)
	started, ended := make(chan error), make(chan struct{})
	go func() {
		runtime.LockOSThread() // with Pdeathsig (detach), Linux kills the child when the thread that started it ends
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err != nil {
			return
		}
		if reap != nil {
			<-reap
		}
		_ = cmd.Wait() // callers read cmd.ProcessState instead of the error
		close(ended)
	}()
	return ended, <-started
}
