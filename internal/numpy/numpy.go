// Package numpy writes the headers of NumPy's files.
package numpy

import (
	"fmt"
	"strings"
)

// Header returns the header of a .npy file, version 1.0
// (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html). The values follow the header, with the
// last dimension varying fastest. kind is a type as NumPy writes it, such as "<f4".
func Header(kind string, shape ...int) []byte {
	dimensions := ""
	for _, n := range shape {
		dimensions += fmt.Sprintf("%d,", n)
	}
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", kind, dimensions)
	const front = 10                                            // bytes before the text
	head += strings.Repeat(" ", 63-(front+len(head))%64) + "\n" // makes the length of the header a multiple of 64
	return append([]byte{0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, byte(len(head)), byte(len(head) >> 8)}, head...)
}
