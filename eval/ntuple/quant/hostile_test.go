package quant

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/eval/ntuple/hostiletest"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/rules/board"
)

// smallFile is a quantized model of less than a kilobyte.
func smallFile(t testing.TB) []byte {
	t.Helper()
	l := must.Get(ntuple.ParseLayout(board.Size{Rows: 2, Cols: 2}, "01 03"))(t)
	n := must.Get(ntuple.New(l))(t)
	t.Cleanup(n.Close)
	n.Table(0, 0)[17], n.Table(0, 1)[33] = 5, -300
	file, _, err := Quantize(n, info, Options{Bits: 8})
	must.Do(t, err)
	return file
}

// Reading fails if any bit of the file is flipped.
func TestFlippedBits(t *testing.T) {
	file := smallFile(t)
	for at := range file {
		for bit := range 8 {
			_, err := Dequantize(hostiletest.Flipped(file, at, 1<<bit))
			if !errors.Is(err, ntuple.ErrModel) {
				t.Fatalf("bit %d of byte %d: %v", bit, at, err)
			}
		}
	}
}

// A truncated file is refused, wherever it ends.
func TestTruncations(t *testing.T) {
	file := smallFile(t)
	for n := range file {
		if _, err := Dequantize(file[:n]); !errors.Is(err, ntuple.ErrModel) {
			t.Fatalf("%d of %d bytes: %v", n, len(file), err)
		}
	}
}

// Whatever the header claims, reading allocates at most a small multiple of the size of the
// file. (A file with a valid header may expand to MaxWeights.)
func TestClaims(t *testing.T) {
	file := smallFile(t)
	length := int(binary.LittleEndian.Uint32(file[8:]))
	variants := hostiletest.Seeds(file)
	for _, text := range hostiletest.Headers(string(file[prologue : prologue+length])) {
		variants = append(variants, quantizedFile([]byte(text), file[prologue+length:]))
	}
	for i, b := range variants {
		var m *ntuple.Network
		var err, summaryErr error
		took := testenv.Allocated(func() {
			m, err = Dequantize(b)
			_, summaryErr = ReadSummary(bytes.NewReader(b))
		})
		if took > 64*int64(len(b))+4<<20 {
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
