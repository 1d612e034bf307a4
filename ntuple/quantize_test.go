package ntuple

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"afterstate/board"

	"pgregory.net/rapid"

	"afterstate/bitboard"
)

var update = flag.Bool("update", false, "write testdata/quantized.model anew")

// requantized quantizes a network and reads it back.
func requantized(t testing.TB, n *Network, o QuantizeOptions) (file []byte, m *Model) {
	t.Helper()
	file, loss, err := Quantize(n, info, o)
	if err != nil {
		t.Fatal(err)
	}
	m, err = Dequantize(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	if loss != m.Loss {
		t.Errorf("told %+v, wrote %+v", loss, m.Loss)
	}
	return file, m
}

// Every weight, as it reads, is off by half a step at most, and by one more where it
// reads a hope or would look untouched.
func TestQuantize(t *testing.T) {
	for _, patterns := range []string{"0123 4567 0145", "01 012 4569"} {
		l, err := ParseLayout(board.Size{Rows: 4, Cols: 4}, patterns)
		if err != nil {
			t.Fatal(err)
		}
		l.Stages = []Stage{{}, {9}, {11}}
		n := learned(t, l)
		n.Bias, n.Hopes = 7, []float32{0, 5, 600}
		for _, width := range []int{16, 9} {
			_, m := requantized(t, n, QuantizeOptions{Bits: width})
			if !m.Equal(&n.Layout) || m.Bias != 7 || m.Hopes[2] != 600 || m.Info.Measured.Mean != 2000 || m.Info.State != nil || m.Bits != width {
				t.Errorf("%+v", m)
			}
			largest := float32(0)
			for s := range n.weights {
				for _, w := range n.weights[s] {
					largest = max(largest, w, -w)
				}
			}
			step := float64(largest) / float64(int(1)<<(width-1)-1)
			for s := range n.tables {
				for p, table := range n.tables[s] {
					for i, w := range table {
						got := m.weight(s, p, uint32(i))
						off := math.Abs(float64(n.weight(s, p, uint32(i)) - got))
						limit := 0.501
						if s > 0 && (math.Abs(float64(got)) < 1.01*step || got == n.hope(s)) {
							limit = 1.51
						}
						if w != 0 && off > limit*step {
							t.Fatalf("%d bits: weight %d of stage %d is %v, want %v within %v", width, i, s, got, w, limit*step)
						}
						if w == 0 && m.tables[s][p][i] != 0 {
							t.Fatalf("weight %d, never seen, is %v", i, got)
						}
					}
				}
			}
		}
	}
}

// learned is a network whose later stages differ little from the first, as trained
// ones do, and of whose weights some matter and most do not.
func learned(t testing.TB, l Layout) *Network {
	t.Helper()
	n, err := New(l)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	r := rand.New(rand.NewPCG(4, 5))
	for p := range n.Patterns {
		for i := range n.Table(0, p) {
			if i%7 < 3 {
				n.Table(0, p)[i] = float32(r.NormFloat64() * 100)
			}
		}
		for s := 1; s < n.StageCount(); s++ {
			for i := range n.Table(s, p) {
				switch {
				case i%7 == s && i%5 < 3:
					n.Table(s, p)[i] = n.weight(s-1, p, uint32(i)) + float32(r.NormFloat64()*10)
				case i%7 > 5:
					n.Table(s, p)[i] = float32(r.NormFloat64() * 100)
				}
			}
		}
	}
	return n
}

// A file is as large as it may be, and what play asks for often is kept best.
func TestQuantizeSize(t *testing.T) {
	l, err := Named(board.Size{Rows: 4, Cols: 4}, "2x4")
	if err != nil {
		t.Fatal(err)
	}
	l.Stages = []Stage{{}, {9}}
	n := learned(t, l)
	visits := make([][]uint32, 2)
	for s := range visits {
		visits[s] = make([]uint32, n.Entries())
		for i := range visits[s] {
			if i%3 == 0 {
				visits[s][i] = 1000
			}
		}
	}
	complete, exact := requantized(t, n, QuantizeOptions{Visits: visits})
	t.Logf("%d bytes: %+v", len(complete), exact.Loss)
	last := exact.Loss.RMS
	for _, share := range []int{60, 30, 10} {
		size := len(complete) * share / 100
		file, m := requantized(t, n, QuantizeOptions{Size: size, Visits: visits})
		t.Logf("%d bytes of %d: %+v", len(file), size, m.Loss)
		if len(file) > size || len(file) < size*97/100-2200 || m.Loss.RMS <= last || m.Loss.Weights != exact.Loss.Weights || m.Loss.Kept >= exact.Loss.Kept {
			t.Errorf("%d bytes, want nearly %d; %+v", len(file), size, m.Loss)
		}
		last = m.Loss.RMS
		var off [2]float64
		for i, w := range n.weights[0] {
			d := float64(w - m.weights[0][i])
			often := 0
			if i%3 == 0 {
				often = 1
			}
			off[often] += d * d
		}
		if off[1]/off[0] > 0.2 {
			t.Errorf("squared errors of weights visited: %.0f, of others, twice as many: %.0f", off[1], off[0])
		}
	}
	file, m := requantized(t, n, QuantizeOptions{Size: len(complete) + 5000, Visits: visits})
	if m.Loss != exact.Loss || len(file) != len(complete) {
		t.Errorf("%d bytes where %d do, %+v", len(file), len(complete), m.Loss)
	}
	_, without := requantized(t, n, QuantizeOptions{Size: len(complete) / 3})
	if without.Loss.RMS <= exact.Loss.RMS {
		t.Errorf("%+v", without.Loss)
	}
	for want, o := range map[string]QuantizeOptions{
		"2 to 16":         {Bits: 17},
		"too few":         {Size: 1000},
		"another network": {Visits: visits[:1]},
	} {
		if _, _, err := Quantize(n, info, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	n.weights[1][77] = float32(math.NaN())
	if _, _, err := Quantize(n, info, QuantizeOptions{}); err == nil {
		t.Error("a weight that is no number")
	}
}

// A network without knowledge takes next to nothing.
func TestQuantizeNothing(t *testing.T) {
	for _, size := range []int{0, 5000} {
		n := network(t, board.Size{Rows: 4, Cols: 4}, "2x4", Stage{}, Stage{9})
		n.Hopes = []float32{0, 500}
		file, m := requantized(t, n, QuantizeOptions{Size: size})
		if !sameWeights(n, m.Network) || len(file) > 2000 {
			t.Errorf("%d bytes", len(file))
		}
	}
}

// Annotations and summaries leave all else as it is.
func TestAnnotate(t *testing.T) {
	n := knowing(t, "2x4")
	file, m := requantized(t, n, QuantizeOptions{Bits: 12})
	measured := &Measured{Player: "x", Games: 7, Mean: 5}
	file, err := Annotate(file, measured, &Played{Games: 9})
	if err != nil {
		t.Fatal(err)
	}
	again, err := Dequantize(file)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if !sameWeights(m.Network, again.Network) || *again.Info.Measured != *measured || again.Loss.Played.Games != 9 || again.Loss.Kept != m.Loss.Kept {
		t.Errorf("%+v %+v", again.Info, again.Loss)
	}
	for name, front := range map[string][]byte{"file": file, "first part": Split(file)[0], "header": file[:prologue+int(binary.LittleEndian.Uint32(file[8:]))]} {
		s, err := ReadSummary(bytes.NewReader(front))
		if err != nil || s.Checksum != m.Checksum() || s.Name != "2x4" || s.Bits != 12 || s.Info.Measured.Mean != 5 || s.Loss.Played.Games != 9 {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
	for want, b := range map[string][]byte{"does not begin": []byte("shopping"), "truncated": file[:100]} {
		if _, err := ReadSummary(bytes.NewReader(b)); !errors.Is(err, ErrModel) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// Whatever is wrong is named.
func TestBadQuantized(t *testing.T) {
	n := knowing(t, "5x4", Stage{}, Stage{9})
	sound, _ := requantized(t, n, QuantizeOptions{Bits: 10})
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
		"empty":            {nil, "does not begin"},
		"foreign":          {bytes.Repeat([]byte("x"), 9000), "does not begin"},
		"later version":    {append([]byte("AFTERNQ2"), sound[8:]...), "version"},
		"magic":            {sound[:8], "truncated"},
		"half a header":    {sound[:100], "truncated"},
		"bad header":       {change(prologue + 9), "corrupt: the header"},
		"truncated":        {sound[:len(sound)-1], "truncated"},
		"too long":         {append(bytes.Clone(sound), 0), "more than its streams"},
		"bad streams":      {change(len(sound) - 5), "corrupt"},
		"no JSON":          {reheaded("{", "["), "its header"},
		"other size":       {reheaded("4x4", "5x5"), "no networks for 5x5"},
		"too many weights": {reheaded(`"0123"`, `"0123456","1234567","2345678"`), "at most"},
		"a pattern more":   {reheaded(`"0123"`, `"0123","3210"`), "streams in stage 0"},
		"negative scale":   {reheaded(`"scale":`, `"scale":-`), "a scale of"},
		"negative length":  {reheaded(`"bytes":[[`, `"bytes":[[-`), "truncated"},
	} {
		if _, err := Dequantize(c.data); err == nil || !strings.Contains(err.Error(), c.want) || !errors.Is(err, ErrModel) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	for at := range len(sound) / 997 {
		if _, err := Dequantize(change(997 * at)); !errors.Is(err, ErrModel) {
			t.Fatalf("byte %d changed: %v", 997*at, err)
		}
	}
}

// quantizedFile puts a header before streams.
func quantizedFile(text, streams []byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte(compactMagic), uint32(len(text)))
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(text, castagnoli))
	return append(append(b, text...), streams...)
}

// A file of long ago reads as it did then.
func TestOldQuantized(t *testing.T) {
	const path = "testdata/quantized.model"
	if *update {
		l, err := ParseLayout(board.Size{Rows: 2, Cols: 3}, "01 012 145")
		if err != nil {
			t.Fatal(err)
		}
		l.Stages = []Stage{{}, {5}}
		n := learned(t, l)
		n.Hopes = []float32{0, 40}
		file, _ := requantized(t, n, QuantizeOptions{Bits: 10})
		if err := os.WriteFile(path, file, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Dequantize(file)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	summary, err := ReadSummary(bytes.NewReader(file))
	if err != nil || m.Checksum() != summary.Checksum || m.Loss.Kept < 1000 {
		t.Errorf("checksum %08x, %+v, %v", m.Checksum(), summary, err)
	}
}

// What neighbours tell is what they tell when they are looked up one by one.
func TestContext(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, cells := range []int{2, 3, 4, 5} {
		p := make(Pattern, cells)
		f := newField()
		f.begin(p)
		numbers := make([]int32, p.Entries())
		exponents := make([]uint8, cells)
		for b := range len(numbers) / f.size {
			if r.IntN(3) == 0 {
				continue
			}
			f.enter(b)
			for i := range f.size {
				at := b*f.size + i
				for k := range cells { // cell k from the last
					exponents[cells-1-k] = uint8(at>>(2*k)&3 | at>>(2*(cells+k))&3<<2)
				}
				if p.Index(exponents) != at {
					t.Fatal("the index is made otherwise")
				}
				if got, want := f.context(i), lookedUp(p, numbers, exponents); got != want {
					t.Fatalf("%v: %+v, want %+v", exponents, got, want)
				}
				if r.IntN(2) == 0 {
					numbers[at] = int32(r.NormFloat64() * math.Exp(r.Float64()*9))
					f.put(i, numbers[at])
				}
			}
		}
	}
}

// lookedUp is the twin of field.context.
func lookedUp(p Pattern, numbers []int32, exponents []uint8) (c context) {
	sum, sizes, any := 0, 0, 0
	for k, e := range exponents {
		if e == 0 {
			continue
		}
		exponents[k]--
		x := int(numbers[p.Index(exponents)])
		exponents[k]++
		if x == 0 {
			continue
		}
		c.seen++
		sum += x
		sizes += max(x, -x)
		any |= max(x, -x)
	}
	for c.fine = 0; c.fine < maxNumberBits && any>>c.fine&1 == 0; c.fine++ {
	}
	for ; sizes>>c.size > 0; c.size++ {
	}
	switch {
	case c.seen == 0:
	case 2*sum > sizes:
		c.sign = 2
	case sum >= 0:
		c.sign = 1
	case -2*sum > sizes:
		c.sign = 4
	default:
		c.sign = 3
	}
	return c
}

// Numbers come back as they were, take about the bits that they should, and the end
// of a stream is noticed.
func TestNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type item struct {
			c context
			x int32
		}
		items := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) item {
			return item{context{
				rapid.IntRange(0, MaxCells).Draw(t, "seen"), rapid.IntRange(0, 4).Draw(t, "sign"),
				rapid.IntRange(0, contextSizes-1).Draw(t, "size"), rapid.IntRange(0, maxNumberBits).Draw(t, "fine"),
			}, rapid.Int32Range(-(1<<maxNumberBits-1), 1<<maxNumberBits-1).Draw(t, "x") >> rapid.IntRange(0, maxNumberBits).Draw(t, "shift")}
		}), 0, 300).Draw(t, "items")
		e, m := newEncoder(), newNumberModel()
		bits := 0.0
		for i := range items {
			bits += float64(m.price(&items[i].c, items[i].x))
			m.put(e, &items[i].c, items[i].x)
		}
		stream := e.end()
		if size := float64(8 * len(stream)); size > 1.02*bits+16 {
			t.Fatalf("%v bits, should be %v", size, bits)
		}
		d, m := newDecoder(stream), newNumberModel()
		for i := range items {
			if x := m.get(d, &items[i].c); x != items[i].x {
				t.Fatalf("number %d is %d, want %d", i, x, items[i].x)
			}
		}
		if d.exhausted() {
			t.Fatal("more was read than written")
		}
		for range 2000 {
			c := even
			d.get(&c)
		}
		if !d.exhausted() {
			t.Fatal("the end was not noticed")
		}
	})
}

// No header and no streams make decoding fail in another way than by an error.
func FuzzQuantized(f *testing.F) {
	l, err := ParseLayout(board.Size{Rows: 2, Cols: 2}, "01 012") // small, for speed
	if err != nil {
		f.Fatal(err)
	}
	l.Stages = []Stage{{}, {3}}
	file, _ := requantized(f, learned(f, l), QuantizeOptions{Bits: 8})
	begin := prologue + int(binary.LittleEndian.Uint32(file[8:]))
	f.Add(file[prologue:begin], file[begin:])
	f.Add(file[prologue:begin], file[begin:len(file)-30])
	for _, text := range hostileHeaders(string(file[prologue:begin])) {
		f.Add([]byte(text), file[begin:])
	}
	for _, streams := range hostileSeeds(file[begin:]) {
		f.Add(file[prologue:begin], streams)
	}
	f.Fuzz(func(t *testing.T, text, streams []byte) {
		whole := quantizedFile(text, streams)
		if m, err := Dequantize(whole); err == nil {
			m.Close()
		} else if !errors.Is(err, ErrModel) {
			t.Fatal(err)
		}
		c, body, err := openCompact(whole)
		if err != nil || c.Layout.Weights() > 1<<20 {
			return
		}
		if n, err := c.network(body); err == nil { // whatever the checksum
			n.Value(0x1234)
			n.Close()
		} else if !errors.Is(err, ErrModel) {
			t.Fatal(err)
		}
	})
}

// What players read can be had at once.
func TestDequantizeShort(t *testing.T) {
	for _, stages := range [][]Stage{nil, {{}, {5}}} {
		n := knowing(t, "5x4", stages...)
		n.Bias, n.Downgrade = 10, 8
		file, _, err := Quantize(n, Info{}, QuantizeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		full, err := Dequantize(file)
		if err != nil {
			t.Fatal(err)
		}
		short, err := DequantizeShort(file)
		if err != nil {
			t.Fatal(err)
		}
		games(3, func(b bitboard.Board) {
			v, w := short.Value(b), full.Value(b)
			if math.Abs(float64(v-w)) > 0.51*float64(n.Features())*float64(short.short.scale)+0.01 {
				t.Fatalf("%d stages, %016x: %v, in full %v", len(stages), uint64(b), v, w)
			}
		})
		if _, err := DequantizeShort(file[:len(file)-1]); !errors.Is(err, ErrModel) {
			t.Error(err)
		}
		short.Close()
		full.Close()
	}
}
