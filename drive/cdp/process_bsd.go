//go:build unix && !linux

package cdp

import (
	"os/exec"
	"syscall"
)

// separate puts the browser into a process group of its own, so that Ctrl-C in the terminal does not
// reach it.
func separate(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
