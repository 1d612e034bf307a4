// Package learntest makes small networks for tests.
package learntest

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Empty returns a network whose weights are zero. text is its name or its patterns, as for ntuple.ParseNetwork. The
// network is closed at the end of the test.
func Empty(t testing.TB, size board.Size, text string, stages ...ntuple.Stage) *ntuple.Network {
	t.Helper()
	l := must.Get(ntuple.ParseNetwork(size, text))(t)
	l.Stages = stages
	n := must.Get(ntuple.New(l))(t)
	t.Cleanup(n.Close)
	return n
}

// Random returns a network with random weights, which are the same in every call. Its values differ for any two boards.
// The network is closed at the end of the test.
func Random(t testing.TB, size board.Size, text string, stages ...ntuple.Stage) *ntuple.Network {
	t.Helper()
	n := Empty(t, size, text, stages...)
	random := rand.New(rand.NewPCG(4, 6))
	for s := range n.StageCount() {
		for p := range n.Patterns {
			w := n.Table(s, p)
			for i := range w {
				w[i] = float32(random.NormFloat64() * 100)
			}
		}
	}
	return n
}

var (
	mu      sync.Mutex
	trained = map[string]*ntuple.Network{}
)

// Trained returns a network that was trained for 300 games. All tests of a test binary share the network, so they must
// not change or close it.
func Trained(t testing.TB, size board.Size, text string) *ntuple.Network {
	t.Helper()
	mu.Lock()
	defer mu.Unlock()
	key := size.String() + " " + text
	if n := trained[key]; n != nil {
		return n
	}
	n := must.Get(ntuple.New(must.Get(ntuple.ParseNetwork(size, text))(t)))(t)
	tr := must.Get(learn.New(learn.Options{Network: n, Games: 300}))(t)
	defer tr.Close()
	must.Do(t, tr.Run(context.Background()))
	trained[key] = n
	return n
}
