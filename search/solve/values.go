package solve

import (
	"fmt"
	"math"
)

// index finds the values of the afterstates of one layer. It is a hash table with open addressing.
type index struct {
	slots []entry
	shift uint
}

type entry struct {
	key   uint32 // key + 1; 0: empty slot
	value float64
}

// build replaces the content of the index by these keys and values.
func (x *index) build(keys []uint32, values []float64) {
	size, shift := 1024, uint(22)
	for size/2 < len(keys) {
		size, shift = size*2, shift-1
	}
	if size <= cap(x.slots) {
		x.slots = x.slots[:size]
		clear(x.slots)
	} else {
		x.slots = make([]entry, size)
	}
	x.shift = shift
	mask := uint32(size - 1)
	for n, key := range keys {
		i := hash(key) >> (shift & 31)
		for x.slots[i&mask].key != 0 {
			i++
		}
		x.slots[i&mask] = entry{key + 1, values[n]}
	}
}

// find returns the value of a key, which must be in the index.
func (x *index) find(key uint32) float64 {
	i := hash(key) >> (x.shift & 31)
	if e := &x.slots[i]; e.key == key+1 {
		return e.value
	}
	return x.further(key, i)
}

// further continues a lookup after the first slot. It panics if the index does not contain the key.
func (x *index) further(key, i uint32) float64 {
	mask := uint32(len(x.slots) - 1)
	for {
		i++
		switch e := &x.slots[i&mask]; e.key {
		case key + 1:
			return e.value
		case 0:
			panic(fmt.Sprintf("solve: afterstate %08x was not reached", key))
		}
	}
}

// valuer computes the values of the afterstates of a layer from the values of the next two layers.
type valuer struct {
	g           *geometry
	goal        word // the goal's exponent in every cell; 0: no goal
	rule        Rule
	p4          float64
	twos, fours bool
	next        [3]*index // the values of the three layers computed most recently, the smallest sum first
}

func newValuer(g *geometry, p *Problem) *valuer {
	v := &valuer{g: g, goal: ones * word(p.goal()), rule: p.Spawn, p4: p.P4}
	v.twos, v.fours = p.spawns()
	for i := range v.next {
		v.next[i] = new(index)
		v.next[i].build(nil, nil)
	}
	return v
}

// push adds the values of a layer and drops those of the layer with the largest sum.
func (v *valuer) push(keys []uint32, values []float64) {
	v.next = [3]*index{v.next[2], v.next[0], v.next[1]}
	v.next[0].build(keys, values)
}

// start returns the value of the start of a game. The valuer must hold the values of the three
// layers with the smallest sums.
func (v *valuer) start() float64 {
	two, four := *v, *v
	copy(four.next[:], v.next[1:])
	minimum, maximum := math.Inf(1), 0.0
	var sum2, sum4 float64
	for i := range v.g.cells {
		if v.twos {
			x := two.value(1<<(4*i), new(moves))
			sum2 += x
			minimum, maximum = min(minimum, x), max(maximum, x)
		}
		if v.fours {
			x := four.value(2<<(4*i), new(moves))
			sum4 += x
			minimum, maximum = min(minimum, x), max(maximum, x)
		}
	}
	return v.combine(sum2, sum4, minimum, maximum, v.g.cells)
}

// combine returns the value of an afterstate with n empty cells. sum2 and sum4 are the sums, over these cells, of the
// values after a 2 and after a 4. minimum and maximum are the lowest and the highest of all these values.
func (v *valuer) combine(sum2, sum4, minimum, maximum float64, n int) float64 {
	switch {
	case v.rule == Adversary:
		return minimum
	case v.rule == Friendly:
		return maximum
	case !v.fours:
		return sum2 / float64(n)
	case !v.twos:
		return sum4 / float64(n)
	}
	// In this form the weights of the mean add up to exactly 1. The weights 1-p4 and p4, each rounded,
	// would not, and the error would grow over hundreds of layers.
	return (sum2 + float64(v.p4*(sum4-sum2))) / float64(n)
}

// line is a row or a column, with its entries in the tables of slides.
type line struct {
	cells       uint32
	back, forth word
}

// lines holds the slides of an afterstate's rows and columns. A spawn changes only one row and one
// column; all spawns share the slides of the others.
type lines struct {
	row                       [maxRows]line
	col                       [maxCols]line
	back, forth               word // all rows slid left, and right
	up, down                  word // all columns slid up, and down
	rBack, rForth, rUp, rDown word // sums of the rewards of all lines, in quarters
}

// set computes the lines of an afterstate.
func (l *lines) set(g *geometry, w word) {
	for i := range g.rows {
		cells, shift := g.rowOf(w, i), 4*uint(i*g.cols)&63
		b, f := g.row.back[cells], g.row.forth[cells]
		l.row[i] = line{cells, b, f}
		l.back |= b & cellsOnly << shift
		l.forth |= f & cellsOnly << shift
		l.rBack += b >> rewardAt
		l.rForth += f >> rewardAt
	}
	for i := range g.cols {
		cells, shift := g.colOf(w, i), 4*uint(i)&63
		b, f := g.col.back[cells], g.col.forth[cells]
		l.col[i] = line{cells, b, f}
		l.up |= b & cellsOnly << shift
		l.down |= f & cellsOnly << shift
		l.rUp += b >> rewardAt
		l.rDown += f >> rewardAt
	}
}

// moves holds the allowed moves after all spawns of one tile on an afterstate. The moves are collected first and
// their values looked up later, so that the processor fetches several entries at a time.
type moves struct {
	keys    [4 * maxCells]uint32
	rewards [4 * maxCells]float64
	ends    [maxCells]int     // end of each board's moves in keys
	floors  [maxCells]float64 // least value of each board: 1 if a move makes the goal, else 0
}

// value returns the value of an afterstate. m is scratch memory.
func (v *valuer) value(w word, m *moves) float64 {
	var l lines
	l.set(v.g, w)
	var sums [2]float64
	minimum, maximum := math.Inf(1), 0.0
	empty := 0
	for exponent := range 2 {
		if exponent == 0 && !v.twos || exponent == 1 && !v.fours {
			continue
		}
		empty = v.spawns(w, &l, uint32(exponent+1), m)
		at := 0
		for i, end := range m.ends[:empty] {
			best := m.floors[i]
			for ; at < end; at++ {
				best = max(best, m.rewards[at]+v.next[exponent].find(m.keys[at]))
			}
			sums[exponent] += best
			minimum, maximum = min(minimum, best), max(maximum, best)
		}
	}
	return v.combine(sums[0], sums[1], minimum, maximum, empty)
}

// spawns collects the moves after all spawns of a tile of the given exponent on an afterstate, and
// returns the number of spawns.
func (v *valuer) spawns(w word, l *lines, exponent uint32, m *moves) (boards int) {
	g := v.g
	n := 0
	for r := range g.rows {
		rowShift, row := 4*uint(r*g.cols)&63, &l.row[r&(maxRows-1)]
		for c := range g.cols {
			colShift, col := 4*uint(c)&63, &l.col[c&(maxCols-1)]
			if row.cells>>(colShift&31)&15 != 0 {
				continue
			}
			i := row.cells | exponent<<(colShift&31)
			b, f := g.row.back[i], g.row.forth[i]
			i = col.cells | exponent<<(4*uint(r)&31)
			u, d := g.col.back[i], g.col.forth[i]
			after := [4]word{
				l.back ^ (row.back^b)&cellsOnly<<rowShift,
				l.forth ^ (row.forth^f)&cellsOnly<<rowShift,
				l.up ^ (col.back^u)&cellsOnly<<colShift,
				l.down ^ (col.forth^d)&cellsOnly<<colShift,
			}
			reward := [4]word{
				l.rBack - row.back>>rewardAt + b>>rewardAt,
				l.rForth - row.forth>>rewardAt + f>>rewardAt,
				l.rUp - col.back>>rewardAt + u>>rewardAt,
				l.rDown - col.forth>>rewardAt + d>>rewardAt,
			}
			board := w | word(exponent)<<(rowShift+colShift)
			m.floors[boards] = 0 // value of a board without a legal move
			for k, a := range after {
				if a == board || !g.allows(board, a) {
					continue
				}
				if v.goal == 0 {
					m.rewards[n] = float64(4 * reward[k])
				} else if has(a, v.goal) != 0 {
					m.floors[boards] = 1
					continue
				}
				m.keys[n] = g.key(g.canonical(a))
				n++
			}
			m.ends[boards] = n
			boards++
		}
	}
	return boards
}
