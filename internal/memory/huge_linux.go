package memory

import (
	"os"
	"syscall"
	"unsafe"
)

// AdviseHuge asks the system to use huge pages for b, starting at the first complete page of b. The
// system may refuse, which costs only speed.
func AdviseHuge(b []byte) {
	skip := int(-uintptr(unsafe.Pointer(&b[0]))) & (os.Getpagesize() - 1)
	_ = syscall.Madvise(b[skip:], syscall.MADV_HUGEPAGE)
}
