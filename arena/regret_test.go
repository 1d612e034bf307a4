package arena_test

import (
	"context"
	"math"
	"testing"

	"afterstate/arena"
	"afterstate/board"
	"afterstate/game"
	"afterstate/internal/soak"
	"afterstate/player"
	"afterstate/player/catalog"
	"afterstate/solve"
)

// A player's mean score and its regret add up to the expected score of optimal play, and optimal
// play has none.
func TestRegret(t *testing.T) {
	size := board.Size{Rows: 2, Cols: 3}
	table, err := solve.Solve(context.Background(), solve.Problem{Size: size, P4: game.P4}, solve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	exp := arena.Experiment{Size: size, Seed: 3, Games: soak.Count(1000, 50_000), Exact: table}
	for _, spec := range []string{"perfect", "greedy", "random"} {
		m, err := catalog.Parse(spec, catalog.Capabilities{})
		if err != nil {
			t.Fatal(err)
		}
		exp.Players = append(exp.Players, arena.Entrant{Name: spec, New: func() (player.Player, error) { return m.New(), nil }})
	}
	results, err := arena.Run(context.Background(), exp, nil)
	if err != nil {
		t.Fatal(err)
	}
	report := results.Report()
	if report.Optimal != table.Start() {
		t.Errorf("optimal score %v, want %v", report.Optimal, table.Start())
	}
	for i, p := range results.Players {
		var sum, squares float64
		for _, g := range p.Games {
			x := float64(g.Score) + g.Regret.Points
			sum, squares = sum+x, squares+x*x
			if g.Regret.Best > g.Moves || g.Regret.Points < 0 {
				t.Fatalf("%s: %+v", p.Name, g)
			}
		}
		n := float64(len(p.Games))
		mean := sum / n
		if half := 4 * math.Sqrt((squares/n-mean*mean)/n); math.Abs(mean-table.Start()) > half {
			t.Errorf("%s: score and regret are %v +- %v together, want %v", p.Name, mean, half, table.Start())
		}
		r := report.Players[i].Regret
		if perfect := p.Name == "perfect"; (r.PerGame == 0) != perfect || (r.BestShare == 1) != perfect || math.Abs(r.Share*table.Start()-r.PerGame) > 1e-9 {
			t.Errorf("%s: %+v", p.Name, r)
		}
	}
}

// A table for other games is refused.
func TestRegretOfOtherGames(t *testing.T) {
	table, err := solve.Solve(context.Background(), solve.Problem{Size: board.Size{Rows: 2, Cols: 2}, P4: 0.2}, solve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	greedy, err := catalog.Parse("greedy", catalog.Capabilities{})
	if err != nil {
		t.Fatal(err)
	}
	players := []arena.Entrant{{Name: "greedy", New: func() (player.Player, error) { return greedy.New(), nil }}}
	for _, size := range []board.Size{{Rows: 2, Cols: 2}, {Rows: 2, Cols: 3}} {
		if _, err := arena.Run(context.Background(), arena.Experiment{Players: players, Size: size, Seed: 1, Games: 1, Exact: table}, nil); err == nil {
			t.Errorf("%v: no error", size)
		}
	}
}
