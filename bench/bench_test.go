package bench_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"afterstate/bench"
	"afterstate/search"
)

// signature is what every build of this version prints. A change that was meant to
// change what a search finds or training learns changes it here too, and says so in
// CHANGELOG.md; a change that was meant to be faster only must leave it alone.
const signature = "58382ce36b638a78"

func TestSignature(t *testing.T) {
	got, err := bench.Signature(context.Background())
	if err != nil || got != signature {
		t.Errorf("signature %s, %v; want %s", got, err, signature)
	}
}

func TestSignatureStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if s, err := bench.Signature(ctx); err == nil {
		t.Errorf("a cancelled signature is %s", s)
	}
}

func TestMeasureSearch(t *testing.T) {
	s, err := bench.MeasureSearch(context.Background(), 50*time.Millisecond)
	if err != nil || s.MovesEvaluated < 1e5 || s.PlayedMoves < 1 {
		t.Errorf("measured %+v, %v", s, err)
	}
}

func TestMeasureTraining(t *testing.T) {
	for _, coherent := range []bool{false, true} {
		rate, err := bench.MeasureTraining(context.Background(), coherent, 50*time.Millisecond)
		if err != nil || rate < 1e4 {
			t.Errorf("coherent %v: %.0f moves a second, %v", coherent, rate, err)
		}
	}
}

func TestMeasurePlay(t *testing.T) {
	rate, err := bench.MeasurePlay(context.Background(), 50*time.Millisecond)
	if err != nil || rate < 1e4 {
		t.Errorf("%.0f moves a second, %v", rate, err)
	}
}

// What is measured stops when it is told to, and gives no figure.
func TestMeasuringStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, measure := range map[string]func() (float64, error){
		"td":   func() (float64, error) { return bench.MeasureTraining(ctx, false, time.Hour) },
		"tc":   func() (float64, error) { return bench.MeasureTraining(ctx, true, time.Hour) },
		"play": func() (float64, error) { return bench.MeasurePlay(ctx, time.Hour) },
	} {
		if rate, err := measure(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %.0f moves a second, %v", name, rate, err)
		}
	}
}

// The quick search that is measured decides like the anchor's.
func TestPlayedDecidesLikeTheAnchor(t *testing.T) {
	n := 60
	if testing.Short() {
		n = 20
	}
	lines, _ := search.CompileLines(bench.Anchor().Eval)
	slow, quick := search.NewExpectimax4(bench.Anchor(), lines), search.NewExpectimax4(bench.Played(), lines)
	same := 0
	var nodes [2]int64
	for _, b := range bench.Positions()[:n] {
		q := search.Query{}
		q.Board = b
		a, err := slow.Search(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		p, err := quick.Search(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		if a.Move == p.Move {
			same++
		}
		nodes[0] += a.Nodes
		nodes[1] += p.Nodes
	}
	if same < n*95/100 || nodes[1] > nodes[0]/3 {
		t.Errorf("%d of %d decisions are the same, with %d nodes against %d", same, n, nodes[1], nodes[0])
	}
}

func TestPositions(t *testing.T) {
	a, b := bench.Positions(), bench.Positions()
	if len(a) < 500 || len(a) != len(b) {
		t.Fatalf("%d and %d positions", len(a), len(b))
	}
	for i := range a {
		if a[i] != b[i] || a[i].Dead() {
			t.Fatalf("position %d is %v, then %v", i, a[i], b[i])
		}
	}
}
