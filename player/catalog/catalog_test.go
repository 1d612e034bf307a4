package catalog_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

var sizes = []board.Size{{Rows: 2, Cols: 2}, {Rows: 3, Cols: 4}, {Rows: 4, Cols: 4}, {Rows: 6, Cols: 6}}

// shallow is a quick spec of each name whose usual depth is slow; new names that
// are slow belong here.
var shallow = map[string]string{
	"expert":         "expert(nodes=2000)",
	"snake":          "snake(depth=0)",
	"deepening":      "deepening(depth=1)",
	"minimax":        "minimax(depth=1)",
	"alphabeta":      "alphabeta(depth=2)",
	"weighted-snake": "weighted-snake(depth=1)",
	"expectimax":     "expectimax(plies=1)",
	"foresight":      "foresight(depth=2)",
}

func specOf(name string) string {
	if s, ok := shallow[name]; ok {
		return s
	}
	return name
}

// Every player plays legal moves, and to the end of the game unless that takes too long.
func TestEveryNamePlays(t *testing.T) {
	for _, entry := range everyPlayer() {
		m := maker(t, specOf(entry.Name))
		for _, size := range sizes {
			maximum := 1 << 20
			switch {
			case (entry.Name == "auto" || entry.Name == "best") && size.Cells() > 4: // takes its time
				maximum = 30
			case entry.Name != "random" && entry.Name != "greedy" && size.Cells() == 36: // plays for very long
				maximum = 1000
			}
			g := newGame(t, size, 5, 1)
			p := started(m.New(), g, 5, 1)
			for !g.Over() && g.Moves() < maximum {
				d := decide(t, p, query(g))
				checkDecision(t, entry.Name, d, g, m)
				if err := g.Move(d.Move); err != nil {
					t.Fatalf("%s on %v: %v", entry.Name, g.Board(), err)
				}
			}
			if g.Over() {
				if d := decide(t, p, query(g)); d.OK || d.Moves[0].Legal || d.Moves[1].Legal || d.Moves[2].Legal || d.Moves[3].Legal {
					t.Errorf("%s on dead board %v: %+v", entry.Name, g.Board(), d)
				}
			}
		}
	}
}

func checkDecision(t *testing.T, name string, d player.Decision, g *game.Game, m catalog.Maker) {
	t.Helper()
	if !d.OK || d.Board != g.Board() || d.Player != m.Spec || d.Unit == "" || d.Source == "" {
		t.Fatalf("%s on %v: %+v", name, g.Board(), d)
	}
	b := g.Board()
	for _, dir := range board.Directions {
		if _, _, moved := b.Slide(dir); d.Moves[dir].Legal != moved {
			t.Fatalf("%s on %v: %v legal: %v", name, b, dir, d.Moves[dir].Legal)
		}
	}
}

// Players of one maker do not disturb each other, nor does the order of their games
// show in their moves.
func TestPlayersAreIndependent(t *testing.T) {
	const games = 3
	play := func(m catalog.Maker, p player.Player, index uint64) (moves []board.Direction) {
		g := newGame(t, board.Size{Rows: 3, Cols: 3}, 8, index)
		started(p, g, 8, index)
		for !g.Over() && g.Moves() < soak.Pick(25, 40) {
			d := decide(t, p, query(g))
			moves = append(moves, d.Move)
			if err := g.Move(d.Move); err != nil {
				t.Error(err)
				break
			}
		}
		return moves
	}
	for _, entry := range everyPlayer() {
		m := maker(t, specOf(entry.Name))
		var alone, together [games][]board.Direction
		one := m.New()
		for i := range games {
			alone[games-1-i] = play(m, one, uint64(games-1-i))
		}
		var wait sync.WaitGroup
		for i := range games {
			wait.Go(func() { together[i] = play(m, m.New(), uint64(i)) })
		}
		wait.Wait()
		for i := range games {
			if !slices.Equal(alone[i], together[i]) {
				t.Errorf("%s, game %d: %v and %v", entry.Name, i, alone[i], together[i])
			}
		}
	}
}

// The catalogue is correct: names are unique, what a name is short for decides
// alike.
func TestCatalog(t *testing.T) {
	seen := map[string]bool{}
	for _, entry := range everyPlayer() {
		if seen[entry.Name] || entry.Summary == "" || strings.ContainsAny(entry.Summary, "\n") {
			t.Errorf("%+v", entry)
		}
		seen[entry.Name] = true
		named, spelled := maker(t, entry.Name), maker(t, entry.Spec)
		if named.Spec != entry.Name || named.TimeLimited != spelled.TimeLimited || named.Foresees != spelled.Foresees {
			t.Errorf("%s makes %+v, %s makes %+v", entry.Name, named, entry.Spec, spelled)
		}
		if named.TimeLimited != (entry.Name == "deepening") || named.Foresees != (entry.Name == "foresight") {
			t.Errorf("%s: time limited %v, foresees %v", entry.Name, named.TimeLimited, named.Foresees)
		}
		_, sees := named.New().(player.Seer)
		must.Equal(t, sees, named.Foresees, entry.Name, "is given the coming spawns:")
		if named.TimeLimited {
			continue
		}
		for i := range soak.Pick(uint64(1), 3) {
			g := newGame(t, board.Size{Rows: 3, Cols: 3}, 6, i)
			p, q := started(named.New(), g, 6, i), started(spelled.New(), g, 6, i)
			for !g.Over() && g.Moves() < 15 {
				a, b := decide(t, p, query(g)), decide(t, q, query(g))
				if a.Result != b.Result || a.Unit != b.Unit || a.Source != b.Source {
					t.Fatalf("%s decides %+v, %s decides %+v", entry.Name, a, entry.Spec, b)
				}
				must.Do(t, g.Move(a.Move))
			}
		}
	}
}
