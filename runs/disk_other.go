//go:build !linux

package runs

// freeDisk is unknown on this system.
func freeDisk(string) (bytesFree int64, ok bool) { return 0, false }
