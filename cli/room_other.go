//go:build !linux

package cli

// freeMemory does not know how many bytes of memory can be had.
func freeMemory() (bytesFree int64, ok bool) { return 0, false }

// freeDisk does not know how many bytes can be written.
func freeDisk(string) (bytesFree int64, ok bool) { return 0, false }
