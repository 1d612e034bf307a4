package learn

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// taught returns a network that was trained for some games, with the rate annealed at the end.
func taught(t *testing.T, name string, games uint64, stages ...ntuple.Stage) *ntuple.Network {
	t.Helper()
	n := network(t, size4, name, stages...)
	train(t, Options{Network: n, Coherent: true, Games: games, Anneal: games / 2, ReportEvery: games})
	return n
}

// With OnlyKnown, weights of zero stay zero and the others learn.
func TestOnlyKnown(t *testing.T) {
	for _, kernel := range []bool{true, false} {
		for _, settled := range []float64{0, 100} {
			n := taught(t, "2x4", 100)
			for p := range n.Patterns { // as quantizing to a limited size does
				for i, w := range n.Table(0, p) {
					if i%3 == 0 && w != 0 {
						n.Table(0, p)[i] = 0
					}
				}
			}
			if !kernel {
				n.DisableKernel()
			}
			before := allWeights(n, 0)
			train(t, Options{Network: n, Coherent: true, OnlyKnown: true, Settled: settled, Games: 50, ReportEvery: 50})
			changed := 0
			for i, w := range allWeights(n, 0) {
				if before[i] == 0 && w != 0 {
					t.Fatalf("kernel %v, settled %v: weight %d was zero and is %v", kernel, settled, i, w)
				}
				if w != before[i] {
					changed++
				}
			}
			if changed < 500 {
				t.Errorf("kernel %v, settled %v: %d weights have changed", kernel, settled, changed)
			}
		}
	}
	if err := (&Options{Network: network(t, size4, "2x4"), OnlyKnown: true}).fill(); err == nil {
		t.Error("OnlyKnown is accepted without Coherent")
	}
}

// The first step of a settled network moves learned weights by at most 1/sqrt(Settled) of the full
// step, and weights that were not learned by all of it.
func TestSettledStep(t *testing.T) {
	const updates = 400
	stages := []ntuple.Stage{{}, {7}}
	for _, kernel := range []bool{true, false} {
		n := taught(t, "2x4", 100, stages...)
		if !kernel {
			n.DisableKernel()
		}
		// The second stage is new: its weights are promoted from the first.
		for p := range n.Patterns {
			clear(n.Table(1, p))
		}
		full := 1000 / float32(n.Features())
		for _, b := range []bitboard.Board{0x0000000000112345, 0x0000000000112347, 0x00a0b00000d00c00} {
			tr := trainer(t, Options{Network: n, Coherent: true, Settled: updates})
			p := features{stage: n.Stage(b), at: make([]ntuple.SymIndices, len(n.Patterns))}
			n.Indices(p.at, b)
			n.Promote(p.stage, p.at) // as the step does before it reads
			before := allWeights(n, p.stage)
			visits := map[int]int{}
			for k := range p.at {
				for _, i := range p.at[k] {
					visits[k*n.Patterns[0].Entries()+int(i)]++
				}
			}
			learned := make(map[int]bool, len(visits))
			for i := range visits {
				learned[i] = before[i] != 0
			}
			tr.step.set(1 / float32(n.Features()))
			tr.learner.update(&p, n.Sum(p.stage, p.at)+1000)
			after := allWeights(n, p.stage)
			for i, times := range visits {
				step, want := after[i]-before[i], full*float32(times)
				if learned[i] {
					want /= float32(math.Sqrt(updates))
				}
				if math.Abs(float64(step-want)) > 0.01*float64(want) {
					t.Errorf("kernel %v, board %v, weight %d, learned %v: a step of %v, want %v", kernel, b, i, learned[i], step, want)
				}
			}
		}
	}
}

// Initial sums are in units of the network's own errors.
func TestTypicalError(t *testing.T) {
	n := taught(t, "2x4", 300)
	before := n.Checksum()
	for _, lambda := range []float64{0, 0.5} {
		tr := trainer(t, Options{Network: n, Coherent: true, Lambda: lambda})
		got := float64(tr.typicalError())
		if n.Checksum() != before {
			t.Fatal("measuring errors has changed the weights")
		}
		must.Equal(t, float64(tr.typicalError()), got, "lambda", lambda)
		// What training accumulates for each update, with steps that move nothing.
		tr.step.set(0)
		w := gamesIn(tr).thread()
		moves := 0
		for game := range uint64(200) {
			w.seed(4, game)
			moves += w.play(w.fresh()).Moves
		}
		var total float64
		for _, s := range slices.Concat(tr.sums.sums.Tables[0]...) {
			_, size := unpair(s)
			total += float64(size)
		}
		if want := total / float64(moves) / float64(n.Features()); math.Abs(got/want-1) > 0.1 {
			t.Errorf("lambda %v: typical error %v, training accumulates %v", lambda, got, want)
		}
	}
}

// A warm start loses no strength. Without settled sums it does.
func TestWarmStart(t *testing.T) {
	soak.Full(t, "trains 3,400 games and plays 3,000; TestSettledStep has the first step")
	n := taught(t, "5x4", 3000)
	mean := func(n *ntuple.Network) float64 {
		games := must.Get(Play(context.Background(), PlayOptions{Network: n, Seed: 99, Games: 1000}))(t)
		sum := 0.0
		for _, g := range games {
			sum += float64(g.Score)
		}
		return sum / float64(len(games))
	}
	after := func(settled float64) float64 {
		c := must.Get(n.Copy())(t)
		defer c.Close()
		train(t, Options{Network: c, Coherent: true, Settled: settled, Games: 200, ReportEvery: 200, History: []ntuple.Training{{Games: 3000}}})
		return mean(c)
	}
	before, settled, anew := mean(n), after(1e4), after(0)
	t.Logf("mean %.0f; 200 games later %.0f, without settled sums %.0f", before, settled, anew)
	if settled < 0.98*before || anew > 0.93*before {
		t.Errorf("mean %.0f; 200 games later %.0f, without settled sums %.0f", before, settled, anew)
	}
}

// The rate falls linearly, is constant before, and a training that is stopped in between ends as if
// it had not been.
func TestAnneal(t *testing.T) {
	tr := trainer(t, Options{Network: network(t, size3, "2x3"), Rate: 0.2, Games: 100, Anneal: 40})
	for game, want := range map[uint64]float64{0: 0.2, 60: 0.2, 80: 0.1, 99: 0.2 / 40} {
		if got := float64(tr.rate(game)) * float64(tr.o.Network.Features()); math.Abs(got-want) > 1e-6 {
			t.Errorf("game %d: rate %v, want %v", game, got, want)
		}
	}
	file := filepath.Join(t.TempDir(), "run")
	o := Options{Network: network(t, size3, "2x3"), Coherent: true, Games: 60, Anneal: 60, Checkpoint: file}
	whole := runs(t, trainer(t, o))
	steady := o
	steady.Network, steady.Anneal = network(t, size3, "2x3"), 0
	if weights(runs(t, trainer(t, steady))) == weights(whole) {
		t.Error("the rate does not fall")
	}
	o.Network = network(t, size3, "2x3")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o.ReportEvery, o.Report = 25, func(Interval) { cancel() }
	must.Do(t, trainer(t, o).Run(ctx))
	if got := runs(t, resume(t, file, Options{Games: 60}, nil)); weights(got) != weights(whole) {
		t.Error("a stopped training ends with other weights")
	}
	must.Equal(t, whole.History()[0].Options, "seed=0 threads=1 coherent rate=1 anneal=60")
}

// Weights above the limit keep their values and sums, and all others learn. An update with due set changes all weights.
func TestSettledWeights(t *testing.T) {
	const limit, large = 1000, 5000
	for _, kernel := range []bool{true, false} {
		for _, due := range []bool{false, true} {
			n := taught(t, "5x4", 20)
			if !kernel {
				n.DisableKernel()
			}
			c := newCoherence(t, n, 0.01)
			c.limit.set(limit)
			p := features{stage: 0, at: make([]ntuple.SymIndices, len(n.Patterns)), due: due}
			n.Indices(p.at, 0x0100203004567012)
			settled := map[[2]int]bool{}
			for k := range p.at { // from none to all weights of a pattern
				for s, i := range p.at[k] {
					c.sums.Tables[0][k][i] = pair(limit, limit)
					if s >= 8-2*k {
						settled[[2]int{k, int(i)}] = true
					}
				}
			}
			for at := range settled {
				c.sums.Tables[0][at[0]][at[1]] = pair(large, large)
			}
			before := allWeights(n, 0)
			c.update(&p, n.Sum(0, p.at)+100)
			after, from, checked := allWeights(n, 0), 0, 0
			for k := range p.at {
				for _, i := range p.at[k] {
					_, total := unpair(c.sums.Tables[0][k][i])
					was := float32(limit)
					if settled[[2]int{k, int(i)}] {
						was = large
					}
					stays := was == large && !due
					if changed := after[from+int(i)] != before[from+int(i)]; changed == stays || total > was == stays {
						t.Errorf("kernel %v, due %v, pattern %d, weight %d of errors %v: changed %v, errors %v", kernel, due, k, i, was, changed, total)
					}
					checked++
				}
				from += len(n.Table(0, k))
			}
			if checked != 40 || len(settled) < 10 || len(settled) > 30 {
				t.Errorf("%d weights, %d settled", checked, len(settled))
			}
		}
	}
}

// The limit of several threads follows the mean error of the training.
func TestSettledLimit(t *testing.T) {
	for threads := range 3 {
		tr := runs(t, trainer(t, Options{Network: network(t, size3, "2x3"), Coherent: true, Games: 20, Threads: threads}))
		tr.end = 21
		_, ok := tr.take()
		mean := tr.errors / float64(tr.updates)
		want := float32(settledErrors * mean)
		if threads < 2 {
			want = float32(math.Inf(1))
		}
		if got := tr.sums.limit.get(); !ok || mean < 1 || mean > 1000 || got != want {
			t.Errorf("%d threads: mean error %v, limit %v", threads, mean, got)
		}
	}
}
