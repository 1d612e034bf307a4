package learn

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/afterstate2048/afterstate/eval/endings"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
)

// endingNetwork is a new network for endings with fewest walls or more.
func endingNetwork(t testing.TB, name string, fewest int) *ntuple.Network {
	t.Helper()
	l := must.Get(ntuple.EndingLayout(must.Get(ntuple.Named(size4, name))(t), fewest))(t)
	n := must.Get(ntuple.New(l))(t)
	t.Cleanup(n.Close)
	n.Bias = 1
	return n
}

func endingOptions(n *ntuple.Network, games uint64) Options {
	return Options{Network: n, Coherent: true, Games: games, Seed: 3, Lambda: 0.5, RestartShare: 0.1, JoinEvery: games / 3, ReportEvery: games / 10}
}

// A small network with optimistic initialization learns to complete endings, which random play almost never does.
func TestEndingsAreLearned(t *testing.T) {
	soak.Full(t, "it plays 300,000 games; TestEndingsJoin learns a little, and package champion plays what was learned")
	o := endingOptions(endingNetwork(t, "5x4", 6), 300_000)
	var shares []float64
	o.Report = func(i Interval) { shares = append(shares, i.Restarted.Reached(endings.Tile)) }
	runs(t, trainer(t, o))
	if first, last := shares[0], shares[len(shares)-1]; first > 0.02 || last < 0.05 {
		t.Errorf("shares of complete endings %.3f, want from 0 to more than 0.05", shares)
	}
}

// Games pass through the endings, which are added one after another. Intervals count games by the tile sum of their
// start.
func TestEndingsJoin(t *testing.T) {
	o := endingOptions(endingNetwork(t, "2x4", 4), 3000)
	var sums [][]uint64
	o.Report = func(i Interval) {
		var s []uint64
		for _, start := range i.Starts {
			s = append(s, start.TileSum)
		}
		sums = append(sums, s)
	}
	runs(t, trainer(t, o))
	if first := sums[0]; len(first) != 1 || first[0] != 32256 {
		t.Errorf("first interval: games from sums %d, want 32256 alone", first)
	}
	if last := sums[len(sums)-1]; len(last) != 3 || last[0] != 30720 || last[1] != 31744 || last[2] != 32256 {
		t.Errorf("last interval: games from sums %d, want 30720, 31744 and 32256", last)
	}
	for stage, condition := range o.Network.Stages {
		learned := 0
		for _, w := range allWeights(o.Network, stage) {
			if w != 0 {
				learned++
			}
		}
		// Few games complete the chain, or come far in an ending.
		if plain := len(condition) > 0 && condition[len(condition)-1] == endings.Wall; plain && learned < 1000 {
			t.Errorf("stage %d has %d weights", stage, learned)
		}
	}
}

// The value of a board with a 32768 stays 1, since its weight is never trained.
func TestMadeIsNotLearned(t *testing.T) {
	n := endingNetwork(t, "2x4", 5)
	runs(t, trainer(t, endingOptions(n, 2000)))
	must.Equal(t, n.Value(endings.Tile), 1, "a 32768 is worth")
}

func TestEndingsResume(t *testing.T) {
	checkpoint := filepath.Join(t.TempDir(), "checkpoint")
	o := endingOptions(endingNetwork(t, "2x4", 5), 600)
	whole := runs(t, trainer(t, o))
	o.Network, o.Games, o.Checkpoint = endingNetwork(t, "2x4", 5), 300, checkpoint
	runs(t, trainer(t, o))
	rest := runs(t, resume(t, checkpoint, Options{Games: 600}, nil))
	if weights(rest) != weights(whole) || rest.all != whole.all {
		t.Errorf("resumed: weights %#x, %+v\nwhole: %#x, %+v", weights(rest), rest.all, weights(whole), whole.all)
	}
}

// The assembly kernel makes the same updates as the Go reference.
func TestEndingsKernel(t *testing.T) {
	n, plain := endingNetwork(t, "5x4", 5), endingNetwork(t, "5x4", 5)
	plain.DisableKernel()
	runs(t, trainer(t, endingOptions(n, 300)))
	runs(t, trainer(t, endingOptions(plain, 300)))
	must.Equal(t, n.Checksum(), plain.Checksum(), "checksums")
}

// With an ending network Play plays endings; the score of a won ending is 1.
func TestEndingsPlay(t *testing.T) {
	n := endingNetwork(t, "2x4", 6)
	games := must.Get(Play(context.Background(), PlayOptions{Network: n, Seed: 1, Games: 50}))(t)
	for i, g := range games {
		large := g.Final.Largest()
		if g.Score != 0 && large != endings.Tile || g.Score == 0 && large != endings.LargestWall || g.Moves == 0 {
			t.Errorf("game %d: %+v", i, g)
		}
	}
}

func TestEndingsAllocateNothing(t *testing.T) {
	n := endingNetwork(t, "5x4", 6)
	w := gamesIn(trainer(t, endingOptions(n, 1))).thread()
	start := endings.Start(6, rand.NewPCG(1, 1))
	games := uint64(0)
	if a := testing.AllocsPerRun(50, func() {
		w.seed(1, games)
		games++
		w.play(start)
	}); a > 1 { // the pool grows now and then
		t.Errorf("%v allocations a game", a)
	}
}
