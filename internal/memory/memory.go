// Package memory tells how much memory this process can still get, so that a request for
// more than that is refused. Go itself ends the process when an allocation fails.
//
// What is available is the least of three figures, as far as the system tells them: the
// machine's MemAvailable, what the limits of the process's control groups (versions 1 and
// 2, and all groups around them) leave beside what is used there, and the address space
// that the process may still take (ulimit -v). Only Linux tells any; elsewhere nothing is
// refused.
package memory

import (
	"fmt"
	"io/fs"
	"math"
	"os"
)

// Error says that more memory is needed than there is. Both figures are bytes.
type Error struct{ Needed, Free int64 }

func (e *Error) Error() string {
	return fmt.Sprintf("%s of memory are needed, %s are free", Words(e.Needed), Words(e.Free))
}

// Available is how many bytes the process can still get; ok is false where the system
// does not tell.
func Available() (free int64, ok bool) { return availableIn(os.DirFS("/")) }

// Check returns an *Error if there is not that much memory. An eighth of what is
// available is left free, for what the program allocates besides.
func Check(needed int64) error { return check(os.DirFS("/"), needed) }

func check(system fs.FS, needed int64) error {
	if free, ok := availableIn(system); ok && needed > free-free/8 {
		return &Error{needed, free - free/8}
	}
	return nil
}

// Times is n times size, or the largest int64 where that is more.
func Times(n, size int64) int64 {
	if n > 0 && size > math.MaxInt64/n {
		return math.MaxInt64
	}
	return n * size
}

// Plus is a + b, neither of them negative, or the largest int64 where that is more.
func Plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// Words are bytes in MiB or GiB.
func Words(bytes int64) string {
	if bytes < 1<<30 {
		return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30))
}
