package ntuple

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/board"
)

// smallFile is a raw model of a few kilobytes.
func smallFile(t testing.TB) []byte {
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
	if err := Save(path, n, info, ExtraSection{"more", 2, [][]uint64{{1, 2, 3}}}); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// aligned is bytes where the system would map them.
func aligned(b []byte) []byte {
	a := raw(make([]uint64, (len(b)+7)/8+1))[:len(b)]
	copy(a, b)
	return a
}

// open reads a model, and fails unless it can be read block by block just as well.
func open(t testing.TB, b []byte) (*RawModel, error) {
	t.Helper()
	m, err := decode(aligned(b))
	c, blocks := readInt16(bytes.NewReader(b), int64(len(b)))
	if (err == nil) != (blocks == nil) || err != nil && err.Error() != blocks.Error() {
		t.Fatalf("%v, read block by block %v", err, blocks)
	}
	if err == nil {
		defer c.Close()
		sameInt16(t, m.Network, c)
	}
	return m, err
}

func readInt16(r io.ReaderAt, size int64) (*Network, error) {
	f, err := OpenFile(r, size)
	if err != nil {
		return nil, err
	}
	return f.Int16()
}

// sameInt16 fails unless c is n in 16-bit integers.
func sameInt16(t testing.TB, n, c *Network) {
	t.Helper()
	want, err := n.Int16()
	if err != nil {
		t.Fatal(err)
	}
	defer want.Close()
	if !c.Equal(&want.Layout) || c.Bias != want.Bias || c.Downgrade != want.Downgrade {
		t.Fatalf("%+v, want %+v", c.Layout, want.Layout)
	}
	if c.Int16Scale() != want.Int16Scale() || !sameTables(&c.int16.Store, &want.int16.Store) {
		t.Fatal("other weights")
	}
}

// Whichever byte of a file changes, the padding's too, reading fails. Most of the file is padding, so one bit
// of each byte is tried.
func TestFlippedBits(t *testing.T) {
	file := smallFile(t)
	for at := 0; at < len(file); at += soak.Pick(5, 1) {
		if _, err := open(t, flipped(file, at, 1<<(at%8))); !errors.Is(err, ErrModel) {
			t.Fatalf("bit %d of byte %d: %v", at%8, at, err)
		}
	}
}

// A file that ends too early or too late is refused, wherever it does.
func TestTruncations(t *testing.T) {
	file := smallFile(t)
	for n := 0; n < len(file); n += soak.Pick(5, 1) {
		if _, err := open(t, file[:n]); !errors.Is(err, ErrModel) {
			t.Fatalf("%d of %d bytes: %v", n, len(file), err)
		}
	}
	for _, more := range [][]byte{{0}, make([]byte, alignment), []byte("more")} {
		if _, err := open(t, slices.Concat(file, more)); !errors.Is(err, ErrModel) {
			t.Fatalf("%d bytes more: %v", len(more), err)
		}
	}
}

// What a header claims does not make reading allocate more than a small multiple of the
// file.
func TestClaims(t *testing.T) {
	file := smallFile(t)
	length := int(binary.LittleEndian.Uint32(file[8:]))
	variants := seeds(file)
	for _, text := range headers(string(file[prologue : prologue+length])) {
		if len(text) < alignment-prologue {
			variants = append(variants, withHeader(file, text))
		}
	}
	for i, b := range variants {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, err := decode(aligned(b))
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 64*uint64(len(b))+4<<20 {
			t.Errorf("variant %d of %d bytes allocates %d: %v", i, len(b), took, err)
		}
		if err == nil {
			m.Value(0x1234)
			m.Close()
		} else if !errors.Is(err, ErrModel) {
			t.Errorf("variant %d: %v", i, err)
		}
	}
}

// rewritten checks that a model that was read is written as one that reads the same.
func rewritten(t *testing.T, m *RawModel) {
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
		{`"bytes":`, `"bytes":-`},
		{`"offset":`, `"offset":9`},
		{`{`, strings.Repeat(`{"x":`, 20000)},
	} {
		if strings.Contains(text, c[0]) {
			all = append(all, strings.Replace(text, c[0], c[1], 1))
		}
	}
	return all
}
