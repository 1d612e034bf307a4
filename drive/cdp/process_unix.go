//go:build unix

package cdp

import (
	"os/exec"
	"syscall"
)

// interrupt asks the browser to end.
func interrupt(c *exec.Cmd) { _ = c.Process.Signal(syscall.SIGTERM) }

// kill kills the processes of the browser that are left.
func kill(c *exec.Cmd) { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
