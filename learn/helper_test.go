package learn

import (
	"context"
	"math"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

var (
	size4 = bitboard.Size
	size3 = board.Size{Rows: 3, Cols: 3}
)

// allWeights returns a copy of the weights of a stage, table after table.
func allWeights(n *ntuple.Network, stage int) (all []float32) {
	for p := range n.Patterns {
		all = append(all, n.Table(stage, p)...)
	}
	return all
}

// network is a new network.
func network(t testing.TB, size board.Size, name string, stages ...ntuple.Stage) *ntuple.Network {
	t.Helper()
	l := must.Get(ntuple.ParseNetwork(size, name))(t)
	l.Stages = stages
	n := must.Get(ntuple.New(l))(t)
	t.Cleanup(n.Close)
	return n
}

// trainer is a new trainer.
func trainer(t testing.TB, o Options) *Trainer {
	t.Helper()
	tr := must.Get(New(o))(t)
	t.Cleanup(tr.Close)
	return tr
}

// train runs a trainer and returns the mean scores of its intervals.
func train(t testing.TB, o Options) (means []float64) {
	t.Helper()
	o.Report = func(i Interval) {
		t.Logf("%d games: %.0f, %.2f M moves/s", i.To, i.Fresh.MeanScore(), i.MovesPerSecond()/1e6)
		means = append(means, i.Fresh.MeanScore())
	}
	must.Do(t, trainer(t, o).Run(context.Background()))
	return means
}

// gamesIn are the games of a trainer on boards in words.
func gamesIn(tr *Trainer) *gamesOn[bitboard.Board] { return tr.games.(*gamesOn[bitboard.Board]) }

func newShared(rate float32) *shared {
	r := new(shared)
	r.set(rate)
	return r
}

func newCoherence(t testing.TB, n *ntuple.Network, rate float32) *coherence {
	t.Helper()
	sums, free, err := ntuple.NewStore[uint64](&n.Layout)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(free)
	return &coherence{n, newShared(rate), sums, newShared(float32(math.Inf(1)))}
}
