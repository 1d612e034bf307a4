//go:build unix && !linux

package bot

import (
	"os"
	"os/exec"
	"syscall"
)

// detach gives a program a session of its own, so that Ctrl-C in the terminal is
// not its business.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// killTree ends a process that is not yet reaped and its group. What left the group
// is out of reach here.
func killTree(leader *os.Process, _ string) {
	_ = syscall.Kill(-leader.Pid, syscall.SIGKILL)
	_ = leader.Kill()
}
