package search

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/board"
)

// somePositions are random positions of a few sizes and scores.
func somePositions(n int) (all []eval.Position) {
	r := rand.New(rand.NewPCG(5, 6))
	sizes := []board.Size{{Rows: 2, Cols: 3}, {Rows: 3, Cols: 2}, {Rows: 4, Cols: 4}, {Rows: 6, Cols: 6}}
	for range n {
		p := eval.Position{Board: board.New(sizes[r.IntN(len(sizes))]), Score: int64(r.IntN(8))}
		for i := range p.Board.Size().Cells() {
			p.Board.Set(i, uint8(r.IntN(3)))
		}
		all = append(all, p)
	}
	return all
}

func TestTableSize(t *testing.T) {
	must.Equal(t, unsafe.Sizeof(entry{}), entryBytes, "an entry")
	for _, bytes := range []int64{0, 1, MinTT, MinTT + 1, 10 << 20, 64 << 20} {
		b := newTable(bytes, false)
		size := int64(len(b.buckets)) * 2 * entryBytes
		if maximum := max(bytes, MinTT); size > maximum || 2*size <= maximum {
			t.Errorf("a table of %d bytes takes %d", bytes, size)
		}
		if top := ^uint64(0) >> b.shift; top != uint64(len(b.buckets)-1) {
			t.Errorf("a table of %d bytes has %d buckets and looks into %d", bytes, len(b.buckets), top+1)
		}
	}
}

// A value from a table was stored for the same position, in the current search, and deep enough. Most
// recent entries are found.
func TestTableIsRight(t *testing.T) {
	type known struct {
		value, q float64
		plies    int
		short    bool
	}
	r := rand.New(rand.NewPCG(7, 8))
	positions := somePositions(3000)
	b := newTable(MinTT, false)
	b.buckets, b.shift = b.buckets[:1<<10], 64-10 // crowded
	stored := map[eval.Position][]known{}
	b.age()
	lookups, answered := 0, 0
	for i := range soak.Pick(50_000, 200_000) {
		if i%50000 == 0 {
			b.age()
			clear(stored)
		}
		p := &positions[r.IntN(len(positions))]
		h := hashPosition(p)
		plies, q := 1+r.IntN(4), float64(r.IntN(4))/4
		b.exact = r.IntN(2) == 1
		v, short, ok := b.get(p, h, plies, q)
		if lookups++; ok {
			answered++
			found := false
			for _, k := range stored[*p] {
				if k.value == v && k.short == short {
					found = k.plies == plies && k.q == q || !b.exact && k.plies >= plies
				}
			}
			if !found {
				t.Fatalf("%v at %d plies (%v) is %v, stored were %v", p.Board, plies, b.exact, v, stored[*p])
			}
			continue
		}
		k := known{float64(i), q, plies, i%2 == 0}
		b.put(p, h, plies, q, k.value, k.short)
		stored[*p] = append(stored[*p], k)
		if v, short, ok := b.get(p, h, plies, q); !ok || v != k.value || short != k.short {
			t.Fatalf("%v: just told %v, got %v", p.Board, k, v)
		}
	}
	if answered < lookups/8 {
		t.Errorf("%d answers to %d lookups", answered, lookups)
	}
}

// Of two positions in one bucket, the deeper one is kept during the current search.
func TestTableKeepsTheDeeper(t *testing.T) {
	b := newTable(MinTT, false)
	b.age()
	p := somePositions(4)
	const h = 12345
	knows := func(i int) bool {
		_, _, ok := b.get(&p[i], h, 1, 0)
		return ok
	}
	b.put(&p[0], h, 5, 1, 0, false)
	b.put(&p[1], h, 3, 1, 0, false)
	b.put(&p[2], h, 4, 1, 0, false)
	if !knows(0) || knows(1) || !knows(2) {
		t.Errorf("known are %v %v %v", knows(0), knows(1), knows(2))
	}
	other := p[0]
	other.Score++
	if _, _, ok := b.get(&other, h, 1, 0); ok {
		t.Error("the value of another score answers")
	}
	b.age()
	b.put(&p[3], h, 1, 1, 0, false)
	if knows(0) || knows(2) || !knows(3) {
		t.Errorf("after a search known are %v %v %v", knows(0), knows(2), knows(3))
	}
}

// The numbers of entries restart when they overflow.
func TestTableAgesForever(t *testing.T) {
	b := newTable(MinTT, false)
	p := somePositions(1)[0]
	b.now = 1<<32 - 2
	b.age()
	b.put(&p, 1, 3, 1, 7, false)
	if _, _, ok := b.get(&p, 1, 3, 1); !ok {
		t.Error("the last number does not answer")
	}
	b.age()
	if _, _, ok := b.get(&p, 1, 3, 1); ok || b.now == 0 {
		t.Errorf("number %d answers from before", b.now)
	}
}

// Positions are distributed over buckets as if at random.
func TestHashPositionSpreads(t *testing.T) {
	const n = 1 << 14
	distinct := map[eval.Position]bool{}
	for _, p := range somePositions(40000) {
		if p.Board.Size().Cells() >= 16 && len(distinct) < n {
			distinct[p] = true
		}
	}
	used := map[uint64]bool{}
	for p := range distinct {
		used[hashPosition(&p)>>(64-14)] = true
	}
	if share := float64(len(used)) / n; len(distinct) < n || share < 0.62 || share > 0.645 { // 1 - 1/e
		t.Errorf("%d positions use %.3f of as many buckets", len(distinct), share)
	}
}
