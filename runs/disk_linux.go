package runs

import (
	"math"
	"syscall"
)

// freeDisk returns how many bytes can be written to a folder's file system; ok is false if that is
// unknown.
func freeDisk(folder string) (bytesFree int64, ok bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return 0, false
	}
	free := s.Bavail * uint64(s.Bsize)
	return int64(min(free, math.MaxInt64)), true
}
