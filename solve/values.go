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
	key   uint32 // key + 1; 0 is empty
	value float64
}

// build fills the index.
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

// find returns the value of a key, which must be there.
func (x *index) find(key uint32) float64 {
	mask := uint32(len(x.slots) - 1)
	for i := hash(key) >> (x.shift & 31); ; i++ {
		switch e := &x.slots[i&mask]; e.key {
		case key + 1:
			return e.value
		case 0:
			panic(fmt.Sprintf("solve: afterstate %08x was not reached", key))
		}
	}
}

// valuer computes the values of the afterstates of a layer from those of the next two.
type valuer struct {
	g           *geometry
	goal        word // pattern of the goal's exponent, 0 for none
	rule        Rule
	p4          float64
	twos, fours bool
	next        [3]*index // of the last three layers, the one of the smallest sum first
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

// push adds the values of a layer.
func (v *valuer) push(keys []uint32, values []float64) {
	v.next = [3]*index{v.next[2], v.next[0], v.next[1]}
	v.next[0].build(keys, values)
}

// start returns the value of the start of a game, when the values of the first three layers are
// known.
func (v *valuer) start() float64 {
	two, four := *v, *v
	copy(four.next[:], v.next[1:])
	least, most := math.Inf(1), 0.0
	var sum2, sum4 float64
	for i := range v.g.cells {
		if v.twos {
			x := two.value(1 << (4 * i))
			sum2 += x
			least, most = min(least, x), max(most, x)
		}
		if v.fours {
			x := four.value(2 << (4 * i))
			sum4 += x
			least, most = min(least, x), max(most, x)
		}
	}
	return v.combine(sum2, sum4, least, most, v.g.cells)
}

// combine returns the value of a spawn on one of n empty cells, from the sums over the cells of the
// values of both tiles, and the least and the greatest of all.
func (v *valuer) combine(sum2, sum4, least, most float64, n int) float64 {
	switch {
	case v.rule == Adversary:
		return least
	case v.rule == Friendly:
		return most
	case !v.fours:
		return sum2 / float64(n)
	case !v.twos:
		return sum4 / float64(n)
	}
	// As a mean, it has weights that add up to 1 exactly. With 1-p4 and p4 rounded apart, they
	// would not, and the error would grow over hundreds of layers.
	return (sum2 + float64(v.p4*(sum4-sum2))) / float64(n)
}

// lines are the slides of an afterstate's rows and columns, which all spawns on it but for one row
// and one column share.
type lines struct {
	rows, cols                [maxLine]uint32
	back, forth               word // all rows slid left, and right
	up, down                  word
	rBack, rForth, rUp, rDown uint32 // rewards of all lines
}

// set computes the lines of an afterstate.
func (l *lines) set(g *geometry, w word) {
	for i := range g.rows {
		line, shift := g.rowOf(w, i), 4*uint(i*g.cols)&63
		l.rows[i] = line
		b, f := g.row.back[line], g.row.forth[line]
		l.back |= word(b&0xffff) << shift
		l.forth |= word(f&0xffff) << shift
		l.rBack += b >> 16
		l.rForth += f >> 16
	}
	for i := range g.cols {
		line := g.colOf(w, i)
		l.cols[i] = line
		b, f := g.col.back[line], g.col.forth[line]
		l.up |= g.colWord(b&0xffff, i)
		l.down |= g.colWord(f&0xffff, i)
		l.rUp += b >> 16
		l.rDown += f >> 16
	}
}

// value returns the value of an afterstate.
func (v *valuer) value(w word) float64 {
	g := v.g
	var l lines
	l.set(g, w)
	var sum2, sum4 float64
	least, most := math.Inf(1), 0.0
	empty := 0
	for r := range g.rows {
		for c := range g.cols {
			if l.rows[r]>>(4*uint(c)&31)&15 != 0 {
				continue
			}
			empty++
			if v.twos {
				x := v.spawn(w, &l, r, c, 1)
				sum2 += x
				least, most = min(least, x), max(most, x)
			}
			if v.fours {
				x := v.spawn(w, &l, r, c, 2)
				sum4 += x
				least, most = min(least, x), max(most, x)
			}
		}
	}
	return v.combine(sum2, sum4, least, most, empty)
}

// spawn returns the value of the board with a spawn.
func (v *valuer) spawn(w word, l *lines, r, c int, exponent uint32) float64 {
	g := v.g
	shift := 4 * uint(r*g.cols) & 63
	line := l.rows[r]
	b, f := g.row.back[line], g.row.forth[line]
	line |= exponent << (4 * uint(c) & 31)
	nb, nf := g.row.back[line], g.row.forth[line]
	left := l.back ^ word((b^nb)&0xffff)<<shift
	right := l.forth ^ word((f^nf)&0xffff)<<shift
	rLeft := l.rBack - b>>16 + nb>>16
	rRight := l.rForth - f>>16 + nf>>16

	line = l.cols[c]
	b, f = g.col.back[line], g.col.forth[line]
	line |= exponent << (4 * uint(r) & 31)
	nb, nf = g.col.back[line], g.col.forth[line]
	up := l.up ^ g.colWord((b^nb)&0xffff, c)
	down := l.down ^ g.colWord((f^nf)&0xffff, c)
	rUp := l.rUp - b>>16 + nb>>16
	rDown := l.rDown - f>>16 + nf>>16

	w |= word(exponent) << (shift + 4*uint(c)&63)
	next := v.next[exponent-1]
	best := 0.0 // of a board without a legal move
	if left != w {
		best = max(best, v.move(next, left, rLeft))
	}
	if right != w {
		best = max(best, v.move(next, right, rRight))
	}
	if up != w {
		best = max(best, v.move(next, up, rUp))
	}
	if down != w {
		best = max(best, v.move(next, down, rDown))
	}
	return best
}

// move returns the value of a move to an afterstate.
func (v *valuer) move(next *index, after word, reward uint32) float64 {
	if v.goal == 0 {
		return float64(reward) + next.find(v.g.key(v.g.canonical(after)))
	}
	if has(after, v.goal) != 0 {
		return 1
	}
	return next.find(v.g.key(v.g.canonical(after)))
}
