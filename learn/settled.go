package learn

import (
	"math"

	"afterstate/ntuple"
)

// A model keeps no sums of temporal coherence. If they began at zero, every weight would
// move at the full rate until its errors disagree, and a network that knows much would
// forget it. So a weight that is known begins with the sums that n errors of a typical
// size and random signs leave: their sizes add up to n of them, and the errors to about
// the square root of n. It moves at 1/sqrt(n) of the rate, and faster as soon as its
// errors agree. Weights that nobody has learned begin at the full rate.

// settled begins the sums of all known weights, where errors have a typical size.
func (l *coherence) settled(updates float64, typical float32) {
	begin := pair(typical*float32(math.Sqrt(updates)), typical*float32(updates))
	for stage := range l.sums {
		for p, sums := range l.sums[stage] {
			for i := range sums {
				if l.known(stage, p, i) {
					sums[i] = begin
				}
			}
		}
	}
}

// known reports whether a weight, or the one of an earlier stage that it begins as, was
// ever learned.
func (l *coherence) known(stage, pattern, i int) bool {
	for ; stage >= 0; stage-- {
		if l.net.Table(stage, pattern)[i] != 0 {
			return true
		}
	}
	return false
}

// typicalMoves is how many errors typicalError looks at. They vary with the board, but
// the mean of so many is known to a few per cent.
const typicalMoves = 1 << 16

// typicalError is the mean size of the network's errors in games of its own. It changes
// nothing.
func (t *Trainer) typicalError() float32 {
	m := &meter{net: t.o.Network}
	w := newWorker(t.o.Network, m)
	if t.o.Lambda > 0 {
		w.setReturn(t.o.Lambda, t.o.Horizon)
	}
	for game := uint64(0); m.errors < typicalMoves; game++ {
		w.seed(^t.o.Seed, game) // not the games of the training
		w.play(w.fresh())
	}
	return float32(m.size / float64(m.errors))
}

// meter is a learner that learns nothing and measures errors.
type meter struct {
	frozen
	net    *ntuple.Network
	size   float64
	errors int
}

func (m *meter) update(p *features, target float32) {
	m.size += math.Abs(float64(target - m.net.Sum(p.stage, p.at)))
	m.errors++
}
