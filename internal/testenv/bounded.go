package testenv

import (
	"runtime"
	"testing"
	"time"
)

// Allocated returns how many bytes a function allocates, including bytes that are freed before it
// returns.
func Allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// Bounded fails a test if decoding an input of size bytes costs too much: more memory than ten times the size plus
// 64 MiB, or more processor time than ten seconds per 100 MB plus thirty seconds. The limit on time leaves room for
// the race detector. The memory is the sum of all allocations, so the result is the same each time.
func Bounded(t testing.TB, size int, decode func()) {
	t.Helper()
	begin := ProcessorTime()
	if got, limit := Allocated(decode), 10*int64(size)+64<<20; got > limit {
		t.Errorf("%d bytes of input allocate %d MB: must be at most %d", size, got>>20, limit>>20)
	}
	if took, limit := ProcessorTime()-begin, 30*time.Second+time.Duration(size)*100*time.Nanosecond; took > limit {
		t.Errorf("%d bytes of input take %v: must be at most %v", size, took, limit)
	}
}
