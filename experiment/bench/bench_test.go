package bench_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/experiment/bench"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/search"
)

// signature is the signature of every build of this version. An intended change of what a search
// finds or training learns changes it here, and its commit says so; an optimization must not
// change it.
const signature = "2e73d396403a4504"

func TestSignature(t *testing.T) {
	t.Parallel()
	got, err := bench.Signature(context.Background())
	if err != nil || got != signature {
		t.Errorf("signature %s, %v; want %s", got, err, signature)
	}
}

// Each part measures its speeds.
func TestMeasure(t *testing.T) {
	for _, p := range bench.Parts() {
		if p.Memory > 0 && !soak.Wanted() {
			continue // TestScripts/engine of package cli measures training, in large tables
		}
		var s bench.Speeds
		if err := p.Measure(context.Background(), time.Millisecond, &s); err != nil || s == (bench.Speeds{}) {
			t.Errorf("%s: %+v, %v", p.Name, s, err)
		}
	}
}

// A measurement stops when its context ends, and so does the signature.
func TestMeasuringStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, p := range bench.Parts() {
		if err := p.Measure(ctx, time.Hour, new(bench.Speeds)); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	if s, err := bench.Signature(ctx); err == nil {
		t.Errorf("a cancelled signature is %s", s)
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
		a := must.Get(slow.Search(context.Background(), q))(t)
		p := must.Get(quick.Search(context.Background(), q))(t)
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

// docs/positions.txt, which commands in docs/search.md read, has the first hundred positions.
func TestPositionsFile(t *testing.T) {
	data := must.Get(os.ReadFile("../../docs/positions.txt"))(t)
	var want strings.Builder
	for _, b := range bench.Positions()[:100] {
		want.WriteString(b.String() + "\n")
	}
	if string(data) != want.String() {
		t.Error("docs/positions.txt is stale: write the first hundred of bench.Positions")
	}
}
