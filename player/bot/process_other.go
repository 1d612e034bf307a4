//go:build !unix

package bot

import (
	"os"
	"os/exec"
)

func detach(*exec.Cmd) {}

// killTree ends a process. Its children notice the end of their pipes, if they
// look; there is no portable way to find them.
func killTree(leader *os.Process, _ string) { _ = leader.Kill() }
