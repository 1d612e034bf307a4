package memory

import "unsafe"

// Bytes returns the memory of words, which must not contain pointers.
func Bytes[T any](words []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), len(words)*int(unsafe.Sizeof(*new(T))))
}
