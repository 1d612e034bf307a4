package explain

import (
	"math"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
	"github.com/afterstate2048/afterstate/search/solve"
)

// On solved sizes the exact values are added to the games, and agree with them: optimal play has the exact
// score, and no play makes a tile more often than the exact chance.
func TestExactOnSolvedSizes(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	b := must.Get(board.Parse("0,2,4/2,8,4"))(t)
	ask := func(spec string, o Options) Reasons {
		t.Helper()
		m := must.Get(catalog.Parse(spec, catalog.Capabilities{Networks: catalog.NoNetworks}))(t)
		return must.Get(Explain(t.Context(), m, search.NewQuery(b, 40), o))(t)
	}
	o := Options{Tiles: []uint8{6, 7}, Games: 1000, Seed: 3}
	a := ask("auto", o)
	moves := a.Wire().Why.Moves
	for d, want := range map[board.Direction]float64{board.Up: 450.198474, board.Down: 458.654167, board.Left: 446.138642} {
		x := moves[d].Exact
		if x.Score == nil || math.Abs(*x.Score-40-want) > 1e-5 {
			t.Errorf("%v: exact score %v, want %v", d, x.Score, 40+want)
		}
		if ci := a.Odds.Moves[d].Score.Interval(); *x.Score < ci.Low-2*(ci.High-ci.Low) || *x.Score > ci.High+2*(ci.High-ci.Low) {
			t.Errorf("%v: exact score %v, the games of perfect have %v", d, *x.Score, ci)
		}
		if len(x.Chances) != 4 || x.Chances[0].Tile != 16 || x.Chances[0].Value != 1 {
			t.Errorf("%v: %v", d, x.Chances)
		}
		for i, e := range []uint8{6, 7} {
			share, ci, _ := a.Odds.Chance(d, e)
			if maximum := x.Chances[2+i].Value; share > maximum+2*(ci.High-ci.Low) {
				t.Errorf("%v: %d in %v of the games, at most %v is possible", d, board.Tile(e), share, maximum)
			}
		}
	}
	if _, legal := moves[board.Right]; legal || len(moves) != 3 {
		t.Errorf("%d moves are legal: %v", len(moves), moves)
	}
	var text strings.Builder
	must.Do(t, WriteReasons(&text, &a))
	for _, want := range []string{
		"exact: the maximum chance of each tile, by play that aims only at it; the expected final score of optimal play",
		"> down  100 %  99.9688 %  93.6193 %  5.6739 %  498.65",
	} {
		if !strings.Contains(strings.Join(strings.Fields(text.String()), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("%s\nlacks %q", &text, want)
		}
	}

	// A search has no exact score. Other spawns have other chances.
	greedy := ask("greedy", o)
	if x := greedy.Wire().Why.Moves[board.Down].Exact; x.Score != nil || math.Abs(x.Chances[2].Value-0.936193) > 1e-6 {
		t.Errorf("greedy: %+v", x)
	}
	o.P4 = 0.3
	table := must.Get(solve.Solve(t.Context(), solve.Problem{Size: b.Size(), Goal: 64, P4: o.P4}, solve.Options{}))(t)
	best := must.Get(table.Moves(&b))(t)
	if x := ask("greedy", o).Chances; x[2].Tile != 64 || x[2].Moves != best {
		t.Errorf("with more fours: %+v, want %v", x[2], best)
	}

	// Sizes that are not solved have no exact values.
	b = must.Get(board.Parse("2,4,0/0,2,0/0,0,0"))(t)
	unknown := ask("greedy", Options{Games: 2})
	if x := unknown.Wire().Why.Moves[board.Down].Exact; x != nil {
		t.Errorf("3x3: %v", x)
	}
}

// Moves with equal exact values are no disagreement, whatever the games have.
func TestVerdictOfTies(t *testing.T) {
	b, err := board.Parse("2,4,8/2,4,8") // up mirrors down
	if err != nil {
		t.Fatal(err)
	}
	m := must.Get(catalog.Parse("auto", catalog.Capabilities{Networks: catalog.NoNetworks}))(t)
	others := 0 // answers in which games after another move were better
	for seed := range uint64(20) {
		a := must.Get(Explain(t.Context(), m, search.NewQuery(b, 0), Options{Tiles: []uint8{6}, Games: 10, Seed: seed}))(t)
		if v, ok := a.Odds.Compare(a.Decision.Move); ok && !v.Agree() {
			others++
		}
		if v, ok := a.Verdict(); !ok || !v.Agree() || v.Trusted != a.Decision.Move {
			t.Errorf("seed %d: %+v, %v", seed, v, ok)
		}
	}
	if others == 0 {
		t.Error("the games had the player's move as their best in all answers")
	}
}
