//go:build !linux && !js

package bot

import (
	"os"

	"github.com/afterstate2048/afterstate/internal/child"
)

// killTree kills a process that is not yet reaped, and its process group. It does not find
// processes that have left the group.
func killTree(leader *os.Process, _ string) { child.Kill(leader) }
