//go:build !purego

package memory

import "unsafe"

// Prefetch starts to load the cache line at p into the processor's cache and does not wait for it.
// On processors other than amd64 it does nothing.
//
//go:noescape
func Prefetch(p unsafe.Pointer)
