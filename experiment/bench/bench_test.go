package bench_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/experiment/bench"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/search"
)

// signature is the signature of every build of this version. An intended change of what a search
// finds or training learns changes it here, and its commit says so; an optimization must not
// change it.
const signature = "58382ce36b638a78"

func TestSignature(t *testing.T) {
	t.Parallel()
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
	var s bench.Speeds
	err := bench.MeasureSearch(context.Background(), time.Millisecond, &s)
	if err != nil || s.MovesEvaluated <= 0 || s.SearchPlayed <= 0 {
		t.Errorf("measured %+v, %v", s, err)
	}
}

func TestMeasureTraining(t *testing.T) {
	soak.Full(t, "makes large tables; TestScripts/engine of package cli measures training")
	t.Parallel()
	for _, coherent := range []bool{false, true} {
		rate, err := bench.MeasureTraining(context.Background(), coherent, time.Millisecond)
		if err != nil || rate <= 0 {
			t.Errorf("coherent %v: %.0f moves a second, %v", coherent, rate, err)
		}
	}
}

func TestMeasurePlay(t *testing.T) {
	soak.Full(t, "trains a network first; TestScripts/engine of package cli has the other measurements")
	t.Parallel()
	rate, err := bench.MeasurePlay(context.Background(), time.Millisecond)
	if err != nil || rate <= 0 {
		t.Errorf("%.0f moves a second, %v", rate, err)
	}
}

// The measurements of the command bench, as a benchmark.
func BenchmarkMeasure(b *testing.B) {
	const each = time.Second
	report := func(unit string, measure func() (float64, error)) {
		b.Run(unit, func(b *testing.B) {
			sum := 0.0
			for b.Loop() {
				rate, err := measure()
				if err != nil {
					b.Fatal(err)
				}
				sum += rate
			}
			b.ReportMetric(sum/float64(b.N), unit)
		})
	}
	report("evaluated/s", func() (float64, error) {
		var s bench.Speeds
		err := bench.MeasureSearch(b.Context(), each, &s)
		return s.MovesEvaluated, err
	})
	report("td-moves/s", func() (float64, error) { return bench.MeasureTraining(b.Context(), false, each) })
	report("tc-moves/s", func() (float64, error) { return bench.MeasureTraining(b.Context(), true, each) })
	report("play-moves/s", func() (float64, error) { return bench.MeasurePlay(b.Context(), each) })
}

// A measurement stops when its context ends, and returns no figure.
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

// PlayingSearch decides like ReferenceSearch.
func TestPlayedDecidesLikeTheAnchor(t *testing.T) {
	t.Parallel()
	n := soak.Count(10, 60)
	lines, _ := search.CompileLines(bench.ReferenceSearch().Eval)
	slow, quick := search.NewExpectimax4(bench.ReferenceSearch(), lines), search.NewExpectimax4(bench.PlayingSearch(), lines)
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
		if a[i] != b[i] || a[i].Terminal() {
			t.Fatalf("position %d is %v, then %v", i, a[i], b[i])
		}
	}
}
