package learn

import (
	"math"

	"afterstate/board"
	"afterstate/game"
	"afterstate/ntuple"
)

// Boards that do not fit into a word are played on package board. Everything else is as for words: the same
// choices, returns, restarts and checkpoints.

// wideWorker plays and learns on boards of more than 16 cells.
type wideWorker struct {
	learning
	wideTurn
	fours uint64 // as in rules
	// merged is called with the post-spawn board when reward >= late; nil: never.
	merged func(b *board.Board)
}

// newWideWorker returns a worker that learns by TD(0).
func newWideWorker(net *ntuple.Network, learn learner) *wideWorker {
	w := &wideWorker{
		learning: learning{net: net, learn: learn, late: math.MaxInt32}, wideTurn: wideTurn{batch: net.NewWideBatch()},
		fours: rulesWith(board.Size{Rows: 4, Cols: 4}, game.P4).fours,
	}
	w.setReturn(0, 1)
	return w
}

func (w *wideWorker) fresh() board.Board {
	b := board.New(w.net.Size)
	w.spawn(&b)
	w.spawn(&b)
	return b
}

// spawn places the tile that the next random number selects, as game.Random does.
func (w *wideWorker) spawn(b *board.Board) {
	u, exponent := w.learning.spawn.Uint64(), uint8(1)
	if u&math.MaxUint32 < w.fours {
		exponent = 2
	}
	b.PlaceNth(int((u>>32)*uint64(b.Empty())>>32), exponent)
}

func (w *wideWorker) playFresh() outcome { return w.play(w.fresh()) }

// play is worker.play.
func (w *wideWorker) play(b board.Board) (o outcome) {
	at := 0
	for ; w.begin(w.net, &b); o.moves++ {
		if w.looked != nil {
			w.looked(&w.batch.Batch)
		}
		best, value := w.best(w.net)
		m := &w.ring[at]
		if o.moves >= len(w.ring) {
			w.learn.update(&m.features, w.target(at, value))
		}
		o.score += w.points[best]
		m.reward, m.stage = float32(w.rewards[best]), w.batch.Stages[best]
		m.at, w.batch.At[best] = w.batch.At[best], m.at
		at = (at + 1) % len(w.ring)
		w.learn.prefetch(&w.ring[at].features)
		b = w.batch.Boards[best]
		w.spawn(&b)
		if w.points[best] >= int64(w.late) {
			w.merged(&b)
		}
	}
	w.finish(at, min(o.moves, len(w.ring)), 0)
	o.final = b
	return o
}

// wideTurn is turn for these boards.
type wideTurn struct {
	batch           *ntuple.WideBatch
	rewards, points [4]int64
}

func (t *wideTurn) begin(n *ntuple.Network, b *board.Board) bool {
	var after, viewed [4]board.Afterstate
	b.Afterstates(&after)
	seen := &after
	if v := n.DowngradeWide(*b); v != *b {
		seen = &viewed
		v.Afterstates(seen)
	}
	moves := 0
	for d := range after {
		if after[d].Moved {
			t.batch.Boards[moves], t.points[moves&3], t.rewards[moves&3] = after[d].Board, after[d].Reward, seen[d].Reward
			moves++
		}
	}
	t.batch.N = moves
	n.PrefetchWide(t.batch)
	return moves > 0
}

func (t *wideTurn) best(n *ntuple.Network) (best int, value float32) {
	n.Sums(&t.batch.Batch)
	for i := range t.batch.N {
		if v := t.batch.Values[i] + float32(t.rewards[i]); i == 0 || v > value {
			best, value = i, v
		}
	}
	return best, value
}

// wideWorker returns a worker that stores boards for restarts if they are enabled.
func (t *Trainer) wideWorker() *wideWorker {
	w := newWideWorker(t.o.Network, t.learner)
	t.set(&w.learning)
	w.merged = func(b *board.Board) {
		if m, ok := t.wide.milestone(b); ok && m > w.passed {
			w.passed = m
			t.wide.put(m, *b, &w.other)
		}
	}
	return w
}

// wideGame is game for these boards.
func (t *Trainer) wideGame(w *wideWorker, index uint64) outcome {
	w.seed(t.o.Seed, index)
	w.passed = -1
	start, from := w.fresh(), uint64(0)
	if t.restarts(&w.learning) {
		if b, m, ok := t.wide.take(&w.other); ok {
			start, from, w.passed = b, milestoneSum(m, t.wide.tile), m
		}
	}
	o := w.play(start)
	o.from = from
	return o
}

// widePool is pool for these boards.
type widePool struct {
	stored[board.Board]
	tile uint8
}

func (p *widePool) milestone(b *board.Board) (number int, ok bool) {
	if b.Largest() < p.tile {
		return 0, false
	}
	return milestoneOf(uint64(b.Sum()), p.tile), true
}

// storedWords is how many words a stored board of a size takes in a checkpoint: one a row, with a byte a
// cell, if it does not fit into one.
func storedWords(size board.Size) int {
	if ntuple.Packs(size) {
		return 1
	}
	return size.Rows
}

func (p *widePool) all() (words []uint64) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, boards := range p.boards {
		for i := range boards {
			for r := range boards[i].Size().Rows {
				words = append(words, boards[i].Row(r))
			}
		}
	}
	return words
}

func (p *widePool) fill(size board.Size, words []uint64) {
	for ; len(words) >= size.Rows; words = words[size.Rows:] {
		b := board.New(size)
		for i := range size.Cells() {
			b.Set(i, uint8(words[i/size.Cols]>>(8*(i%size.Cols)))&63)
		}
		if m, ok := p.milestone(&b); ok {
			p.boards[m] = append(p.boards[m], b)
		}
	}
}
