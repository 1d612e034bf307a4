package quant

import (
	"bytes"
	"encoding/binary"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/rules/board"
)

// smallFile is a quantized model of less than a kilobyte.
func smallFile(t testing.TB) []byte {
	t.Helper()
	l, err := ntuple.ParseLayout(board.Size{Rows: 2, Cols: 2}, "01 03")
	if err != nil {
		t.Fatal(err)
	}
	n, err := ntuple.New(l)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	n.Table(0, 0)[17], n.Table(0, 1)[33] = 5, -300
	file, _, err := Quantize(n, info, Options{Bits: 8})
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// Whichever bit of a file flips, reading fails.
func TestFlippedBits(t *testing.T) {
	file := smallFile(t)
	for at := range file {
		for bit := range 8 {
			_, err := Dequantize(flipped(file, at, 1<<bit))
			if !errors.Is(err, ntuple.ErrModel) {
				t.Fatalf("bit %d of byte %d: %v", bit, at, err)
			}
		}
	}
}

// A file or a part that ends too early is noticed, wherever it does.
func TestTruncations(t *testing.T) {
	file := smallFile(t)
	part := Split(file)[0]
	for n := range file {
		if _, err := Dequantize(file[:n]); !errors.Is(err, ntuple.ErrModel) {
			t.Fatalf("%d of %d bytes: %v", n, len(file), err)
		}
	}
	for n := range part {
		if _, err := Join(part[:n]); err == nil {
			t.Fatalf("%d of %d bytes are a part", n, len(part))
		}
	}
}

// What a header claims does not make reading allocate more than a small multiple of the
// file. (A sound header may unfold to MaxWeights.)
func TestClaims(t *testing.T) {
	file := smallFile(t)
	length := int(binary.LittleEndian.Uint32(file[8:]))
	variants := seeds(file)
	for _, text := range headers(string(file[prologue : prologue+length])) {
		variants = append(variants, quantizedFile([]byte(text), file[prologue+length:]))
	}
	for i, b := range variants {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, err := Dequantize(b)
		_, summaryErr := ReadSummary(bytes.NewReader(b))
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 64*uint64(len(b))+4<<20 {
			t.Errorf("variant %d of %d bytes allocates %d: %v, %v", i, len(b), took, err, summaryErr)
		}
		if err == nil {
			m.Value(0x1234)
			m.Close()
		} else if !errors.Is(err, ntuple.ErrModel) {
			t.Errorf("variant %d: %v", i, err)
		}
	}
}

// seeds returns corrupt variants of a file, for fuzzing and tables.
func seeds(file []byte) (all [][]byte) {
	for _, at := range []int{0, 7, 8, 11, 12, prologue, prologue + 20, len(file) / 2, len(file) - 1} {
		for _, mask := range []byte{1, 0x80, 0xff} {
			all = append(all, flipped(file, at, mask))
		}
	}
	for _, n := range []int{0, 1, 7, 8, 15, 16, 17, len(file) / 2, len(file) - 1} {
		all = append(all, file[:n])
	}
	for _, more := range []string{"x", strings.Repeat("\x00", 8), "\x1b]52;c;eA==\a"} {
		all = append(all, append(bytes.Clone(file), more...))
	}
	for _, length := range []uint32{0, 1, 1 << 20, 1 << 31, 1<<32 - 1} {
		all = append(all, binary.LittleEndian.AppendUint32(bytes.Clone(file[:8]), length), replaced(file, 8, length))
	}
	return all
}

// flipped is a copy of file with the bits of mask flipped in one byte.
func flipped(file []byte, at int, mask byte) []byte {
	b := bytes.Clone(file)
	b[at] ^= mask
	return b
}

func replaced(file []byte, at int, x uint32) []byte {
	b := bytes.Clone(file)
	binary.LittleEndian.PutUint32(b[at:], x)
	return b
}

// headers are variants of a header whose claims are false.
func headers(text string) (all []string) {
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
		{`"bytes":[[`, `"bytes":[[-1,`},
		{`"bytes":[[`, `"bytes":[[9223372036854775807,9223372036854775807,`},
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
