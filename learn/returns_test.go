package learn

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// lesson is one update.
type lesson struct{ value, target float32 }

// listener is a learner that records updates.
type listener struct {
	net     *ntuple.Network
	lessons []lesson
}

func (l *listener) update(p *features, target float32) float32 {
	l.lessons = append(l.lessons, lesson{l.net.Sum(p.stage, p.at), target})
	return 0
}
func (l *listener) prefetch(*features) {}

// Returns follow their definition: the mean of all n-step returns, n up to the horizon, weighted
// (1-lambda) lambda^(n-1), the last with the remaining weight.
func TestReturns(t *testing.T) {
	n := network(t, size3, "2x3", ntuple.Stage{}, ntuple.Stage{6})
	must.Do(t, trainer(t, Options{Network: n, Coherent: true, Games: 200}).Run(context.Background()))
	for _, lambda := range []float64{0, 0.3, 0.5, 1} {
		for _, horizon := range []int{1, 2, 3, 5, 1000} {
			for game := range uint64(5) {
				l := &listener{net: n}
				w := newThread(n, l)
				w.setReturn(lambda, horizon)
				w.seed(2, game)
				o := w.play(w.fresh())
				rewards, values := greedy(w, 2, game)
				if len(l.lessons) != o.Moves || len(values) != o.Moves {
					t.Fatalf("%d lessons of %d moves", len(l.lessons), o.Moves)
				}
				late := min(len(w.ring), o.Moves) // the last updates go from the newest move to the oldest
				slices.Reverse(l.lessons[o.Moves-late:])
				for m, got := range l.lessons {
					want := byDefinition(rewards[m+1:], values[m+1:], lambda, len(w.ring))
					if got.value != values[m] || math.Abs(float64(got.target)-want) > 1e-6*(1000+want) {
						t.Fatalf("lambda %v, horizon %d, game %d, move %d of %d: %+v, want %v and %v",
							lambda, horizon, game, m, o.Moves, got, values[m], want)
					}
				}
			}
		}
	}
}

// greedy plays a game by a thread's network alone.
func greedy(w *thread[bitboard.Board], seed, game uint64) (rewards []float64, values []float32) {
	w.seed(seed, game)
	for b := w.fresh(); ; {
		var after [4]bitboard.Afterstate
		w.kind.(*onWords).rules.afterstates(b, &after)
		best, maximum := -1, float32(0)
		for d, a := range after {
			if v := float32(a.Reward) + w.net.Value(a.Board); a.Moved && (best < 0 || v > maximum) {
				best, maximum = d, v
			}
		}
		if best < 0 {
			return rewards, values
		}
		rewards = append(rewards, float64(after[best].Reward))
		values = append(values, w.net.Value(after[best].Board))
		b = w.kind.(*onWords).rules.spawn(after[best].Board, w.spawn.Uint64())
	}
}

// byDefinition is the return of an afterstate, from the rewards and values of all moves that
// follow. The end counts as a move without reward to a value of 0.
func byDefinition(rewards []float64, values []float32, lambda float64, horizon int) (mean float64) {
	last := min(horizon, len(rewards)+1)
	sum := 0.0
	for n := 1; n <= last; n++ {
		step := sum
		if n <= len(rewards) {
			sum += rewards[n-1]
			step = sum + float64(values[n-1])
		}
		share := math.Pow(lambda, float64(n-1))
		if n < last {
			share *= 1 - lambda
		}
		mean += share * step
	}
	return mean
}

// Playing and learning allocate no memory.
func TestAllocations(t *testing.T) {
	for _, lambda := range []float64{0, 0.5} {
		n := network(t, size4, "2x4")
		w := newThread(n, newCoherence(t, n, 1/float32(n.Features())))
		w.setReturn(lambda, 4)
		game := uint64(0)
		if got := testing.AllocsPerRun(10, func() {
			w.seed(1, game)
			game++
			w.play(w.fresh())
		}); got != 0 {
			t.Errorf("lambda %v: %v allocations a game", lambda, got)
		}
	}
}
