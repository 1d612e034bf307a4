package search

import (
	"math/bits"
	"sync"

	"afterstate/eval"
)

// The transposition table of Expectimax, for boards of any size.
//
// The same afterstate is reached by many lines, since two moves and their spawns
// often commute. The table keeps what an afterstate turned out to be worth.
//
// An entry holds its whole position, so there are no false hits. The score is part
// of it, for an evaluator may look at it. That costs little: two lines to one board
// bring the same score unless one of them had more 4s. So without MinProb all answers
// within a search have the plies that were asked for, and change no value. With MinProb a
// value also depends on how likely its line is, and answerDeep does not ask for that.
//
// A bucket is two entries. The first keeps what went deepest in this search, for
// that is what was expensive; the second takes whatever comes.
//
// Entries carry the number of the search, or of the move, that made them. Those
// from before a number count as empty: nothing has to be cleared.
//
// Threads that share a table lock the bucket that they look at, together with every
// 256th other, so no entry is ever read half written: it is too large for one atomic
// word. Nobody waits for a lock. What another thread is at is not known, or not kept.

type entry struct {
	eval.Position
	value float64
	q     float64 // the probability of its line
	made  uint32  // 0: never
	plies uint8
	short bool // a line below ended for want of plies
}

const entryBytes = 96

// answer says which entries of a position answer.
type answer uint8

const (
	answerDeep answer = iota // those with at least as many plies
	answerSame               // those with as many, of lines just as likely: a table then changes no value
)

type table struct {
	answer  answer
	buckets [][2]entry
	shift   uint        // of the hash to a bucket's number
	now     uint32      // the number that entries get
	since   uint32      // older ones are over
	locks   *tableLocks // nil: for one thread
}

// tableLocks guard the buckets; each has a cache line of its own.
type tableLocks [256]struct {
	sync.Mutex
	_ [56]byte
}

// lock locks a bucket, unless another thread has it. Without locks there is nothing
// to unlock either.
func (t *table) lock(bucket uint64) (l *sync.Mutex, ok bool) {
	if t.locks == nil {
		return nil, true
	}
	l = &t.locks[bucket%uint64(len(t.locks))].Mutex
	return l, l.TryLock()
}

// newTable makes a table of the most buckets, a power of two, that fit into so
// many bytes, but not into less than MinTT.
func newTable(bytes int64, a answer) *table {
	n := bits.Len64(uint64(max(bytes, MinTT))/(2*entryBytes)) - 1
	return &table{answer: a, buckets: make([][2]entry, 1<<n), shift: uint(64 - n)}
}

// age begins a new number; with all, everything before is over.
func (t *table) age(all bool) {
	if t.now++; t.now == 0 {
		clear(t.buckets)
		t.now, t.since = 1, 0
	}
	if all {
		t.since = t.now
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

// get is the value of an afterstate with so many plies to go, if known, and whether
// a line below it ended for want of plies.
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
		if e.made < t.since || e.made == 0 || e.Position != *p {
			continue
		}
		deep := int(e.plies)
		switch t.answer {
		case answerDeep:
			ok = deep >= plies
		case answerSame:
			ok = deep == plies && e.q == q
		}
		if ok {
			return e.value, e.short, true
		}
	}
	return 0, false, false
}

// put keeps the value of an afterstate.
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
