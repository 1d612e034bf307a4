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

// mapFile reads a file's bytes, aligned to words.
func mapFile(path string) (data []byte, free func(), err error) {
	// Opening a pipe would wait for a writer.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, func() {}, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	data = raw(make([]uint64, (info.Size()+7)/8))[:info.Size()]
	_, err = io.ReadFull(f, data)
	return data, func() {}, err
}
