package memory

import "unsafe"

// HugePage is the size of a huge page on Linux, in bytes. With pages of 4 KiB, random reads in a
// large memory miss the TLB, and the first use of each page is a page fault.
const HugePage = 2 << 20

// OnHugePages returns n zero values, which the garbage collector frees as usual. If the values take
// at least the size of a huge page, they start at the boundary of a huge page or, if this is inside
// a value, at the start of that value. OnHugePages then asks the system for huge pages.
func OnHugePages[T any](n int) []T {
	var value T
	size := int(unsafe.Sizeof(value))
	if n*size < HugePage {
		return make([]T, n)
	}
	values := make([]T, n+HugePage/size)
	before := int(-uintptr(unsafe.Pointer(&values[0])) & (HugePage - 1))
	skip := before / size
	values = values[skip : skip+n : skip+n]
	AdviseHuge(unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), n*size))
	return values
}
