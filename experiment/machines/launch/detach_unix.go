//go:build unix

package launch

import (
	"os/exec"
	"syscall"
)

// detach protects the hub from Ctrl-C in the terminal: the command ends it after its games are stored.
func detach(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
