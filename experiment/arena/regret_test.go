package arena_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
	"github.com/afterstate2048/afterstate/search/solve"
)

// A player's mean score and its regret add up to the expected score of optimal play, and optimal
// play has none.
func TestRegret(t *testing.T) {
	size := board.Size{Rows: 2, Cols: 3}
	table := must.Get(solve.Solve(context.Background(), solve.Problem{Size: size, P4: game.P4}, solve.Options{}))(t)
	exp := arena.RunOptions{Size: size, Seed: 3, Games: soak.Count(1000, 50_000), Exact: table}
	for _, spec := range []string{"perfect", "greedy", "random"} {
		m := must.Get(catalog.Parse(spec, catalog.Capabilities{}))(t)
		exp.Players = append(exp.Players, m)
	}
	results := must.Get(arena.Run(context.Background(), exp, nil))(t)
	report := results.Statistics()
	must.Equal(t, report.Optimal, table.Start, "optimal score")
	for i, p := range results.Players {
		var sum, squares float64
		for _, g := range p.Games {
			x := float64(g.Score) + g.Regret.Lost
			sum, squares = sum+x, squares+x*x
			if g.Regret.Best > g.Moves || g.Regret.Lost < 0 {
				t.Fatalf("%s: %+v", p.Name, g)
			}
		}
		n := float64(len(p.Games))
		mean := sum / n
		if half := 4 * math.Sqrt((squares/n-mean*mean)/n); math.Abs(mean-table.Start) > half {
			t.Errorf("%s: score and regret are %v +- %v together, want %v", p.Name, mean, half, table.Start)
		}
		r := report.Players[i].Regret
		if perfect := p.Name == "perfect"; (r.PerGame == 0) != perfect || (r.BestMoves == 1) != perfect || math.Abs(float64(r.Share)*table.Start-float64(r.PerGame)) > 1e-9 {
			t.Errorf("%s: %+v", p.Name, r)
		}
	}
}

// In an ending, moves are judged until the goal is made or a move shifts the walls. The chance that a player loses, and the
// chance at the end of judging, add up to the chance at the start.
func TestRegretOfEnding(t *testing.T) {
	table := must.Get(solve.Folder(t.TempDir()).Solve(context.Background(), solve.Problem{Walls: "####/####/##..", Goal: 32, P4: game.P4}, solve.Options{}))(t)
	defer table.Close()
	start, err := board.Parse("2048,1024,512,256/16384,128,8192,64/4096,32768,2,0/0,0,0,2") // ten walls
	if err != nil {
		t.Fatal(err)
	}
	setup := arena.Setup{Size: start.Size(), Seed: 1, Starts: arena.NewStarts([]arena.Start{{Board: start}})}
	want, err := table.Value(&start)
	if _, wrong := setup.Optimum(table, 1); err != nil || wrong != nil {
		t.Fatal(err, wrong)
	}
	games := soak.Count(2000, 50_000)
	var sum, squares float64
	left, made := 0, 0
	for i := range uint64(games) {
		g := must.Get(game.New(game.Options{Size: start.Size(), Board: start, Spawner: game.NewRandom(1, i, game.P4)}))(t)
		var moves []board.Direction
		end := math.NaN() // chance where judging ends
		lost, best := 0.0, 0
		choose := rand.New(rand.NewPCG(7, i))
		for b := g.Board(); !b.Terminal(); b = g.Board() {
			legal := b.Legal()
			d := legal[choose.IntN(len(legal))]
			if len(moves) < 5 { // later moves are random
				values, err := table.Moves(&b)
				if err != nil {
					break // the goal is made
				}
				for other, m := range values {
					if m.Legal && (m.Value > values[d].Value || math.IsNaN(values[d].Value)) && !math.IsNaN(m.Value) {
						d = board.Direction(other)
					}
				}
			}
			if math.IsNaN(end) {
				v := must.Get(table.Value(&b))(t)
				values, err := table.Moves(&b)
				switch {
				case table.Made(&b):
					end, made = 1, made+1
				case err != nil:
					t.Fatal(err)
				case math.IsNaN(values[d].Value):
					end, left = v, left+1
				default:
					if lost += v - values[d].Value; v-values[d].Value < 1e-7 {
						best++
					}
				}
			}
			moves = append(moves, d)
			must.Do(t, g.Move(d))
		}
		over := g.Board()
		if math.IsNaN(end) {
			end = 0
			if table.Made(&over) {
				end, made = 1, made+1
			}
		}
		r := arena.Recorded{Outcome: arena.Outcome{Seed: 1, Index: i, Score: g.Score(), Largest: over.Largest(), Moves: len(moves)}, Trace: record.PackMoves(moves)}
		must.Do(t, r.Judge(setup, table))
		if math.Abs(r.Regret.Lost-lost) > 1e-6 || r.Regret.Best != best || r.Regret.Judged > len(moves) {
			t.Fatalf("game %d: %+v, want %v lost and %d best moves", i, r.Regret, lost, best)
		}
		x := lost + end
		sum, squares = sum+x, squares+x*x
	}
	n := float64(games)
	mean := sum / n
	if half := 4 * math.Sqrt((squares/n-mean*mean)/n); math.Abs(mean-want) > half || left == 0 || made == 0 {
		t.Errorf("the lost chance plus the chance at the end is %v +- %v, want %v; %d games left the ending, %d made the goal", mean, half, want, left, made)
	}
	setup.Starts = nil
	if _, err := setup.Optimum(table, 1); err == nil {
		t.Error("games without start boards are accepted")
	}
}

// From start boards, mean score and regret add up to the mean value of the boards. Boards that the
// table does not have, and games that stop early, are refused.
func TestRegretFromStarts(t *testing.T) {
	size := board.Size{Rows: 2, Cols: 3}
	table := must.Get(solve.Solve(context.Background(), solve.Problem{Size: size, P4: game.P4}, solve.Options{}))(t)
	perfect := must.Get(catalog.Parse("perfect", catalog.Capabilities{}))(t)
	starts := func(texts ...string) (all []arena.Start) {
		for _, text := range texts {
			b := must.Get(board.Parse(text))(t)
			all = append(all, arena.Start{Board: b})
		}
		return all
	}
	exp := arena.RunOptions{
		Players: []catalog.Maker{perfect},
		Seed:    5, Games: 2001, Exact: table, Starts: starts("64,32,16/0,4,8", "2,4,0/0,0,2"),
	}
	results := must.Get(arena.Run(context.Background(), exp, nil))(t)
	var want, sum, squares float64
	for i, weight := range []float64{1001. / 2001, 1000. / 2001} {
		v := must.Get(table.Value(&exp.Starts[i].Board))(t)
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
	const early = "the exact values are for games that have other spawns, or start or end in another way"
	for _, c := range []struct {
		want   string
		change func(*arena.RunOptions)
	}{
		{early, func(e *arena.RunOptions) { e.Stop.Tile = 1024 }},
		{early, func(e *arena.RunOptions) {
			e.Spawn = must.Get(catalog.ParseSpawner("random(p4=0.2)", catalog.Capabilities{}))(t)
		}},
		{early, func(e *arena.RunOptions) { e.Stop.Tile, e.Goal = 1024, true }},
		{"start board 2, 64,64,64/64,64,0: the board cannot occur in a game from the standard start", func(e *arena.RunOptions) {
			e.Starts = starts("2,4,0/0,0,2", "64,64,64/64,64,0")
		}},
		{"the exact value of every start board is 0: there is nothing to judge", func(e *arena.RunOptions) {
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
