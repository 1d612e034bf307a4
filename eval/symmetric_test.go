package eval_test

import (
	"math"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"

	"pgregory.net/rapid"
)

// Evaluators that report symmetry are symmetric, and those with a snake do not report it.
func TestSymmetric(t *testing.T) {
	snakes := map[string]bool{"snake": true, "snake-empty": true, "weighted-snake": true}
	for _, name := range eval.Names() {
		e := must.Get(eval.New(name))(t)
		if eval.IsSymmetric(e) == snakes[name] {
			t.Errorf("%s: symmetric is %v", name, eval.IsSymmetric(e))
		}
		if snakes[name] {
			continue
		}
		rapid.Check(t, func(t *rapid.T) {
			p := anyPosition(t)
			want := e.Value(p)
			for _, image := range p.Board.Symmetries() {
				got := e.Value(&eval.Position{Board: image, Score: p.Score})
				if math.Abs(got-want) > 1e-9*max(1, math.Abs(want)) {
					t.Fatalf("%s: %v has value %v, its image %v has value %v", name, p.Board, want, image, got)
				}
			}
		})
	}
	for names, want := range map[[2]string]bool{{"empty", "smoothness"}: true, {"empty", "snake"}: false} {
		sum := must.Get(eval.NewSum(names[:], []float64{1, 2}))(t)
		must.Equal(t, eval.IsSymmetric(sum), want, "symmetric: a sum of", names)
	}
}
