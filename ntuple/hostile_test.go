package ntuple

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"afterstate/board"
)

// hostileSeeds are variants of a file that something happened to: every kind is one that
// was tried by hand once.
func hostileSeeds(file []byte) (seeds [][]byte) {
	for _, at := range []int{0, 7, 8, 11, 12, prologue, prologue + 20, len(file) / 2, len(file) - 1} {
		for _, mask := range []byte{1, 0x80, 0xff} {
			seeds = append(seeds, flipped(file, at, mask))
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

// hostileHeaders are headers that claim what is not so.
func hostileHeaders(text string) (headers []string) {
	for _, c := range [][2]string{
		{`"patterns":["`, `"patterns":["` + strings.Repeat(`01","`, 5000)},
		{`"patterns":[`, `"patterns":["0123456789abcdef",`},
		{`"patterns":[`, `"patterns":["00",`},
		{`"patterns":[`, `"patterns":[null,`},
		{`"patterns":[`, `"patterns":["\u001b]52;c;eA==\u0007",`},
		{`"size":"2x2"`, `"size":"4x4"`},
		{`"size":"2x2"`, `"size":"99999999999999999999x2"`},
		{`"size":"2x2"`, `"size":"2x2","stages":[` + strings.Repeat("[],", 5000) + `[]]`},
		{`"size":"2x2"`, `"size":"2x2","hopes":[1,2,3,4,5,6,7,8,9]`},
		{`"size":"2x2"`, `"size":"2x2","hopes":[]`},
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

// smallFiles are a raw and a quantized model of a few kilobytes.
func smallFiles(t testing.TB) (rawFile, quantized []byte) {
	t.Helper()
	l, err := ParseLayout(board.Size{Rows: 2, Cols: 2}, "01 03")
	if err != nil {
		t.Fatal(err)
	}
	n, err := New(l)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	n.Table(0, 0)[17], n.Table(0, 1)[33] = 5, -300
	path := filepath.Join(t.TempDir(), "model")
	if err := Save(path, n, info, Extra{"more", 2, []uint64{1, 2, 3}}); err != nil {
		t.Fatal(err)
	}
	if rawFile, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	quantized, _, err = Quantize(n, info, QuantizeOptions{Bits: 8})
	if err != nil {
		t.Fatal(err)
	}
	return rawFile, quantized
}

// aligned is bytes where the system would map them.
func aligned(b []byte) []byte {
	a := raw(make([]uint64, (len(b)+7)/8+1))[:len(b)]
	copy(a, b)
	return a
}

func open(b []byte) (*Model, error) {
	if IsQuantized(b) {
		return Dequantize(b)
	}
	return decode(aligned(b))
}

// Whichever bit of a file flips: reading fails, or has exactly what was written. Of a raw
// file, most of which is padding, one bit of each byte is tried.
func TestFlippedBits(t *testing.T) {
	rawFile, quantized := smallFiles(t)
	for name, file := range map[string][]byte{"raw": rawFile, "quantized": quantized} {
		want, err := open(file)
		if err != nil {
			t.Fatal(err)
		}
		read := 0
		for at := range file {
			for bit := range 8 {
				if name == "raw" && bit != at%8 {
					continue
				}
				m, err := open(flipped(file, at, 1<<bit))
				switch {
				case err != nil && !errors.Is(err, ErrModel):
					t.Fatalf("%s: bit %d of byte %d: %v", name, bit, at, err)
				case err == nil:
					read++
					if !sameModel(want, m) {
						t.Fatalf("%s: bit %d of byte %d: another model is read", name, bit, at)
					}
					m.Close()
				}
			}
		}
		t.Logf("%s: %d bytes, %d flips in padding", name, len(file), read)
		if name == "quantized" && read > 0 {
			t.Errorf("%d bits of a quantized model may flip unnoticed", read)
		}
	}
}

func sameModel(a, b *Model) bool {
	return sameWeights(a.Network, b.Network) && a.Layout.Equal(&b.Layout) && reflect.DeepEqual(a.Info, b.Info) && reflect.DeepEqual(a.Extras, b.Extras)
}

// A file that ends too early is noticed, wherever it does, unless all it lacks is padding.
func TestTruncations(t *testing.T) {
	rawFile, quantized := smallFiles(t)
	for name, file := range map[string][]byte{"raw": rawFile, "quantized": quantized, "part": Split(quantized)[0]} {
		for n := range file {
			if name == "part" {
				if _, err := Join(file[:n]); err == nil {
					t.Fatalf("%d of %d bytes are a part", n, len(file))
				}
				continue
			}
			if m, err := open(file[:n]); err == nil {
				if whole, err := open(file); err != nil || !sameModel(whole, m) {
					t.Fatalf("%s: %d of %d bytes are another model; %v", name, n, len(file), err)
				}
			}
		}
	}
}

// What a header claims does not make reading allocate more than a small multiple of the
// file. (A sound header of a quantized model may unfold to MaxWeights.)
func TestClaims(t *testing.T) {
	rawFile, quantized := smallFiles(t)
	for _, file := range [][]byte{rawFile, quantized} {
		length := int(binary.LittleEndian.Uint32(file[8:]))
		variants := hostileSeeds(file)
		for _, text := range hostileHeaders(string(file[prologue : prologue+length])) {
			if IsQuantized(file) {
				variants = append(variants, quantizedFile([]byte(text), file[prologue+length:]))
			} else if len(text) < alignment-prologue {
				variants = append(variants, withHeader(file, text))
			}
		}
		for i, b := range variants {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			m, err := open(b)
			_, summaryErr := ReadSummary(bytes.NewReader(b))
			runtime.ReadMemStats(&after)
			if took := after.TotalAlloc - before.TotalAlloc; took > 64*uint64(len(b))+4<<20 {
				t.Errorf("variant %d of %d bytes allocates %d: %v, %v", i, len(b), took, err, summaryErr)
			}
			if err == nil {
				m.Value(0x1234)
				m.Close()
			} else if !errors.Is(err, ErrModel) {
				t.Errorf("variant %d: %v", i, err)
			}
		}
	}
}

// rewritten checks that a model that was read is written as one that reads the same.
func rewritten(t *testing.T, m *Model) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "again")
	if err := Save(path, m.Network, m.Info, m.Extras...); err != nil {
		t.Fatalf("what was read is not written: %v", err)
	}
	again, err := Load(path)
	if err != nil {
		t.Fatalf("what was read and written is not read: %v", err)
	}
	defer again.Close()
	if !sameWeights(m.Network, again.Network) || fmt.Sprint(m.Layout) != fmt.Sprint(again.Layout) || fmt.Sprint(m.Extras) != fmt.Sprint(again.Extras) {
		t.Fatal("what was read and written is another model")
	}
}
