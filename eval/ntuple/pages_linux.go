package ntuple

import (
	"syscall"
	"unsafe"

	"github.com/afterstate2048/afterstate/internal/memory"
)

// Allocate returns n zeroed words, on huge pages if they fill at least one, and a function that
// releases them.
func Allocate[T word](n int) (words []T, free func(), err error) {
	var word T
	bytes := n * int(unsafe.Sizeof(word))
	if bytes < memory.HugePage {
		return make([]T, n), func() {}, nil
	}
	m, err := syscall.Mmap(-1, 0, bytes+memory.HugePage, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE)
	if err != nil {
		return nil, nil, err
	}
	// Huge pages start at multiples of their size: skip the bytes before the first multiple.
	skip := int(-uintptr(unsafe.Pointer(&m[0])) & (memory.HugePage - 1))
	part := m[skip : skip+bytes]
	memory.AdviseHuge(part)
	return unsafe.Slice((*T)(unsafe.Pointer(&part[0])), n), func() { _ = syscall.Munmap(m) }, nil
}
