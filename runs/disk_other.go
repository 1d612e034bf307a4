//go:build !linux

package runs

// freeDisk does not know how many bytes can be written.
func freeDisk(string) (bytesFree int64, ok bool) { return 0, false }
