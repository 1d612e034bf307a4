//go:build !unix

package child

import (
	"os"
	"os/exec"
)

func detach(*exec.Cmd) {}

// Kill kills a program that Start started. There is no portable way to find its children; they should exit when their
// pipes close.
func Kill(p *os.Process) { _ = p.Kill() }
