//go:build !amd64 || purego

package memory

import "unsafe"

// Prefetch does nothing: only amd64 has the instruction here.
func Prefetch(unsafe.Pointer) {}
