package quant

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// integers returns a table like those of trained networks: dense near its beginning, similar neighbours, and some
// integers of any size.
func integers(r *rand.Rand, p ntuple.Pattern) []int16 {
	table := make([]int16, p.Entries())
	for i := range table {
		switch {
		case i>>10&3 == 3:
		case r.IntN(400) == 0:
			table[i] = int16(r.Uint32())
		case r.Float64() < math.Pow(float64(1+i%512), -0.3):
			table[i] = int16(r.NormFloat64()*math.Exp(8*r.Float64())) << r.IntN(4)
		}
	}
	return table
}

// pack encodes the table of a pattern.
func pack(table []int16, p ntuple.Pattern) []byte {
	e := newPacker(table, p)
	for block := range e.masks {
		e.look(block)
		e.block(block)
	}
	return e.end()
}

// Decoding restores tables, with and without the kernel, whatever the memory contained before.
func TestPack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var plain, fast unpacker // reused
	for _, p := range []ntuple.Pattern{{0, 1, 2, 3}, {0, 1, 2}, {0, 1, 2, 4, 5}, {0, 1, 2, 3, 4}, {1, 2}} {
		table := integers(r, p)
		want := slices.Clone(table)
		stream := pack(table, p)
		if !slices.Equal(table, want) {
			t.Fatalf("%v: packing changed the table", p)
		}
		for name, decode := range map[string]func() error{"plain": plain.plain, "fast": fast.unpack} {
			u := &fast
			if name == "plain" {
				u = &plain
			}
			got := slices.Repeat([]int16{3}, len(table))
			u.begin(got, p, stream)
			if err := decode(); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s, pattern %v: %v, or other integers", name, p, err)
			}
		}
	}
}

// For any stream, the kernel and Go decode the same integers and refuse the same streams.
func TestKernel(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	p := ntuple.Pattern{0, 1, 2, 3}
	sound := pack(integers(r, p), p)
	for i := range soak.Pick(80, 300) {
		stream := slices.Clone(sound)
		switch at := r.IntN(len(stream)); i % 4 {
		case 0:
			stream = stream[:at]
		case 1:
			stream[at] ^= 1 << r.IntN(8)
		case 2:
			for k := range stream {
				stream[k] = byte(r.Uint32())
			}
		default:
			stream = append(stream, 0, 0, 0, 0)
		}
		var us [2]unpacker
		var errs [2]error
		for k := range us {
			us[k].begin(make([]int16, p.Entries()), p, stream)
			errs[k] = []func() error{us[k].plain, us[k].unpack}[k]()
		}
		if errs[0] != errs[1] || i%4 != 1 && errs[0] == nil {
			t.Fatalf("stream %d: %v and %v", i, errs[0], errs[1])
		}
		if !us[0].short && (us[0].pos != us[1].pos || us[0].states != us[1].states || !slices.Equal(us[0].table, us[1].table) || *us[0].models != *us[1].models) {
			t.Fatalf("stream %d is decoded in another way", i)
		}
	}
}

// Damaged streams of tables of several sizes write within their tables.
func TestDamagedWithin(t *testing.T) {
	const margin, mark = 1 << 12, 0x5aa5
	r := rand.New(rand.NewPCG(7, 8))
	var u unpacker
	for i := range 60 {
		p := make(ntuple.Pattern, 2+r.IntN(4))
		stream := make([]byte, 32+r.IntN(1<<16))
		for k := range stream {
			stream[k] = byte(r.Uint32())
		}
		words := slices.Repeat([]int16{mark}, margin+p.Entries()+margin)
		u.begin(words[margin:][:p.Entries():p.Entries()], p, stream)
		err := u.unpack()
		outside := func(x int16) bool { return x != mark }
		if err == nil || slices.ContainsFunc(words[:margin], outside) || slices.ContainsFunc(words[len(words)-margin:], outside) {
			t.Fatalf("round %d, %d cells: %v, or it wrote beyond the table", i, len(p), err)
		}
	}
}

// Hints equal those computed from neighbours that are looked up one by one.
func TestHint(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, cells := range []int{2, 3, 4, 5, 7} {
		p := make(ntuple.Pattern, cells)
		l, a := newPlan(p), newAround()
		table := make([]int16, min(p.Entries(), 1<<22))
		for i := range table {
			if r.IntN(2) == 0 {
				table[i] = int16(r.NormFloat64() * math.Exp(r.Float64()*9))
			}
		}
		for range 3000 {
			block, e := r.IntN(len(table)/l.size), r.IntN(l.size)
			at := block*l.size + e
			own := table[at]
			table[at] = 0
			a.enter(l, block)
			if got, want := a.hint(table, block*l.size, e), neighbours(table, cells, at); got != want {
				t.Fatalf("%d cells, entry %d: %+v, want %+v", cells, at, got, want)
			}
			table[at] = own
		}
	}
}

// neighbours is the reference of hint.
func neighbours(table []int16, cells, at int) (h hint) {
	sum, sizes := 0, 0
	h.end, h.sign = 16, 1
	for k := range min(cells, 6) { // cell k from the last
		low, high := at>>(2*k)&3, at>>(2*(cells+k))&3
		if low+4*high == 0 {
			continue
		}
		to := low + 4*high - 1
		i := at&^(3<<(2*k))&^(3<<(2*(cells+k))) | to&3<<(2*k) | to>>2<<(2*(cells+k))
		x := int(table[i])
		sum += x
		sizes += max(x, -x)
		for h.end > 0 && x%(1<<h.end) != 0 {
			h.end--
		}
	}
	for ; sizes>>h.sizes > 0; h.sizes++ {
	}
	if sum < 0 {
		h.sign, sum = 3, -sum
	}
	if 2*sum > sizes {
		h.sign++
	}
	return h
}

// Decoding restores symbols, coding takes about as many bits as their probabilities predict, and the end of
// a stream is detected.
func TestSymbols(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type item struct{ symbol, bits, value int }
		items := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) item {
			n := rapid.IntRange(0, 15).Draw(t, "bits")
			return item{min(rapid.IntRange(0, 15).Draw(t, "symbol"), rapid.IntRange(0, 15).Draw(t, "most")), n, rapid.IntRange(0, 1<<n-1).Draw(t, "value")}
		}), 0, 400).Draw(t, "items")
		var e ransEncoder
		m, bits := evenly, 0.0
		for i, x := range items {
			_, size := m.part(x.symbol)
			bits += float64(probBits) - math.Log2(float64(size)) + float64(x.bits)
			e.symbol(i, &m, x.symbol)
			e.bits(i, x.bits, x.value)
		}
		code := e.end()
		if got := float64(8 * len(code)); got > 1.01*bits+8*8*lanes+32 {
			t.Fatalf("%v bits, should be %v", got, bits)
		}
		d, m := newRansDecoder(code), evenly
		for i, x := range items {
			if s, v := d.symbol(i, &m), d.bits(i, x.bits); s != x.symbol || v != x.value {
				t.Fatalf("item %d is %d and %d, want %+v", i, s, v, x)
			}
			next := 0
			for s := range symbolCount {
				begin, size := m.part(s)
				if int(begin) != next || size == 0 {
					t.Fatalf("symbol %d has %d parts from %d on", s, size, begin)
				}
				next += int(size)
			}
		}
		if !d.sound() {
			t.Fatal("not sound")
		}
		for range 100 {
			d.bits(0, 15)
		}
		if d.sound() {
			t.Fatal("the end was not noticed")
		}
	})
}

// From any bytes, the kernel and Go decode the same integers and refuse the same streams.
func FuzzUnpack(f *testing.F) {
	p := ntuple.Pattern{0, 1, 2}
	sound := pack(integers(rand.New(rand.NewPCG(3, 4)), p), p)
	f.Add(sound)
	f.Add(sound[:len(sound)/2])
	f.Add(slices.Repeat(sound, 2))
	f.Add(slices.Repeat([]byte{0x80}, 5000))
	f.Add(slices.Repeat([]byte{0}, 5000))
	f.Fuzz(func(t *testing.T, stream []byte) {
		var plain, fast unpacker
		plain.begin(make([]int16, p.Entries()), p, stream)
		fast.begin(make([]int16, p.Entries()), p, stream)
		if a, b := plain.plain(), fast.unpack(); a != b || plain.pos != fast.pos || plain.states != fast.states || !slices.Equal(plain.table, fast.table) {
			t.Fatalf("%v and %v, or other integers", a, b)
		}
	})
}
