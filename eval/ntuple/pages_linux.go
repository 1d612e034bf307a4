package ntuple

import (
	"os"
	"syscall"
	"unsafe"
)

// huge is the size of a huge page. Random reads in hundreds of megabytes miss the TLB with 4 KiB
// pages; entries for pages of 2 MiB fit.
const huge = 2 << 20

// Allocate returns n zeroed words, on huge pages if they fill at least one, and a function that
// releases them.
func Allocate[T word](n int) (words []T, free func(), err error) {
	var word T
	bytes := n * int(unsafe.Sizeof(word))
	if bytes < huge {
		return make([]T, n), func() {}, nil
	}
	m, err := syscall.Mmap(-1, 0, bytes+huge, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE)
	if err != nil {
		return nil, nil, err
	}
	// Pages start at multiples of their size.
	skip := int(-uintptr(unsafe.Pointer(&m[0])) & (huge - 1))
	part := m[skip : skip+bytes]
	_ = syscall.Madvise(part, syscall.MADV_HUGEPAGE) // a wish: without it all is slower, not wrong
	return unsafe.Slice((*T)(unsafe.Pointer(&part[0])), n), func() { _ = syscall.Munmap(m) }, nil
}

// mapFile maps a file's bytes copy-on-write.
func mapFile(f *os.File, size int64) (data []byte, free func(), err error) {
	if size == 0 {
		return nil, func() {}, nil
	}
	m, err := syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		return nil, nil, &os.PathError{Op: "map", Path: f.Name(), Err: err}
	}
	return m, func() { _ = syscall.Munmap(m) }, nil
}
