package quant

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/eval/ntuple/hostiletest"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Annotate and ReadSummary change nothing else.
func TestAnnotate(t *testing.T) {
	n := learned(t, layout(t, "2x4"))
	file, m := requantized(t, n, Options{Bits: 12})
	measured := &ntuple.Measured{Player: "x", Games: 7, Mean: 5}
	file = must.Get(Annotate(file, measured, &ScoreComparison{Games: 9}))(t)
	again := dequantized(t, file)
	if !same(m.Network, again.Network) || *again.Info.Measured != *measured || again.Loss.Played.Games != 9 || again.Loss.Kept != m.Loss.Kept {
		t.Errorf("%+v %+v", again.Info, again.Loss)
	}
	for name, front := range map[string][]byte{"file": file, "header": file[:prologue+int(binary.LittleEndian.Uint32(file[8:]))]} {
		s, err := ReadSummary(bytes.NewReader(front))
		if err != nil || s.Checksum != m.Checksum() || s.Name != "2x4" || s.Bits != 12 || s.Info.Measured.Mean != 5 || s.Loss.Played.Games != 9 {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
	for want, b := range map[string][]byte{"its first bytes are wrong": []byte("shopping"), "truncated": file[:100]} {
		if _, err := ReadSummary(bytes.NewReader(b)); !errors.Is(err, ntuple.ErrModel) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// Errors name what is wrong with the file.
func TestBadQuantized(t *testing.T) {
	n := learned(t, layout(t, "5x4", ntuple.Stage{}, ntuple.Stage{9}))
	sound, _ := requantized(t, n, Options{Bits: 10})
	begin := prologue + int(binary.LittleEndian.Uint32(sound[8:]))
	change := func(at int) []byte {
		b := bytes.Clone(sound)
		b[at] ^= 4
		return b
	}
	reheaded := func(old, new string) []byte {
		text := strings.Replace(string(sound[prologue:begin]), old, new, 1)
		return quantizedFile([]byte(text), sound[begin:])
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":            {nil, "its first bytes are wrong"},
		"foreign":          {bytes.Repeat([]byte("x"), 9000), "its first bytes are wrong"},
		"later version":    {append([]byte("AFTERNQ3"), sound[8:]...), "version"},
		"magic":            {sound[:8], "truncated"},
		"half a header":    {sound[:100], "truncated"},
		"bad header":       {change(prologue + 9), "corrupt: the header"},
		"truncated":        {sound[:len(sound)-1], "truncated"},
		"too long":         {append(bytes.Clone(sound), 0), "follow the last stream"},
		"bad streams":      {change(len(sound) - 5), "corrupt"},
		"no JSON":          {reheaded("{", "["), "model file: header: "},
		"other size":       {reheaded("4x4", "7x7"), "must be RxC"},
		"too many weights": {reheaded(`"0123"`, `"0123456","1234567","2345678","3456789","456789a","56789ab","6789abc","789abcd","89abcde"`), "at most"},
		"a pattern more":   {reheaded(`"0123"`, `"0123","3210"`), "streams in stage 0"},
		"negative scale":   {reheaded(`"scale":`, `"scale":-`), "scale -"},
		"negative length":  {reheaded(`"bytes":[[`, `"bytes":[[-`), "truncated"},
	} {
		if _, err := Dequantize(c.data); err == nil || !strings.Contains(err.Error(), c.want) || !errors.Is(err, ntuple.ErrModel) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	for at := range len(sound) / 997 {
		if _, err := Dequantize(change(997 * at)); !errors.Is(err, ntuple.ErrModel) {
			t.Fatalf("byte %d changed: %v", 997*at, err)
		}
	}
}

// quantizedFile puts a header before streams.
func quantizedFile(text, streams []byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(text)))
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(text, castagnoli))
	return append(append(b, text...), streams...)
}

// A file that an earlier build wrote still decodes to the same network.
func TestOldQuantized(t *testing.T) {
	const path = "testdata/quantized.model"
	if must.Updating() {
		l := must.Get(ntuple.ParseLayout(board.Size{Rows: 2, Cols: 3}, "01 012 145"))(t)
		l.Stages = []ntuple.Stage{{}, {5}}
		n := learned(t, l)
		file, _ := requantized(t, n, Options{Bits: 10})
		must.Do(t, os.WriteFile(path, file, 0o666))
	}
	file := must.Get(os.ReadFile(path))(t)
	m := must.Get(Dequantize(file))(t)
	defer m.Close()
	summary, err := ReadSummary(bytes.NewReader(file))
	if err != nil || m.Checksum() != summary.Checksum || summary.Loss.Kept < 1000 {
		t.Errorf("checksum %08x, %+v, %v", m.Checksum(), summary, err)
	}
}

// DequantizeInt16 returns the same as Dequantize followed by Int16.
func TestDequantizeShort(t *testing.T) {
	for _, stages := range [][]ntuple.Stage{nil, {{}, {5}}, {{}, {4}, {6}}} {
		n := learned(t, layout(t, "5x4", stages...))
		n.Bias, n.Downgrade = 10, 8
		file, _, err := Quantize(n, ntuple.Info{}, Options{})
		must.Do(t, err)
		full := must.Get(Dequantize(file))(t)
		short := must.Get(DequantizeInt16(file))(t)
		largest := float32(0)
		for s := range n.StageCount() {
			for p := range n.Patterns {
				largest = max(largest, slices.Max(n.Table(s, p)), -slices.Min(n.Table(s, p)))
			}
		}
		step := float64(largest) / math.MaxInt16
		r := rand.New(rand.NewPCG(6, 7))
		for range 3000 {
			b := bitboard.Board(r.Uint64() & r.Uint64())
			v, w := short.Value(b), full.Value(b)
			if math.Abs(float64(v-w)) > 0.51*float64(n.Features())*step+0.01 {
				t.Fatalf("%d stages, %016x: %v, in full %v", len(stages), uint64(b), v, w)
			}
		}
		if _, err := DequantizeInt16(file[:len(file)-1]); !errors.Is(err, ntuple.ErrModel) {
			t.Error(err)
		}
		short.Close()
		full.Close()
	}
}

// Whatever the header and the streams are, decoding returns an error or a network.
func FuzzQuantized(f *testing.F) {
	l := must.Get(ntuple.ParseLayout(board.Size{Rows: 2, Cols: 2}, "01 012"))(f) // small, for speed
	l.Stages = []ntuple.Stage{{}, {3}}
	file, _ := requantized(f, learned(f, l), Options{Bits: 8})
	begin := prologue + int(binary.LittleEndian.Uint32(file[8:]))
	f.Add(file[prologue:begin], file[begin:])
	f.Add(file[prologue:begin], file[begin:len(file)-30])
	for _, text := range hostiletest.Headers(string(file[prologue:begin])) {
		f.Add([]byte(text), file[begin:])
	}
	for _, streams := range hostiletest.Seeds(file[begin:]) {
		f.Add(file[prologue:begin], streams)
	}
	f.Fuzz(func(t *testing.T, text, streams []byte) {
		whole := quantizedFile(text, streams)
		if m, err := Dequantize(whole); err == nil {
			m.Close()
		} else if !errors.Is(err, ntuple.ErrModel) {
			t.Fatal(err)
		}
		r := bytes.NewReader(whole)
		c, err := readCompact(r)
		if err != nil || c.Layout.Weights() > 1<<20 {
			return
		}
		if n, err := c.network(whole[len(whole)-r.Len():]); err == nil { // whatever the checksum
			n.Value(0x1234)
			n.Close()
		} else if !errors.Is(err, ntuple.ErrModel) {
			t.Fatal(err)
		}
	})
}
