//go:build !amd64 || purego

package memory

import "unsafe"

// Prefetch does nothing: it is implemented for amd64 only.
func Prefetch(unsafe.Pointer) {}
