package memory

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/afterstate2048/afterstate/internal/must"
)

func TestOnHugePages(t *testing.T) {
	type odd struct{ a, b, c uint64 } // its size does not divide that of a page
	for _, n := range []int{0, 1, HugePage/24 + 1, 3 * HugePage / 24} {
		values := OnHugePages[odd](n)
		if len(values) != n || cap(values) != n || slices.ContainsFunc(values, func(v odd) bool { return v != odd{} }) {
			t.Errorf("%d values: %d of %d, or not zero", n, len(values), cap(values))
		}
		if n*24 >= HugePage {
			if into := uintptr(unsafe.Pointer(&values[0])) % HugePage; into != 0 && HugePage-into >= 24 {
				t.Errorf("%d values begin %d bytes into a huge page", n, into)
			}
		}
	}
	words := OnHugePages[uint64](HugePage / 8)
	must.Equal(t, uintptr(unsafe.Pointer(&words[0]))%HugePage, 0, "where words begin")
}
