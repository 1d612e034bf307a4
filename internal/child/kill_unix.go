//go:build unix

package child

import (
	"os"
	"syscall"
)

// Kill kills a program that Start started, and its process group.
func Kill(p *os.Process) {
	_ = syscall.Kill(-p.Pid, syscall.SIGKILL)
	_ = p.Kill()
}
