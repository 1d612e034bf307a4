//go:build !darwin && !linux

package memory

import (
	"io"
	"os"
	"unsafe"
)

// FilesAreMapped reports whether MapFile maps files.
const FilesAreMapped = false

// MapFile reads a file's bytes, aligned to words.
func MapFile(f *os.File, size int64) (data []byte, free func(), err error) {
	if size == 0 {
		return nil, func() {}, nil
	}
	words := make([]uint64, (size+7)/8)
	data = unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), size)
	_, err = io.ReadFull(f, data)
	return data, func() {}, err
}
