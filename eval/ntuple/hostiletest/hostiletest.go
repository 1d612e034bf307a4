// Package hostiletest makes damaged variants of model files, raw and quantized, for tests.
package hostiletest

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// Prologue is the number of bytes before a header.
const Prologue = 16

// Seeds returns corrupt variants of a file, for fuzzing and table-driven tests.
func Seeds(file []byte) (all [][]byte) {
	for _, at := range []int{0, 7, 8, 11, 12, Prologue, Prologue + 20, len(file) / 2, len(file) - 1} {
		for _, mask := range []byte{1, 0x80, 0xff} {
			all = append(all, Flipped(file, at, mask))
		}
	}
	for _, n := range []int{0, 1, 7, 8, 15, 16, 17, len(file) / 2, len(file) - 1} {
		all = append(all, file[:n])
	}
	for _, more := range []string{"x", strings.Repeat("\x00", 8), "\x1b]52;c;eA==\a"} {
		all = append(all, append(bytes.Clone(file), more...))
	}
	for _, length := range []uint32{0, 1, 1 << 20, 1 << 31, 1<<32 - 1} {
		all = append(all, binary.LittleEndian.AppendUint32(bytes.Clone(file[:8]), length), Replaced(file, 8, length))
	}
	return all
}

// Flipped returns a copy of a file with the bits of mask flipped in one byte.
func Flipped(file []byte, at int, mask byte) []byte {
	b := bytes.Clone(file)
	b[at] ^= mask
	return b
}

// Replaced returns a copy of a file with the 32-bit number x at an offset.
func Replaced(file []byte, at int, x uint32) []byte {
	b := bytes.Clone(file)
	binary.LittleEndian.PutUint32(b[at:], x)
	return b
}

// Headers returns variants of the header of a model for 2x2 that contain false values.
func Headers(text string) (all []string) {
	for _, c := range [][2]string{
		{`"patterns":["`, `"patterns":["` + strings.Repeat(`01","`, 5000)},
		{`"patterns":[`, `"patterns":["0123456789abcdef",`},
		{`"patterns":[`, `"patterns":["00",`},
		{`"patterns":[`, `"patterns":[null,`},
		{`"patterns":[`, `"patterns":["\u001b]52;c;eA==\u0007",`},
		{`"size":"2x2"`, `"size":"4x4"`},
		{`"size":"2x2"`, `"size":"99999999999999999999x2"`},
		{`"size":"2x2"`, `"size":"2x2","stages":[` + strings.Repeat("[],", 5000) + `[]]`},
		{`"size":"2x2"`, `"size":"2x2","downgrade":255`},
		{`"size":"2x2"`, `"size":"2x2","bias":1e38`},
		{`"size":"2x2"`, `"size":"2x2","name":"\u001b[2J\u009b\u202e"`},
		{`"bytes":`, `"bytes":-`},
		{`"bytes":[[`, `"bytes":[[-1,`},
		{`"bytes":[[`, `"bytes":[[9223372036854775807,9223372036854775807,`},
		{`"offset":`, `"offset":9`},
		{`"scale":`, `"scale":-`},
		{`"bits":`, `"bits":9`},
		{`{`, strings.Repeat(`{"x":`, 20000)},
	} {
		if strings.Contains(text, c[0]) {
			all = append(all, strings.Replace(text, c[0], c[1], 1))
		}
	}
	return all
}
