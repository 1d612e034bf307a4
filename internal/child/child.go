// Package child starts programs that end with this one, on Linux even when it is killed.
package child

import (
	"os/exec"
	"runtime"
)

// Start starts a program in a session of its own, so that Ctrl-C in the terminal does not reach it. It is waited for once
// reap is closed, at once if that is nil, and reaped is then closed: until then its process ID belongs to no other one.
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
