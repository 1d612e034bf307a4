package ntuple

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple/hostiletest"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/rules/board"
)

// smallFile is a raw model of a few kilobytes.
func smallFile(t testing.TB) []byte {
	t.Helper()
	l := must.Get(ParseLayout(board.Size{Rows: 2, Cols: 2}, "01 03"))(t)
	n := must.Get(New(l))(t)
	t.Cleanup(n.Close)
	n.Table(0, 0)[17], n.Table(0, 1)[33] = 5, -300
	path := filepath.Join(t.TempDir(), "model")
	must.Do(t, Save(path, n, info, ExtraSection{"more", 2, [][]uint64{{1, 2, 3}}}))
	return must.Get(os.ReadFile(path))(t)
}

// aligned is bytes where the system would map them.
func aligned(b []byte) []byte {
	a := raw(make([]uint64, (len(b)+7)/8+1))[:len(b)]
	copy(a, b)
	return a
}

// Reading fails if any byte of the file was changed, including padding. Most of the file is padding, so the test
// flips one bit of each byte.
func TestFlippedBits(t *testing.T) {
	file := smallFile(t)
	for at := 0; at < len(file); at += soak.Pick(5, 1) {
		if _, err := decode(aligned(hostiletest.Flipped(file, at, 1<<(at%8)))); !errors.Is(err, ErrModel) {
			t.Fatalf("bit %d of byte %d: %v", at%8, at, err)
		}
	}
}

// A file that ends too early or too late is refused, wherever it does.
func TestTruncations(t *testing.T) {
	file := smallFile(t)
	for n := 0; n < len(file); n += soak.Pick(5, 1) {
		if _, err := decode(aligned(file[:n])); !errors.Is(err, ErrModel) {
			t.Fatalf("%d of %d bytes: %v", n, len(file), err)
		}
	}
	for _, more := range [][]byte{{0}, make([]byte, alignment), []byte("more")} {
		if _, err := decode(aligned(slices.Concat(file, more))); !errors.Is(err, ErrModel) {
			t.Fatalf("%d bytes more: %v", len(more), err)
		}
	}
}

// Whatever the header claims, reading allocates at most a small multiple of the size of the
// file.
func TestClaims(t *testing.T) {
	file := smallFile(t)
	length := int(binary.LittleEndian.Uint32(file[8:]))
	variants := hostiletest.Seeds(file)
	for _, text := range hostiletest.Headers(string(file[prologue : prologue+length])) {
		if len(text) < alignment-prologue {
			variants = append(variants, withHeader(file, text))
		}
	}
	for i, b := range variants {
		var m *RawModel
		var err error
		if took := testenv.Allocated(func() { m, err = decode(aligned(b)) }); took > 64*int64(len(b))+4<<20 {
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

// rewritten checks that a model that was read can be written and read again without a change.
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
