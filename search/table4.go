package search

import (
	"math"
	"math/bits"
	"unsafe"

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
// its 16 highest bits, and an entry holds the 48 lowest.
//
// Entries carry the number of the search that made them (their generation); entries of earlier
// generations count as empty, so the table is not cleared between searches.

// entry4 holds a value. key is hash<<16 | meta. meta holds 4 bits of generation (never 0), one bit that is set if a
// line below ended at the depth limit, 5 bits of plies and 6 bits of probability.
type entry4 struct {
	key   uint64
	value float64
}

const (
	// Offsets of the fields of meta, in bits; the probability is at 0.
	generationBits = 12
	shortBit       = 11
	pliesBits      = 6

	generations   = 15
	entryPlies    = 31 // results searched deeper than this many plies are not stored
	probabilities = 63

	minTableBits = 16
	bucketBytes  = 32
)

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
		e := &bucket[i]
		if (e.key^h<<16)>>16 != 0 || e.key>>generationBits&generations != t.generation {
			continue
		}
		deep := int(e.key >> pliesBits & entryPlies)
		if t.exact && (deep != plies || e.key&probabilities < quarterOctaves(q)) || deep < plies {
			continue
		}
		return e.value, e.key>>shortBit&1 != 0, true
	}
	return 0, false, false
}

// put stores the value of an afterstate, unless it was searched deeper than entryPlies.
func (t *table4) put(h uint64, plies int, q, value float64, short bool) {
	if plies > entryPlies {
		return
	}
	bucket := &t.buckets[h>>(t.shift&63)]
	e := &bucket[0]
	if e.key>>generationBits&generations == t.generation && int(e.key>>pliesBits&entryPlies) > plies && (e.key^h<<16)>>16 != 0 {
		e = &bucket[1]
	}
	meta := t.generation<<generationBits | uint64(plies)<<pliesBits | quarterOctaves(q)
	if short {
		meta |= 1 << shortBit
	}
	*e = entry4{h<<16 | meta, value}
}
