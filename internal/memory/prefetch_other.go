//go:build !amd64 || purego

package memory

import "unsafe"

func Prefetch(unsafe.Pointer) {}
