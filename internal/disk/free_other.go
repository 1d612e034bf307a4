//go:build !linux

// Package disk determines how much can be written to a file system. Only Linux provides it; on
// other systems nothing is refused.
package disk

// Free is unknown on this system.
func Free(string) (bytes int64, ok bool) { return 0, false }
