//go:build darwin || linux

package memory

import (
	"os"
	"syscall"
	"unsafe"
)

// FilesAreMapped reports whether MapFile maps files.
const FilesAreMapped = true

// MapFile maps a file's bytes copy-on-write. The memory stays mapped until free is called, even if
// the file is closed. If another process truncates the file, reading the lost part is a fault; see
// [CatchFaults].
func MapFile(f *os.File, size int64) (data []byte, free func(), err error) {
	if size == 0 {
		return nil, func() {}, nil
	}
	m, err := syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		return nil, nil, &os.PathError{Op: "map", Path: f.Name(), Err: err}
	}
	begin := uintptr(unsafe.Pointer(&m[0]))
	mapped.Store(begin, mapping{begin + uintptr(size), f.Name()})
	return m, func() {
		mapped.Delete(begin)
		_ = syscall.Munmap(m)
	}, nil
}
