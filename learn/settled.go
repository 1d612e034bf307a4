package learn

import (
	"math"

	"github.com/afterstate2048/afterstate/eval/ntuple"
)

// Initial TC sums of a network that is already trained; see the package documentation (Warm
// starts).

// settled sets the sums of all learned weights to those of updates errors of random sign, each of
// absolute size typical.
func (l *coherence) settled(updates float64, typical float32) {
	begin := pair(typical*float32(math.Sqrt(updates)), typical*float32(updates))
	for stage, tables := range l.sums.Tables {
		for p, sums := range tables {
			for i := range sums {
				if l.known(stage, p, i) {
					sums[i] = begin
				}
			}
		}
	}
}

// known reports whether a weight, or the weight of an earlier stage that it is promoted from, is
// not zero.
func (l *coherence) known(stage, pattern, i int) bool {
	for ; stage >= 0; stage-- {
		if l.net.Table(stage, pattern)[i] != 0 {
			return true
		}
	}
	return false
}

// typicalMoves is the sample size of typicalError: the error of its mean is a few per cent.
const typicalMoves = 1 << 16

// typicalError returns the mean absolute error of the network in games outside the training. It
// changes nothing.
func (t *Trainer) typicalError() float32 {
	m := &meter{net: t.o.Network}
	w := newPlayer(t.o.Network, m)
	if t.o.Lambda > 0 {
		w.common().setReturn(t.o.Lambda, t.o.Horizon)
	}
	for game := uint64(0); m.errors < typicalMoves; game++ {
		w.seed(^t.o.Seed, game) // not the games of the training
		w.playFresh()
	}
	return float32(m.size / float64(m.errors))
}

// meter is a learner that measures errors and updates nothing.
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
