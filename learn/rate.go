package learn

import (
	"math"
	"sync/atomic"
)

// settled returns the value of coherence.limit for the next game. A single thread never waits for
// memory that other threads write, so with one thread weights never settle.
func (t *Trainer) settled() float32 {
	if t.o.Threads == 1 || t.updates == 0 {
		return float32(math.Inf(1))
	}
	return float32(settledErrors * t.errors / float64(t.updates))
}

// weightRate returns the step of a weight per unit of error, without annealing.
func (t *Trainer) weightRate() float64 {
	rate := t.o.Rate / float64(t.o.Network.Features())
	if t.o.Network.Fixed { // all eight features of a pattern read one weight, which is updated eight times
		rate /= 8
	}
	return rate
}

// rate returns the step of a weight per unit of error in game number index, including annealing.
func (t *Trainer) rate(index uint64) float32 {
	rate := t.weightRate()
	if left := t.o.Games - index; t.o.Anneal > 0 && left < t.o.Anneal {
		rate *= float64(left) / float64(t.o.Anneal)
	}
	return float32(rate)
}

// shared is a number that may change while threads learn: the learning rate divided by the number of features, or
// coherence.limit.
type shared struct{ bits atomic.Uint32 }

func (s *shared) set(x float32) { s.bits.Store(math.Float32bits(x)) }

func (s *shared) get() float32 { return math.Float32frombits(s.bits.Load()) }
