//go:build unix && !linux

package bot

import (
	"os"
	"os/exec"
	"syscall"
)

// detach puts a program into a new session, so that Ctrl-C in the terminal does not reach it.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// killTree kills a process that is not yet reaped and its process group. Processes that left the
// group are not found.
func killTree(leader *os.Process, _ string) {
	_ = syscall.Kill(-leader.Pid, syscall.SIGKILL)
	_ = leader.Kill()
}
