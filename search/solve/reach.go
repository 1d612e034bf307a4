package solve

import "slices"

// layer holds the boards of one tile sum, up to symmetry.
type layer struct {
	sum    int
	boards int64    // number of boards on which the player is to move
	keys   []uint32 // keys of the afterstates
}

// reacher finds the boards that games can reach, layer by layer. A move does not change the sum of the tiles, and a
// spawn adds 2 or 4.
type reacher struct {
	g           *geometry
	goal        word // the goal's exponent in every cell; 0: no goal
	twos, fours bool
	workers     int
	sum         int
	boards      [3]*set // boards with the tile sums sum, sum+2 and sum+4
	afters      set
}

// newReacher returns a reacher that starts at the smallest tile sum, with the start boards alone.
func newReacher(g *geometry, p *Problem, workers int) *reacher {
	r := &reacher{g: g, goal: ones * word(p.goal()), workers: workers, sum: 4}
	r.twos, r.fours = p.spawns()
	for i := range r.boards {
		r.boards[i] = new(set)
		r.boards[i].reset(0)
		r.seed(r.boards[i], r.sum+2*i)
	}
	return r
}

// seed adds the start boards with the given tile sum to a set.
func (r *reacher) seed(to *set, sum int) {
	for _, w := range r.g.starts() {
		if r.g.sum(w) == sum && (sum == 8 || r.twos) && (sum == 4 || r.fours) && to.add(r.g.key(w)) {
			to.count.Add(1)
		}
	}
}

// starts returns all boards of two tiles, each a 2 or a 4, up to symmetry.
func (g *geometry) starts() (all []word) {
	layouts := []Layout{0}
	if g.walls != nil {
		layouts = g.walls.layouts
	}
	for _, l := range layouts {
		for i := range g.cells {
			for j := range i {
				if (l>>i|l>>j)&1 != 0 {
					continue
				}
				for _, tiles := range [][2]word{{1, 1}, {1, 2}, {2, 1}, {2, 2}} {
					if w := l.word() | tiles[0]<<(4*i) | tiles[1]<<(4*j); g.canonical(w) == w {
						all = append(all, w)
					}
				}
			}
		}
	}
	return all
}

// next returns the next layer, with its keys in no particular order; ok is false after the last
// layer.
func (r *reacher) next() (l layer, ok bool) {
	if r.boards[0].count.Load()+r.boards[1].count.Load()+r.boards[2].count.Load() == 0 {
		return layer{}, false
	}
	l = layer{sum: r.sum, boards: r.boards[0].count.Load()}
	r.moves()
	l.keys = r.afters.keys(make([]uint32, 0, r.afters.count.Load()))
	r.advance(l.keys)
	return l, true
}

// moves collects the afterstates of all moves on the boards of the current layer.
func (r *reacher) moves() {
	r.afters.reset(int(r.boards[0].count.Load()))
	slots := r.boards[0].slots
	r.share(len(slots), 4, func(from, to int) {
		var found [4 * batch]uint32
		n := 0
		for _, v := range slots[from:to] {
			if v != 0 {
				n += r.moveAll(r.g.board(v-1, r.sum), found[n:])
			}
		}
		r.afters.addAll(found[:n])
	}, &r.afters)
}

// share calls work for n items in batches, on several goroutines. Between batches it grows the sets if needed. each
// is the largest number of keys that an item adds to a set.
func (r *reacher) share(n, each int, work func(from, to int), sets ...*set) {
	further := batch * r.workers * each
	crowded := func(s *set) bool { return !s.roomy(further) }
	for at := 0; at < n; {
		at = parallel(r.workers, at, n, func() bool { return !slices.ContainsFunc(sets, crowded) }, work)
		for _, s := range sets {
			if at < n && crowded(s) {
				s.grow()
			}
		}
	}
}

// moveAll stores the keys of a board's afterstates in found, and returns how many there are.
func (r *reacher) moveAll(w word, found []uint32) (n int) {
	g := r.g
	var after [4]word
	for i := range g.rows {
		cells, shift := g.rowOf(w, i), 4*uint(i*g.cols)&63
		after[0] |= g.row.back[cells] & cellsOnly << shift
		after[1] |= g.row.forth[cells] & cellsOnly << shift
	}
	for i := range g.cols {
		cells, shift := g.colOf(w, i), 4*uint(i)&63
		after[2] |= g.col.back[cells] & cellsOnly << shift
		after[3] |= g.col.forth[cells] & cellsOnly << shift
	}
	for _, a := range after {
		if a != w && g.allows(w, a) && (r.goal == 0 || has(a, r.goal) == 0) {
			found[n] = g.key(g.canonical(a))
			n++
		}
	}
	return n
}

// advance adds the boards after all spawns on the afterstates to the next two layers, and makes the
// next layer the current one.
func (r *reacher) advance(keys []uint32) {
	g, two, four := r.g, r.boards[1], r.boards[2]
	r.share(len(keys), g.cells-1, func(from, to int) {
		var found [2][(maxCells - 1) * batch]uint32
		twos, fours := found[0][:0], found[1][:0]
		for _, key := range keys[from:to] {
			w := g.board(key, r.sum)
			for i := range g.cells {
				shift := 4 * uint(i) & 63
				if w>>shift&15 != 0 {
					continue
				}
				if r.twos {
					twos = append(twos, g.key(g.canonical(w|1<<shift)))
				}
				if r.fours {
					fours = append(fours, g.key(g.canonical(w|2<<shift)))
				}
			}
		}
		two.addAll(twos)
		four.addAll(fours)
	}, two, four)
	done := r.boards[0]
	r.boards = [3]*set{two, four, done}
	done.reset(int(four.count.Load()))
	r.sum += 2
	r.seed(done, r.sum+4)
}
