//go:build !linux

package ntuple

import (
	"io"
	"os"
)

// Allocate returns n zeroed words and a function that releases them.
func Allocate[T word](n int) (words []T, free func(), err error) {
	return make([]T, n), func() {}, nil
}

// FilesAreMapped reports whether MapFile maps files.
const FilesAreMapped = false

// MapFile reads a file's bytes, aligned to words.
func MapFile(f *os.File, size int64) (data []byte, free func(), err error) {
	data = raw(make([]uint64, (size+7)/8))[:size]
	_, err = io.ReadFull(f, data)
	return data, func() {}, err
}
