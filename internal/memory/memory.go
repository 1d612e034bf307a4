// Package memory determines how much memory this process can still allocate, so that callers can
// refuse larger requests. Go terminates the process when an allocation fails.
//
// The available memory is the least of three figures, as far as the system provides them: the
// machine's MemAvailable, the remainder of the limits of the process's control groups (version 2,
// including enclosing groups), and the remaining address space (ulimit -v). Only Linux provides
// them; on other systems [Check] accepts every request.
//
// [OnHugePages] allocates large tables that are read at random, [Prefetch] hides the latency of
// such a read, [MapFile] maps a file into memory, and [CatchFaults] turns faults in mapped files
// into errors.
package memory

import (
	"fmt"
	"io/fs"
	"math"
	"os"
)

// Error means that a request needs more memory or, if Folder is set, disk space than is available. Sizes are in bytes.
type Error struct {
	Needed, Free int64
	Folder       string
}

func (e *Error) Error() string {
	if e.Folder != "" {
		return fmt.Sprintf("%s of disk is needed, %s is free in %s", Words(e.Needed), Words(e.Free), e.Folder)
	}
	return fmt.Sprintf("%s of memory is needed, %s is free", Words(e.Needed), Words(e.Free))
}

// Available returns how many bytes the process can still allocate. ok is false if the system does
// not provide a figure.
func Available() (free int64, ok bool) { return availableIn(os.DirFS("/")) }

// Check returns an *Error if needed bytes are not available. It reserves an eighth of the available
// memory for other allocations.
func Check(needed int64) error { return check(os.DirFS("/"), needed) }

func check(system fs.FS, needed int64) error {
	if free, ok := availableIn(system); ok && needed > free-free/8 {
		return &Error{Needed: needed, Free: free - free/8}
	}
	return nil
}

// Times returns n times size, saturating at the largest int64.
func Times(n, size int64) int64 {
	if n > 0 && size > math.MaxInt64/n {
		return math.MaxInt64
	}
	return n * size
}

// Plus returns a + b for numbers that are not negative, saturating at the largest int64.
func Plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// Words formats a number of bytes in MiB or GiB.
func Words(bytes int64) string {
	if bytes < 1<<30 {
		return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30))
}
