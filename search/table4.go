package search

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// The transposition table of Expectimax4. It stores the values of afterstates, since different move
// orders often reach the same one.
//
// A bucket has two entries, 32 bytes, so a lookup touches one cache line. The first keeps the
// deepest result of the current search, which is the most expensive one to repeat; the second takes
// all other results.
//
// There are no false hits: hash is a bijection of the 64-bit board, the bucket's index is at least
// its 16 highest bits, and an entry holds the 48 lowest. Threads share the table without locks: the
// first of an entry's two words is stored XORed with the mixed second (R. Hyatt's lockless
// hashing), so a torn read matches a board only by chance, with probability 2^-48.
//
// Entries carry the number of the search that made them (their generation); entries of earlier
// generations count as empty, so the table is not cleared between searches.

// entry4 consists of two words. The second is the value. The first is hash<<16 | meta, XORed with
// the mixed value. meta holds 4 bits of generation (never 0), one bit that is set if a line below
// ended at the depth limit, 5 bits of plies and 6 bits of probability.
type entry4 struct{ mixed, value uint64 }

// load and store deliberately use no locks; see weights_plain.go in package ntuple.
func (e *entry4) load() (mixed, value uint64) {
	return ntuple.LoadPair(&e.mixed), ntuple.LoadPair(&e.value)
}

func (e *entry4) store(mixed, value uint64) {
	ntuple.StorePair(&e.mixed, mixed)
	ntuple.StorePair(&e.value, value)
}

const (
	// Offsets of the fields of meta, in bits; the probability is at 0.
	generationBits = 12
	shortBit       = 11
	pliesBits      = 6

	generations   = 15
	entryPlies    = 31 // deeper results are not stored
	probabilities = 63

	minTableBits = 16
	bucketBytes  = 32
)

// mix spreads differences over all bits.
func mix(value uint64) uint64 {
	value *= 0x9e3779b97f4a7c15
	return value ^ value>>32
}

// MinTT is the size of the smallest transposition table, in bytes.
const MinTT = bucketBytes << minTableBits

type table4 struct {
	buckets    [][2]entry4
	shift      uint // bits to shift a hash right to get its bucket index
	generation uint64
	exact      bool // see ExpectimaxOptions.TTExact
}

// newTable4 returns a table of at least MinTT bytes. The number of its buckets is the largest power
// of two that fits into the given number of bytes.
func newTable4(bytes int64) *table4 {
	n := max(bits.Len64(uint64(bytes)/bucketBytes)-1, minTableBits)
	return &table4{buckets: memory.OnHugePages[[2]entry4](1 << n), shift: uint(64 - n)}
}

// age starts a new generation.
func (t *table4) age() {
	if t.generation++; t.generation > generations {
		t.generation = 1
		clear(t.buckets)
	}
}

// hash is a bijection that mixes all cells into the high bits.
func hash(b bitboard.Board) uint64 {
	h := (uint64(b) ^ uint64(b)>>32) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// quarterOctaves encodes a probability in four steps per octave, rounded down: from 0 for all
// probabilities below 1.5*2^-16 to 63 for 1.
func quarterOctaves(q float64) uint64 {
	const one = 1023 << 2 // math.Float64bits(1) >> 50
	return uint64(max(0, int(math.Float64bits(q)>>50)-one+probabilities))
}

// prefetch makes the processor start to load the bucket of an afterstate into its cache.
func (t *table4) prefetch(h uint64) {
	memory.Prefetch(unsafe.Pointer(&t.buckets[h>>(t.shift&63)]))
}

// get returns the value of an afterstate with plies moves to search, and whether a line below it
// ended at the depth limit. ok is false if the table has no entry that may be used.
func (t *table4) get(h uint64, plies int, q float64) (v float64, short, ok bool) {
	bucket := &t.buckets[h>>(t.shift&63)]
	for i := range bucket {
		mixed, value := bucket[i].load()
		mixed ^= mix(value)
		if (mixed^h<<16)>>16 != 0 {
			continue
		}
		deep := int(mixed >> pliesBits & entryPlies)
		if mixed>>generationBits&generations != t.generation {
			continue
		}
		if t.exact && (deep != plies || mixed&probabilities < quarterOctaves(q)) || deep < plies {
			continue
		}
		return math.Float64frombits(value), mixed>>shortBit&1 != 0, true
	}
	return 0, false, false
}

// put stores the value of an afterstate, unless it was searched deeper than entryPlies.
func (t *table4) put(h uint64, plies int, q, value float64, short bool) {
	if plies > entryPlies {
		return
	}
	bucket := &t.buckets[h>>(t.shift&63)]
	mixed, old := bucket[0].load()
	mixed ^= mix(old)
	i := 0
	if mixed>>generationBits&generations == t.generation && int(mixed>>pliesBits&entryPlies) > plies && (mixed^h<<16)>>16 != 0 {
		i = 1
	}
	meta := t.generation<<generationBits | uint64(plies)<<pliesBits | quarterOctaves(q)
	if short {
		meta |= 1 << shortBit
	}
	v := math.Float64bits(value)
	bucket[i].store((h<<16|meta)^mix(v), v)
}
