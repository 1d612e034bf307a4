package search

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// unhash is the inverse of hash, each step inverted.
func unhash(h uint64) bitboard.Board {
	h ^= h>>29 ^ h>>58
	h *= 0xf1de83e19937733d // 1 when multiplied by hash's factor
	return bitboard.Board(h ^ h>>32)
}

func TestTable4HashIsABijection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Uint64().Draw(t, "any")
		if b := unhash(hash(bitboard.Board(x))); b != bitboard.Board(x) {
			t.Fatalf("%016x is hashed and comes back as %016x", x, uint64(b))
		}
		if h := hash(unhash(x)); h != x {
			t.Fatalf("hash %016x is that of a board with %016x", x, h)
		}
	})
}

// Boards of games are distributed over buckets as if at random: of n boards in n buckets a share of
// 1/e stays empty.
func TestTable4HashSpreads(t *testing.T) {
	used := map[uint64]bool{}
	boards := map[bitboard.Board]bool{}
	for _, b := range playedBoards(1 << minTableBits) {
		boards[b] = true
		used[hash(b)>>(64-minTableBits)] = true
	}
	n := float64(int(1) << minTableBits)
	want := n * (1 - math.Exp(-float64(len(boards))/n))
	if got := float64(len(used)); got < 0.97*want {
		t.Errorf("%d boards fall into %v buckets, want about %.0f", len(boards), got, want)
	}
}

func TestTable4QuarterOctaves(t *testing.T) {
	for octave := range 16 {
		for quarter := range 4 {
			q := math.Ldexp(1+float64(quarter)/4, -octave)
			want := probabilities - 4*octave + quarter
			if q > 1 {
				continue
			}
			must.Equal(t, quarterOctaves(q), uint64(want), "step of", q)
		}
	}
	for _, q := range []float64{0, math.SmallestNonzeroFloat64, 1e-9, math.Exp2(-15.75)} {
		must.Equal(t, quarterOctaves(q), 0, "step of", q)
	}
	rapid.Check(t, func(t *rapid.T) {
		less := rapid.Float64Range(0, 1).Draw(t, "less")
		more := rapid.Float64Range(less, 1).Draw(t, "more")
		a, b := quarterOctaves(less), quarterOctaves(more)
		if a > b || b > probabilities {
			t.Fatalf("steps of %v and %v are %d and %d", less, more, a, b)
		}
		if a == b && a > 0 && more >= 1.25*less {
			t.Fatalf("%v and %v have one step, %d", less, more, a)
		}
	})
}

// begun returns a table in its first generation.
func begun(bytes int64) *table4 {
	t := newTable4(bytes)
	t.age()
	return t
}

// worth is a finite value, distinct for each hash and not close to that of another.
func worth(h uint64) float64 { return math.Float64frombits(hash(bitboard.Board(h)) >> 2) }

// answers returns the entries that a table has for a hash, at any depth.
func (t *table4) answers(h uint64) bool {
	for plies := range 2 * entryPlies {
		for _, q := range []float64{0, 1} {
			if _, _, ok := t.get(h, plies, q); ok {
				return true
			}
		}
	}
	return false
}

func TestTable4Keeps(t *testing.T) {
	table := begun(MinTT)
	rapid.Check(t, func(t *rapid.T) {
		h := hash(bitboard.Board(rapid.Uint64().Draw(t, "board")))
		plies := rapid.IntRange(0, 40).Draw(t, "plies")
		q := rapid.Float64Range(0, 1).Draw(t, "q")
		value := rapid.SampledFrom([]float64{0, -1, math.Inf(-1), 1e300, rapid.Float64().Draw(t, "value")}).Draw(t, "which")
		clear(table.buckets)
		short := rapid.Bool().Draw(t, "short")
		table.put(h, plies, q, value, short)
		for _, strict := range []bool{false, true} {
			table.exact = strict
			v, s, ok := table.get(h, plies, q)
			if ok != (plies <= entryPlies) || ok && (math.Float64bits(v) != math.Float64bits(value) || s != short) {
				t.Fatalf("%d plies, strict %v: put %v short %v, got %v %v, %v", plies, strict, value, short, v, s, ok)
			}
			if plies > entryPlies && table.answers(h) {
				t.Fatalf("%d plies were kept as fewer", plies)
			}
			if other := h ^ 1<<rapid.IntRange(0, 63).Draw(t, "bit"); table.answers(other) {
				t.Fatalf("%016x was put and %016x answers", h, other)
			}
		}
	})
}

// An entry is used for its depth and lower ones; with exact only for its depth, and only if its
// line was at least as probable.
func TestTable4Strict(t *testing.T) {
	likely := []float64{1e-4, 1e-3, 0.01, 0.1, 0.5, 1}
	h := hash(0x123456789abcdef)
	for put := range entryPlies + 1 {
		for _, was := range likely {
			table := begun(MinTT)
			table.put(h, put, was, 1, false)
			for plies := range entryPlies + 3 {
				for _, is := range likely {
					table.exact = false
					if _, _, ok := table.get(h, plies, is); ok != (plies <= put) {
						t.Fatalf("%d plies at %v, asked for %d at %v: %v", put, was, plies, is, ok)
					}
					table.exact = true
					if _, _, ok := table.get(h, plies, is); ok != (plies == put && is <= was) {
						t.Fatalf("strict: %d plies at %v, asked for %d at %v: %v", put, was, plies, is, ok)
					}
				}
			}
		}
	}
}

func TestTable4Generations(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	table := newTable4(MinTT)
	table.age()
	for _, h := range []uint64{0, 1 << 48, 1<<64 - 1} { // the first two look like empty entries
		if table.answers(h) {
			t.Errorf("%016x is in a new table", h)
		}
	}
	var old []uint64
	for n := range 3*generations + 2 {
		h := r.Uint64()
		table.age()
		if table.generation < 1 || table.generation > generations {
			t.Fatalf("age %d is generation %d", n, table.generation)
		}
		table.put(h, 3, 1, worth(h), false)
		if v, _, ok := table.get(h, 3, 1); !ok || v != worth(h) {
			t.Fatalf("age %d: the new entry says %v, %v", n, v, ok)
		}
		for i, h := range old {
			if table.answers(h) {
				t.Fatalf("age %d: an entry of age %d answers", n, i)
			}
		}
		old = append(old, h)
	}
}

// The first entry of a bucket stays while it is deeper than the new one, in its generation; the
// second is always replaced.
func TestTable4DeeperStays(t *testing.T) {
	const bucket = uint64(0xabcd) << 48
	table := begun(MinTT)
	step := func(name string, put uint64, plies int, want ...uint64) {
		t.Helper()
		table.put(bucket|put, plies, 1, worth(put), false)
		for h := range uint64(10) {
			v, _, ok := table.get(bucket|h, 0, 1)
			if ok != slices.Contains(want, h) || ok && v != worth(h) {
				t.Fatalf("%s: %d says %v, %v; must be it among %v", name, h, v, ok, want)
			}
		}
	}
	step("the first", 1, 5, 1)
	step("a shallow one next to it", 2, 3, 1, 2)
	step("another for the shallow one", 3, 4, 1, 3)
	step("one as deep for the first", 4, 5, 4, 3)
	step("a deeper one for the first", 5, 6, 5, 3)
	step("the first again, not as deep", 5, 2, 5, 3)
	step("one deeper than that", 6, 3, 6, 3)
	table.age()
	step("any for an old one", 7, 1, 7)
	step("not as deep", 8, 0, 7, 8)
	if _, _, ok := table.get(bucket|7, 2, 1); ok {
		t.Error("one ply answers for two")
	}
}

func TestTable4Sizes(t *testing.T) {
	must.Equal(t, unsafe.Sizeof([2]entry4{}), bucketBytes, "a bucket has")
	for bytes, want := range map[int64]int{
		0: 1 << 16, 1: 1 << 16, MinTT - 1: 1 << 16, MinTT: 1 << 16, MinTT + 1: 1 << 16,
		2*MinTT - 1: 1 << 16, 2 * MinTT: 1 << 17, 3*MinTT + 5: 1 << 17, 10 * MinTT: 1 << 19,
	} {
		table := newTable4(bytes)
		if len(table.buckets) != want || 1<<(64-table.shift) != want {
			t.Errorf("%d bytes: %d buckets, shift %d; want %d", bytes, len(table.buckets), table.shift, want)
		}
		table.age()
		for _, h := range []uint64{0, 1<<64 - 1} {
			if table.put(h, 1, 1, 1, false); !table.answers(h) {
				t.Errorf("%d bytes: %016x is not kept", bytes, h)
			}
		}
	}
}
