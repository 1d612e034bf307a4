package arena_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search/solve"
)

// A player's mean score and its regret add up to the expected score of optimal play, and optimal
// play has none.
func TestRegret(t *testing.T) {
	size := board.Size{Rows: 2, Cols: 3}
	table, err := solve.Solve(context.Background(), solve.Problem{Size: size, P4: game.P4}, solve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	exp := arena.RunOptions{Size: size, Seed: 3, Games: soak.Count(1000, 50_000), Exact: table}
	for _, spec := range []string{"perfect", "greedy", "random"} {
		m, err := catalog.Parse(spec, catalog.Capabilities{})
		if err != nil {
			t.Fatal(err)
		}
		exp.Players = append(exp.Players, m)
	}
	results, err := arena.Run(context.Background(), exp, nil)
	if err != nil {
		t.Fatal(err)
	}
	report := results.Statistics()
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
		if perfect := p.Name == "perfect"; (r.PerGame == 0) != perfect || (r.BestMoves == 1) != perfect || math.Abs(float64(r.Share)*table.Start()-float64(r.PerGame)) > 1e-9 {
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
	players := []catalog.Maker{greedy}
	for _, size := range []board.Size{{Rows: 2, Cols: 2}, {Rows: 2, Cols: 3}} {
		if _, err := arena.Run(context.Background(), arena.RunOptions{Players: players, Size: size, Seed: 1, Games: 1, Exact: table}, nil); err == nil {
			t.Errorf("%v: no error", size)
		}
	}
}

// From start boards, mean score and regret add up to the mean value of the boards. Boards that the
// table does not have, and games that stop early, are refused.
func TestRegretFromStarts(t *testing.T) {
	size := board.Size{Rows: 2, Cols: 3}
	table, err := solve.Solve(context.Background(), solve.Problem{Size: size, P4: game.P4}, solve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	perfect, err := catalog.Parse("perfect", catalog.Capabilities{})
	if err != nil {
		t.Fatal(err)
	}
	starts := func(texts ...string) (all []arena.Start) {
		for _, text := range texts {
			b, err := board.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, arena.Start{Board: b})
		}
		return all
	}
	exp := arena.RunOptions{
		Players: []catalog.Maker{perfect},
		Seed:    5, Games: 2001, Exact: table, Starts: starts("64,32,16/0,4,8", "2,4,0/0,0,2"),
	}
	results, err := arena.Run(context.Background(), exp, nil)
	if err != nil {
		t.Fatal(err)
	}
	var want, sum, squares float64
	for i, weight := range []float64{1001. / 2001, 1000. / 2001} {
		v, err := table.Value(&exp.Starts[i].Board)
		if err != nil {
			t.Fatal(err)
		}
		want += weight * v
	}
	for i, g := range results.Players[0].Games {
		v, _ := table.Value(&exp.Starts[i%2].Board)
		x := float64(g.Score) - v
		sum, squares = sum+x, squares+x*x
	}
	if report := results.Statistics(); math.Abs(report.Optimal-want) > 1e-9 || report.Players[0].Regret.PerGame != 0 {
		t.Errorf("optimum %v, want %v; regret %+v", report.Optimal, want, report.Players[0].Regret)
	}
	if n := float64(exp.Games); math.Abs(sum/n) > 4*math.Sqrt(squares)/n {
		t.Errorf("scores are %v away from the values", sum/n)
	}
	const early = "the exact values are for games that are played to the end, not to a tile or a goal"
	for _, c := range []struct {
		want   string
		change func(*arena.RunOptions)
	}{
		{early, func(e *arena.RunOptions) { e.Stop.Tile = 1024 }},
		{early, func(e *arena.RunOptions) { e.Stop.Tile, e.Goal = 1024, true }},
		{"start board 2, 64,64,64/64,64,0: the board cannot come up", func(e *arena.RunOptions) {
			e.Starts = starts("2,4,0/0,0,2", "64,64,64/64,64,0")
		}},
		{"no game from the start boards can score: there is nothing to judge", func(e *arena.RunOptions) {
			e.Starts = starts("64,32,8/16,2,0")
		}},
	} {
		wrong := exp
		c.change(&wrong)
		if _, err := arena.Run(context.Background(), wrong, nil); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
