package learn

import (
	"math/rand/v2"

	"afterstate/bitboard"
	"afterstate/board"
	"afterstate/endings"
	"afterstate/ntuple"
)

// endingWorker plays and learns endings (package endings). A game starts in one ending and goes through those
// that follow, until no move is left or a 32768 is made. Its score is 1 with the 32768, else 0. A goal that is made
// is a wall of the next board, which the network values by its next stage: so the update of the last board of an
// ending moves it towards the first one of the next.
type endingWorker struct {
	learning
	rules rules
	batch *ntuple.Batch
	made  [4]bool     // of the batch's boards: a 32768 is made
	pool  *endingPool // nil: boards are not stored
}

func newEndingWorker(net *ntuple.Network, learn learner) *endingWorker {
	w := &endingWorker{learning: learning{net: net, learn: learn}, rules: rulesOf(net.Size), batch: net.NewBatch()}
	w.setReturn(0, 1)
	return w
}

// playFresh plays from a new start of any ending of the network.
func (w *endingWorker) playFresh() outcome {
	return w.play(endings.Start(int(w.net.Walls)+uniform(&w.other, w.net.StageCount()-1), &w.other))
}

// uniform returns a number from 0 to n-1.
func uniform(r *rand.PCG, n int) int { return int(r.Uint64() >> 32 * uint64(n) >> 32) }

// play plays a game from a post-spawn board and learns as worker.play does.
func (w *endingWorker) play(b bitboard.Board) (o outcome) {
	at := 0
	o.from = wallSum(b)
	w.passed = endingMilestone(b)
	for end := float32(0); ; o.moves++ {
		best, value := 0, float32(0)
		if w.begin(b) {
			if w.looked != nil {
				w.looked(w.batch)
			}
			if best, value = w.best(); w.made[best] {
				end, o.score, b = 1, 1, w.batch.Boards[best]
			}
		}
		if w.batch.N == 0 || end > 0 {
			w.finish(at, min(o.moves, len(w.ring)), end)
			o.final = b.Board()
			return o
		}
		m := &w.ring[at]
		if o.moves >= len(w.ring) {
			w.learn.update(&m.features, w.target(at, value))
		}
		m.stage = w.batch.Stages[best]
		m.at, w.batch.At[best] = w.batch.At[best], m.at
		if at++; at == len(w.ring) {
			at = 0
		}
		w.learn.prefetch(&w.ring[at].features)
		b = w.rules.spawn(w.batch.Boards[best], w.spawn.Uint64())
		if m.stage > 0 {
			w.store(b)
		}
	}
}

// begin makes the moves on a board and prefetches the weights of the afterstates. It returns false
// if there is no legal move.
func (w *endingWorker) begin(b bitboard.Board) bool {
	var after [4]bitboard.Afterstate
	w.rules.afterstates(b, &after)
	moves := 0
	for d := range after {
		if a := &after[d]; a.Moved {
			w.batch.Boards[moves&3] = a.Board
			w.made[moves&3] = a.Reward >= 1<<endings.Tile
			moves++
		}
	}
	w.batch.N = moves
	w.net.Prefetch(w.batch)
	return moves > 0
}

// best evaluates the afterstates and returns the index of the best one in the batch, and its chance.
func (w *endingWorker) best() (best int, value float32) {
	w.net.Sums(w.batch)
	for i := range w.batch.N {
		v := w.batch.Values[i]
		if w.made[i] {
			v = 1
		}
		if i == 0 || v > value {
			best, value = i, v
		}
	}
	return best, value
}

// store stores a board when the game first reaches its milestone.
func (w *endingWorker) store(b bitboard.Board) {
	if w.pool == nil {
		return
	}
	if m := endingMilestone(b); m > w.passed {
		w.passed = m
		w.pool[m/milestones].put(m%milestones, b, &w.other)
	}
}

// endingMilestone numbers the milestones of all endings in the order of a game: a milestone is one of
// equal parts of an ending, by the sum of its small tiles.
func endingMilestone(b bitboard.Board) int {
	view, walls := endings.Of(b)
	if walls > endings.MaxWalls {
		return walls * milestones
	}
	part := endings.Small(view) * milestones / board.Tile(endings.Goal(walls))
	return walls*milestones + int(min(part, milestones-1))
}

// wallSum is the sum of a board's walls.
func wallSum(b bitboard.Board) (sum uint64) {
	_, walls := endings.Of(b)
	for k := range min(walls, endings.MaxWalls) {
		sum += uint64(board.Tile(endings.Goal(k)))
	}
	return sum
}

// endingPool holds the boards of each number of walls that restarts draw from.
type endingPool [endings.MaxWalls + 1]stored[bitboard.Board]

// all returns all boards for a checkpoint.
func (p *endingPool) all() (words []uint64) {
	for walls := range p {
		for _, boards := range p[walls].boards {
			for _, b := range boards {
				words = append(words, uint64(b))
			}
		}
	}
	return words
}

// fill adds the boards of a checkpoint.
func (p *endingPool) fill(words []uint64) {
	for _, word := range words {
		b := bitboard.Board(word)
		if m := endingMilestone(b); m/milestones < len(p) {
			boards := &p[m/milestones].boards[m%milestones]
			*boards = append(*boards, b)
		}
	}
}

// endingWorker returns a worker for the trainer's network that stores boards for restarts.
func (t *Trainer) endingWorker() *endingWorker {
	w := newEndingWorker(t.o.Network, t.learner)
	t.set(&w.learning)
	w.pool = &t.endings
	return w
}

// endingGame plays one game. Endings join one after another, those with the most walls first. Half of the
// games start in the one that joined last, the others in any that joined.
func (t *Trainer) endingGame(w *endingWorker, index uint64) outcome {
	w.seed(t.o.Seed, index)
	joined := endings.MaxWalls - int(t.o.Network.Walls) + 1
	if t.o.JoinEvery > 0 {
		joined = int(min(uint64(joined), 1+index/t.o.JoinEvery))
	}
	walls := endings.MaxWalls - joined + 1
	if uniform(&w.other, 2) == 0 {
		walls += uniform(&w.other, joined)
	}
	if t.restarts(&w.learning) {
		if b, _, ok := t.endings[walls].take(&w.other); ok {
			return w.play(b)
		}
	}
	return w.play(endings.Start(walls, &w.other))
}
