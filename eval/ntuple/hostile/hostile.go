// Package hostile makes corrupt model files for the tests of packages ntuple and quant.
package hostile

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// prologue is the length of what comes before a model file's header: magic, and the
// header's length at byte 8.
const prologue = 16

// Seeds returns corrupt variants of a file, for fuzzing and tables.
func Seeds(file []byte) (seeds [][]byte) {
	for _, at := range []int{0, 7, 8, 11, 12, prologue, prologue + 20, len(file) / 2, len(file) - 1} {
		for _, mask := range []byte{1, 0x80, 0xff} {
			seeds = append(seeds, Flipped(file, at, mask))
		}
	}
	for _, n := range []int{0, 1, 7, 8, 15, 16, 17, len(file) / 2, len(file) - 1} {
		seeds = append(seeds, file[:n])
	}
	for _, more := range []string{"x", strings.Repeat("\x00", 8), "\x1b]52;c;eA==\a"} {
		seeds = append(seeds, append(bytes.Clone(file), more...))
	}
	for _, length := range []uint32{0, 1, 1 << 20, 1 << 31, 1<<32 - 1} {
		seeds = append(seeds, binary.LittleEndian.AppendUint32(bytes.Clone(file[:8]), length), replaced(file, 8, length))
	}
	return seeds
}

// Flipped is a copy of file with the bits of mask flipped in one byte.
func Flipped(file []byte, at int, mask byte) []byte {
	b := bytes.Clone(file)
	b[at] ^= mask
	return b
}

func replaced(file []byte, at int, x uint32) []byte {
	b := bytes.Clone(file)
	binary.LittleEndian.PutUint32(b[at:], x)
	return b
}

// Headers are variants of a header whose claims are false.
func Headers(text string) (headers []string) {
	for _, c := range [][2]string{
		{`"patterns":["`, `"patterns":["` + strings.Repeat(`01","`, 5000)},
		{`"patterns":[`, `"patterns":["0123456789abcdef",`},
		{`"patterns":[`, `"patterns":["00",`},
		{`"patterns":[`, `"patterns":[null,`},
		{`"patterns":[`, `"patterns":["\u001b]52;c;eA==\u0007",`},
		{`"size":"2x2"`, `"size":"4x4"`},
		{`"size":"2x2"`, `"size":"99999999999999999999x2"`},
		{`"size":"2x2"`, `"size":"2x2","stages":[` + strings.Repeat("[],", 5000) + `[]]`},
		{`"size":"2x2"`, `"size":"2x2","stage_bias":[1,2,3,4,5,6,7,8,9]`},
		{`"size":"2x2"`, `"size":"2x2","stage_bias":[]`},
		{`"size":"2x2"`, `"size":"2x2","downgrade":255`},
		{`"size":"2x2"`, `"size":"2x2","bias":1e38`},
		{`"size":"2x2"`, `"size":"2x2","name":"\u001b[2J\u009b\u202e"`},
		{`"bytes":`, `"bytes":-`},
		{`"offset":`, `"offset":9`},
		{`"bytes":[[`, `"bytes":[[-1,`},
		{`"bytes":[[`, `"bytes":[[9223372036854775807,9223372036854775807,`},
		{`"scale":`, `"scale":-`},
		{`"bits":`, `"bits":9`},
		{`{`, strings.Repeat(`{"x":`, 20000)},
	} {
		if strings.Contains(text, c[0]) {
			headers = append(headers, strings.Replace(text, c[0], c[1], 1))
		}
	}
	return headers
}
