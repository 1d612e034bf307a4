package search

import (
	"math/bits"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/memory"
)

// The transposition table of Expectimax, for boards of any size. It stores the values of
// afterstates, since different move orders often reach the same one.
//
// An entry holds its complete position, so false hits are impossible. The score is part of the
// position, since an evaluator may use it. This costs few hits: two lines to the same board have
// equal scores unless they contain different numbers of 4s. Lines with equal boards and equal
// scores have the same length. So without MinProb all entries used within a search have the
// requested depth, and change no value. With MinProb a value also depends on the probability of its
// line, which only exact tables compare.
//
// A bucket has two entries. The first keeps the deepest result of the current search, which is the
// most expensive one to repeat; the second takes all other results.
//
// Entries carry the number of the search, or of the root move, that made them. Entries with earlier
// numbers count as empty, so the table need not be cleared.

type entry struct {
	eval.Position
	value float64
	q     float64 // probability of its line
	made  uint32  // table.now when it was stored; 0: unused
	plies uint8
	short bool // a line below ended at the depth limit
}

const entryBytes = 96

type table struct {
	exact   bool // use only entries of the same depth and probability, so that the table changes no value
	buckets [][2]entry
	shift   uint   // bits to shift a hash right to get its bucket index
	now     uint32 // number of the current search or root move, counted from 1
}

// newTable returns a table. The number of its buckets is the largest power of two that fits into
// the given number of bytes, or into MinTT bytes if that is more.
func newTable(bytes int64, exact bool) *table {
	n := bits.Len64(uint64(max(bytes, MinTT))/(2*entryBytes)) - 1
	return &table{exact: exact, buckets: memory.OnHugePages[[2]entry](1 << n), shift: uint(64 - n)}
}

// age starts a new search or root move: all earlier entries then count as empty.
func (t *table) age() {
	if t.now++; t.now == 0 {
		clear(t.buckets)
		t.now = 1
	}
}

// hashPosition mixes all cells and the score into the high bits.
func hashPosition(p *eval.Position) uint64 {
	h := uint64(p.Score)
	for r := range p.Board.Size().Rows {
		h = (h ^ p.Board.Row(r)) * 0x9e3779b97f4a7c15
		h ^= h >> 32
	}
	return h * 0x9e3779b97f4a7c15
}

// get returns the stored value of an afterstate that was searched to plies or deeper (with exact, to plies) on a line
// of probability q, and whether a line below it ended at the depth limit. ok is false if the table has no entry that
// may be used.
func (t *table) get(p *eval.Position, h uint64, plies int, q float64) (value float64, short, ok bool) {
	bucket := &t.buckets[h>>(t.shift&63)]
	for i := range bucket {
		e := &bucket[i]
		if e.made != t.now || e.Position != *p {
			continue
		}
		if same := int(e.plies) == plies && e.q == q; same || !t.exact && int(e.plies) >= plies {
			return e.value, e.short, true
		}
	}
	return 0, false, false
}

// put stores the value of an afterstate.
func (t *table) put(p *eval.Position, h uint64, plies int, q, value float64, short bool) {
	bucket := &t.buckets[h>>(t.shift&63)]
	e := &bucket[0]
	if e.made == t.now && int(e.plies) > plies && e.Position != *p {
		e = &bucket[1]
	}
	*e = entry{*p, value, q, t.now, uint8(plies), short}
}
