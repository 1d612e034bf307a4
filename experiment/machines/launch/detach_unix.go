//go:build unix

package launch

import (
	"os/exec"
	"syscall"
)

// detach protects the hub from Ctrl-C in the terminal: the command itself stops the hub after storing its
// games.
func detach(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
