//go:build !unix

package cdp

import "os/exec"

func separate(*exec.Cmd) {}

// interrupt kills the browser: there is no signal that would let it end by itself.
func interrupt(c *exec.Cmd) { kill(c) }

func kill(c *exec.Cmd) { _ = c.Process.Kill() }
