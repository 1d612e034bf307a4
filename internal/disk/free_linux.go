// Package disk determines how much can be written to a file system. It can do so on Linux only; on
// other systems, callers assume that there is enough space.
package disk

import (
	"math"
	"syscall"
)

// Free returns how many bytes can be written to a folder's file system. ok is false if that is
// unknown.
func Free(folder string) (bytes int64, ok bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return 0, false
	}
	return int64(min(s.Bavail*uint64(s.Bsize), math.MaxInt64)), true
}
