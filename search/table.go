package search

import (
	"math/bits"
	"sync"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/memory"
)

// The transposition table of Expectimax, for boards of any size. It stores the values of
// afterstates, which many move orders reach.
//
// An entry holds its whole position, so there are no false hits. The score is part of the position,
// since an evaluator may use it. That costs few hits: two lines to one board have the same score
// unless one of them had more 4s. So without MinProb all entries used within a search have the
// requested depth, and change no value. With MinProb a value also depends on the probability of its
// line, which only exact tables compare.
//
// A bucket has two entries. The first keeps the deepest result of the current search, the most
// expensive one to repeat; the second takes any other.
//
// Entries carry the number of the search, or of the root move, that made them. Entries with earlier
// numbers count as empty, so nothing has to be cleared.
//
// Threads that share a table lock a bucket, together with every 256th other, because an entry is
// too large for one atomic word. They never wait: if another thread has locked the bucket, a lookup
// is a miss and a store does nothing.

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
	exact   bool // use only entries of the same depth and probability: the table changes no value
	buckets [][2]entry
	shift   uint        // from hash to bucket index
	now     uint32      // number of the current search or root move
	locks   *tableLocks // nil: used by one thread
}

// tableLocks guard the buckets; each has its own cache line.
type tableLocks [256]struct {
	sync.Mutex
	_ [56]byte
}

// lock locks a bucket; ok is false if another thread holds it. Without locks, l is nil and ok true.
func (t *table) lock(bucket uint64) (l *sync.Mutex, ok bool) {
	if t.locks == nil {
		return nil, true
	}
	l = &t.locks[bucket%uint64(len(t.locks))].Mutex
	return l, l.TryLock()
}

// newTable returns a table with the largest power of two of buckets that fits into bytes, or into
// MinTT if that is more.
func newTable(bytes int64, exact bool) *table {
	n := bits.Len64(uint64(max(bytes, MinTT))/(2*entryBytes)) - 1
	return &table{exact: exact, buckets: memory.OnHugePages[[2]entry](1 << n), shift: uint(64 - n)}
}

// age starts a new number: earlier entries count as empty.
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

// get returns the value of an afterstate with plies moves to search, if an entry may be used, and
// whether a line below it ended at the depth limit.
func (t *table) get(p *eval.Position, h uint64, plies int, q float64) (value float64, short, ok bool) {
	l, free := t.lock(h >> (t.shift & 63))
	if !free {
		return 0, false, false
	}
	if l != nil {
		defer l.Unlock()
	}
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
	l, free := t.lock(h >> (t.shift & 63))
	if !free {
		return
	}
	if l != nil {
		defer l.Unlock()
	}
	bucket := &t.buckets[h>>(t.shift&63)]
	e := &bucket[0]
	if e.made == t.now && int(e.plies) > plies && e.Position != *p {
		e = &bucket[1]
	}
	*e = entry{*p, value, q, t.now, uint8(plies), short}
}
