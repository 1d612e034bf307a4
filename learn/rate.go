package learn

import (
	"math"
	"sync/atomic"
)

// rate returns the step of a weight per error in a game, annealing included.
func (t *Trainer) rate(index uint64) float32 {
	rate := t.o.Rate / float64(t.o.Network.Features())
	if left := t.o.Games - index; t.o.Anneal > 0 && left < t.o.Anneal {
		rate *= float64(left) / float64(t.o.Anneal)
	}
	return float32(rate)
}

// stepRate is the learning rate divided by the number of features. It may change while threads
// learn.
type stepRate struct{ bits atomic.Uint32 }

func (r *stepRate) set(rate float32) { r.bits.Store(math.Float32bits(rate)) }

func (r *stepRate) get() float32 { return math.Float32frombits(r.bits.Load()) }
