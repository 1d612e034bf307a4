//go:build unix

package testenv

import (
	"syscall"
	"time"
)

// ProcessorTime returns the processor time that this process has used, in all its threads. Other work on the
// machine does not count.
func ProcessorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
