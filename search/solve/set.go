package solve

import (
	"math/bits"
	"sync/atomic"

	"github.com/afterstate2048/afterstate/internal/workers"
)

// set is a set of keys of one layer. Several goroutines can add keys at the same time. It uses open
// addressing with linear probing.
type set struct {
	// Each slot contains key + 1, or 0 if it is empty. No key is 2^32-1: exponents of small boards
	// are below 15, and checkWalls limits the keys of endings.
	slots []uint32
	shift uint
	count atomic.Int64
}

// minSlots is the size of the smallest set.
const minSlots = 1 << 12

// reset empties the set and makes room for the given number of keys.
func (s *set) reset(keys int) {
	size := minSlots
	for size/2 < keys {
		size *= 2
	}
	s.resize(size)
	s.count.Store(0)
}

func (s *set) resize(size int) {
	if size <= cap(s.slots) {
		s.slots = s.slots[:size]
		clear(s.slots)
	} else {
		s.slots = make([]uint32, size)
	}
	s.shift = uint(32 - bits.TrailingZeros(uint(size)))
}

// hash is Fibonacci hashing, after a step that mixes high cells into low bits.
func hash(key uint32) uint32 { return (key ^ key>>15) * 0x9e3779b1 }

// add inserts a key and reports whether it is new.
func (s *set) add(key uint32) bool {
	i, mask := hash(key)>>(s.shift&31), uint32(len(s.slots)-1)
	for {
		slot := &s.slots[i&mask]
		switch v := atomic.LoadUint32(slot); {
		case v == key+1:
			return false
		case v == 0:
			if atomic.CompareAndSwapUint32(slot, 0, key+1) {
				return true
			}
			continue // another goroutine took the slot, perhaps for the same key
		}
		i++
	}
}

// ahead is the number of slots that addAll fetches at a time.
const ahead = 128

// addAll inserts keys and adds the number of new ones to count. It first reads their slots, so that the
// processor fetches several from memory at the same time.
func (s *set) addAll(keys []uint32) {
	added := 0
	for len(keys) > 0 {
		part := keys[:min(ahead, len(keys))]
		keys = keys[len(part):]
		for _, key := range part {
			atomic.LoadUint32(&s.slots[hash(key)>>(s.shift&31)])
		}
		for _, key := range part {
			if s.add(key) {
				added++
			}
		}
	}
	s.count.Add(int64(added))
}

// roomy reports whether the set would be at most three quarters full after this many further keys.
func (s *set) roomy(further int) bool {
	return s.count.Load()+int64(further) <= int64(len(s.slots)*3/4)
}

// grow doubles the number of slots. No other goroutine may use the set meanwhile.
func (s *set) grow() {
	old := s.slots
	s.slots = nil
	s.resize(2 * len(old))
	for _, v := range old {
		if v != 0 {
			s.add(v - 1)
		}
	}
}

// keys appends the keys to a list, in no particular order.
func (s *set) keys(to []uint32) []uint32 {
	for _, v := range s.slots {
		if v != 0 {
			to = append(to, v-1)
		}
	}
	return to
}

// batch is the number of items that a worker takes at a time.
const batch = 256

// parallel calls work for the items in [from, n) in batches, on several goroutines. It calls
// proceed before each batch and stops when proceed returns false. It returns the number of the first item that
// was not processed.
func parallel(threads, from, n int, proceed func() bool, work func(from, to int)) int {
	var next atomic.Int64
	next.Store(int64(from))
	workers.Run(min(threads, (n-from+batch-1)/batch), func(int) {
		for proceed() {
			at := int(next.Add(batch)) - batch
			if at >= n {
				return
			}
			work(at, min(at+batch, n))
		}
	})
	return min(int(next.Load()), n)
}

func always() bool { return true }
