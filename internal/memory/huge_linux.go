package memory

import (
	"os"
	"syscall"
	"unsafe"
)

// AdviseHuge asks the system for huge pages in this memory, from its first complete page on. The
// system may refuse, which costs only speed.
func AdviseHuge(b []byte) {
	skip := int(-uintptr(unsafe.Pointer(&b[0]))) & (os.Getpagesize() - 1)
	_ = syscall.Madvise(b[skip:], syscall.MADV_HUGEPAGE)
}
