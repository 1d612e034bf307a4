package learn

import (
	"math"

	"github.com/afterstate2048/afterstate/eval/ntuple"
)

// learner updates the weights of an afterstate. It must not retain the features after a call.
type learner interface {
	// update moves the value of an afterstate one step towards target, its return, and returns the absolute error.
	update(p *features, target float32) float32
	// prefetch is called with the afterstate that will be updated after the next choice.
	prefetch(p *features)
}

// plain implements TD learning with one rate for all weights.
type plain struct {
	net  *ntuple.Network
	rate *shared
}

func (l *plain) update(p *features, target float32) float32 {
	delta := target - l.net.Sum(p.stage, p.at)
	l.net.Add(p.stage, p.at, float32(l.rate.get()*delta))
	return abs(delta)
}

func abs(x float32) float32 { return float32(math.Abs(float64(x))) }

func (l *plain) prefetch(*features) {}

// coherence implements temporal coherence (TC) learning (Beal & Smith 1999; for n-tuple networks
// Jaśkowski 2018): the rate of each weight is the global rate times |sum of its errors| / sum of
// their absolute values, a factor of at most 1.
type coherence struct {
	net  *ntuple.Network
	rate *shared
	// sums holds both sums of a weight in one word, the signed sum in the low half,
	// so that other goroutines see a consistent pair.
	sums ntuple.Store[uint64]
	// limit is the sum of absolute errors above which a weight is settled.
	limit *shared
}

func (l *coherence) update(p *features, target float32) float32 {
	l.net.Promote(p.stage, p.at)
	delta := target - l.net.Sum(p.stage, p.at)
	step, limit := float32(l.rate.get()*delta), float32(math.Inf(1))
	if !p.due {
		limit = l.limit.get()
	}
	if l.net.HasKernel() {
		coherent(&p.at[0], l.net.TablePointers(p.stage), l.sums.Pointers(p.stage), len(p.at), step, delta, limit)
	} else {
		l.steps(p, step, delta, limit)
	}
	return abs(delta)
}

// With several threads a weight is settled once its absolute errors sum to more than settledErrors times the
// mean absolute error of the training. It then learns from one in settledShare updates. See the package
// documentation (Settled weights).
const (
	settledErrors = 1 << 16
	settledShare  = 8
)

func (l *coherence) prefetch(p *features) {
	if l.net.HasKernel() {
		fetch(&p.at[0], l.sums.Pointers(p.stage), len(p.at))
	}
}

// steps updates all weights of an afterstate. It is the reference implementation of the kernel coherent
// (TestKernel). It computes the rates of a pattern's eight weights before it writes any of them; a weight
// that occurs twice takes two steps. Weights whose absolute errors sum to more than limit do not change.
func (l *coherence) steps(p *features, step, delta, limit float32) {
	size := abs(delta)
	for k := range p.at {
		weights, sums := l.net.Table(p.stage, k), l.sums.Tables[p.stage][k]
		var steps [8]float32
		var learns [8]bool
		for s, i := range p.at[k] {
			signed, total := unpair(ntuple.LoadPair(&sums[i]))
			ratio := float32(1) // 1 also for a weight without errors, whose r is NaN (0/0)
			if r := abs(signed) / total; r < 1 {
				ratio = r
			}
			steps[s], learns[s] = float32(ratio*step), total <= limit
		}
		for s, i := range p.at[k] {
			if learns[s] {
				ntuple.StoreWeight(&weights[i], ntuple.LoadWeight(&weights[i])+steps[s])
				signed, total := unpair(ntuple.LoadPair(&sums[i]))
				ntuple.StorePair(&sums[i], pair(signed+delta, total+size))
			}
		}
	}
}

func unpair(word uint64) (signed, total float32) {
	return math.Float32frombits(uint32(word)), math.Float32frombits(uint32(word >> 32))
}

func pair(signed, total float32) uint64 {
	return uint64(math.Float32bits(signed)) | uint64(math.Float32bits(total))<<32
}

// settled sets the TC sums of all known weights as if each had received the given number of updates,
// with errors of random sign and absolute size typical; see the package documentation (Warm starts).
func (l *coherence) settled(updates float64, typical float32) {
	l.set(true, pair(typical*float32(math.Sqrt(updates)), typical*float32(updates)))
}

// freezeUnknown sets the sum of absolute errors of all unknown weights to infinity, so that their
// rate is zero.
func (l *coherence) freezeUnknown() { l.set(false, pair(0, float32(math.Inf(1)))) }

// set sets the sums of all known weights or, if known is false, of all unknown weights.
func (l *coherence) set(known bool, to uint64) {
	for stage, tables := range l.sums.Tables {
		for p, sums := range tables {
			for i := range sums {
				if l.known(stage, p, i) == known {
					sums[i] = to
				}
			}
		}
	}
}

// known reports whether a weight is non-zero, or starts from a non-zero weight of an earlier stage
// (weight promotion).
func (l *coherence) known(stage, pattern, i int) bool {
	for ; stage >= 0; stage-- {
		if l.net.Table(stage, pattern)[i] != 0 {
			return true
		}
		if l.net.Walls > 0 { // ending networks do not promote weights
			return false
		}
	}
	return false
}

// typicalMoves is the sample size of typicalError, in moves. The standard error of the mean is a few per cent.
const typicalMoves = 1 << 16

// typicalError returns the mean absolute error of the network in games outside the training. It does
// not change the network.
func (t *Trainer) typicalError() float32 {
	w := newPlayer(t.o.Network, &meter{net: t.o.Network})
	if t.o.Lambda > 0 {
		w.common().setReturn(t.o.Lambda, t.o.Horizon)
	}
	sum, moves := 0.0, 0
	for game := uint64(0); moves < typicalMoves; game++ {
		w.seed(^t.o.Seed, game) // a seed that the training does not use
		o := w.playFresh()
		sum, moves = sum+o.errors, moves+o.Moves
	}
	return float32(sum / float64(moves))
}

// meter is a learner that measures errors and updates nothing.
type meter struct {
	frozen
	net *ntuple.Network
}

func (m *meter) update(p *features, target float32) float32 {
	return abs(target - m.net.Sum(p.stage, p.at))
}
