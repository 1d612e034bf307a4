package learn

import (
	"math"
	"math/rand/v2"

	"github.com/afterstate2048/afterstate/eval/ntuple"
)

// player plays and learns in one goroutine. It is a thread[B] for some type of board B.
type player interface {
	// seed seeds the random generators for the game that seed and index identify. The game then has
	// the same spawns as in package game.
	seed(seed, index uint64)
	// playFresh plays a new game.
	playFresh() Outcome
	common() *learning
}

// newPlayer returns a player that learns by TD(0).
func newPlayer(net *ntuple.Network, learn learner) player {
	switch {
	case net.Walls > 0:
		return newEndingThread(net, learn)
	case net.Wide():
		return newWideThread(net, learn)
	}
	return newThread(net, learn)
}

// learning is the part of a thread that does not depend on the type of board.
type learning struct {
	net   *ntuple.Network
	learn learner
	// ring holds the moves whose afterstates are still to be updated; its length is the horizon.
	// lambda is Options.Lambda.
	ring   []move
	lambda float32
	slips  float32  // Options.Slips
	spawn  rand.PCG // draws the spawns
	other  rand.PCG // random numbers for all choices but the spawns
	late   int64    // see merged
	passed int      // the last milestone that the game reached, -1 before the first
	index  uint64   // number of the game
	errors float64  // sum of the absolute errors of all updates in the game
	// looked, unless nil, is called with the afterstates of every choice.
	looked func(*ntuple.Batch)
}

// thread plays and learns on boards of type B.
type thread[B any] struct {
	learning
	kind kind[B]
	turn *turn // the turn in progress, which kind embeds
	// merged is called with the post-spawn board after each move whose points are at least late. If merged is
	// nil, late is math.MaxInt64.
	merged func(b B)
	// trace, unless nil, is called with every post-spawn board.
	trace func(b B)
}

// features holds the stage of an afterstate and the indices of its weights.
type features struct {
	stage int
	at    []ntuple.SymIndices
	due   bool // this afterstate also updates settled weights
}

// move is a move of the game in progress whose afterstate is still to be updated.
type move struct {
	features // of the afterstate
	reward   float32
}

// threadOn returns a thread that learns by TD(0).
func threadOn[B any](net *ntuple.Network, learn learner, t *turn, k kind[B]) *thread[B] {
	w := &thread[B]{learning: learning{net: net, learn: learn, late: math.MaxInt64}, kind: k, turn: t}
	w.setReturn(0, 1)
	return w
}

func (w *learning) common() *learning { return w }

// setReturn sets lambda and the length of the ring, given by Options.Lambda and Options.Horizon.
func (w *learning) setReturn(lambda float64, horizon int) {
	w.lambda, w.ring = float32(lambda), make([]move, horizon)
	for i := range w.ring {
		w.ring[i].at = make([]ntuple.SymIndices, len(w.net.Patterns))
	}
}

func (w *learning) seed(seed, index uint64) {
	w.index, w.errors = index, 0
	w.spawn.Seed(seed, index)
	w.other.Seed(^seed, index)
}

func (w *thread[B]) fresh() B { return w.kind.fresh(&w.spawn, &w.other) }

func (w *thread[B]) playFresh() Outcome { return w.play(w.fresh()) }

// play plays a game from a post-spawn board to its end and learns: after each choice it updates the
// oldest afterstate in the ring, whose weights are still in the cache and whose indices are known.
func (w *thread[B]) play(b B) (o Outcome) {
	at := 0 // index of the oldest move in the ring, which the next move replaces
	end := float32(0)
	t := w.turn
	for ; ; o.Moves++ {
		if w.trace != nil {
			w.trace(b)
		}
		if !w.kind.begin(b) {
			break
		}
		if w.looked != nil {
			w.looked(t.batch)
		}
		best, value := t.choose(w.net, w.slips, &w.other)
		if t.won>>best&1 != 0 {
			// Only endings set won. Their boards are 4x4, so batch.Boards holds them.
			end, o.Score, o.Final = 1, 1, ntuple.Unpack(t.batch.Boards[best], w.net.Size)
			break
		}
		m := &w.ring[at]
		if o.Moves >= len(w.ring) {
			w.update(m, w.target(at, value))
		}
		o.Score += t.points[best]
		m.reward, m.stage, m.due = float32(t.rewards[best]), t.batch.Stages[best], (w.index+uint64(o.Moves))%settledShare == 0
		m.at, t.batch.At[best] = t.batch.At[best], m.at
		if at++; at == len(w.ring) {
			at = 0
		}
		w.learn.prefetch(&w.ring[at].features)
		b = w.kind.next(best, w.spawn.Uint64())
		if t.points[best] >= w.late {
			w.merged(b)
		}
	}
	w.finish(at, min(o.Moves, len(w.ring)), end)
	o.errors = w.errors
	if end == 0 {
		o.Final = w.kind.full(b)
	}
	return o
}

// The truncated lambda return of the afterstate after move m is
//
//	return(m) = reward(m+1) + (1-lambda) * value(m+1) + lambda * return(m+1)
//
// At the horizon, value(m+1) takes the place of return(m+1). lambda 0 is TD(0). An afterstate is
// updated once, as soon as its return is known (delayed update, Jaśkowski 2018), so a longer return
// costs a few additions but no more updates. All values are read at the time of the update.

// target returns the lambda return of the oldest move in a full ring. value is the reward + value
// of the move that was just chosen.
func (w *learning) target(oldest int, value float32) float32 {
	for at := w.before(oldest); at != oldest; at = w.before(at) {
		value = w.extend(&w.ring[at], value)
	}
	return value
}

// extend returns the return of the afterstate before move m, given the return of the afterstate
// after m.
func (w *learning) extend(m *move, value float32) float32 {
	now := w.net.Sum(m.stage, m.at)
	return m.reward + (float32((1-w.lambda)*now) + float32(w.lambda*value))
}

// finish updates the afterstates of the moves left in the ring at the end of a game, from the newest to
// the oldest. value is the return of the newest afterstate.
func (w *learning) finish(next, moves int, value float32) {
	for at := next; moves > 0; moves-- {
		at = w.before(at)
		w.update(&w.ring[at], value)
		value = w.extend(&w.ring[at], value)
	}
}

func (w *learning) update(m *move, target float32) {
	w.errors += float64(w.learn.update(&m.features, target))
}

// before returns the index before at in the ring.
func (w *learning) before(at int) int {
	if at == 0 {
		at = len(w.ring)
	}
	return at - 1
}
