package draw

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/search"
)

// Pictures show an estimate below 0 points as 0; JSON keeps it.
func TestPointsBelowZero(t *testing.T) {
	e := stubPoints{}
	s := search.NewExpectimax(search.ExpectimaxOptions{Eval: e, Plies: 1})
	tree := must.Get(s.Tree(t.Context(), search.Query{Position: position(t, "2,2/0,4", 0)}, search.TreeOptions{}))(t)
	p := &Picture{Tree: tree, Player: "stub", Unit: e.Unit(), Source: "search"}
	for name, write := range map[string]func(io.Writer) error{"svg": p.WriteSVG, "json": p.WriteJSON} {
		var out bytes.Buffer
		must.Do(t, write(&out))
		text := strings.NewReplacer("\u2212", "-", ",", "").Replace(out.String())
		if exact := strings.Contains(text, "-42300") || strings.Contains(text, "-42296"); exact != (name == "json") {
			t.Errorf("%s: shows the estimate below 0: %v", name, exact)
		}
	}
}

type stubPoints struct{}

func (stubPoints) Unit() eval.Unit              { return eval.Points }
func (stubPoints) Value(*eval.Position) float64 { return -42300 }
