package cli

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"strconv"
	"syscall"
)

// freeMemory is how many bytes of memory can be had; ok is false where nobody knows.
func freeMemory() (bytesFree int64, ok bool) {
	bytesFree = math.MaxInt64
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		for line := range bytes.Lines(text) {
			var kilobytes int64
			if n, _ := fmt.Sscanf(string(line), "MemAvailable: %d kB", &kilobytes); n == 1 {
				bytesFree, ok = kilobytes<<10, true
			}
		}
	}
	// A container may have less than the machine.
	if text, err := os.ReadFile("/sys/fs/cgroup/memory.max"); err == nil {
		if limit, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64); err == nil && limit < bytesFree {
			bytesFree, ok = limit, true
		}
	}
	return bytesFree, ok
}

// freeDisk is how many bytes can be written to a folder's disk; ok is false where
// nobody knows.
func freeDisk(folder string) (bytesFree int64, ok bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return 0, false
	}
	free := s.Bavail * uint64(s.Bsize)
	return int64(min(free, math.MaxInt64)), true
}
