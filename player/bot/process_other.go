//go:build !unix && !js

package bot

import (
	"os"
	"os/exec"
)

func detach(*exec.Cmd) {}

// killTree kills the process only. There is no portable way to find its children; they should exit
// when their pipes close.
func killTree(leader *os.Process, _ string) { _ = leader.Kill() }
