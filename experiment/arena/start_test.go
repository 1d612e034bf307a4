package arena

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

const startFile = `# two parents, and a board of its own
64,32,16,8/0,0,0,2/0,0,0,0/0,2,0,0 a

64,32,16,8/0,0,0,2/0,0,2,0/0,0,0,0 a   # another board of a
32,64,16,8/0,0,0,2/0,0,0,0/0,2,0,0 b
64,32,8,16/0,0,0,2/0,0,0,0/0,2,0,0
`

var sameBoard = cmp.Comparer(func(a, b board.Board) bool { return a == b })

func readStarts(t *testing.T) []Start {
	return must.Get(ReadStarts(strings.NewReader(startFile)))(t)
}

func TestReadStarts(t *testing.T) {
	starts := readStarts(t)
	var parents []string
	for _, s := range starts {
		parents = append(parents, s.Parent)
	}
	if want := []string{"a", "a", "b", ""}; !cmp.Equal(parents, want) {
		t.Errorf("parents %q, want %q", parents, want)
	}
	must.Equal(t, starts[2].Board.Cell(1), 6, "cell 1 of", starts[2].Board)
	spaced, err := ReadStarts(strings.NewReader("2 4 8 16 32 64 0 0 0 # one line\n2, 4, 8 / 0, 2, 4 / 0, 0, 2\n"))
	if err != nil || len(spaced) != 2 || spaced[0].Board.String() != "2,4,8/16,32,64/0,0,0" || spaced[1].Board.String() != "2,4,8/0,2,4/0,0,2" || spaced[1].Parent != "" {
		t.Errorf("boards with spaces are read as %v, %v", spaced, err)
	}
	for text, want := range map[string]string{
		"":                                  "no boards",
		"# only words":                      "no boards",
		"2,0/0,2\n2,x/0,0":                  "line 2",
		"2,0/0,2 a b":                       `"b" after the board`,
		"2 4 8 0 0":                         "line 1: board of 5 numbers",
		"2,0/0,2\n2,0,0/0,2,0":              "line 2: the board is 2x3",
		"2,4/4,2":                           "no legal move",
		strings.Repeat("2", 1<<17) + "\n\n": "too long",
	} {
		_, err := ReadStarts(strings.NewReader(text))
		must.Contains(t, fmt.Sprint(err), want, text)
	}
}

// TestStartsAndGoal plays from start boards to a goal: every game is the one that a plain
// game from that board gives, with any number of workers.
func TestStartsAndGoal(t *testing.T) {
	starts := readStarts(t)
	goal := game.Stop{Sum: 220}
	var want *Results
	for _, workers := range []int{1, 3} {
		got := must.Get(Run(t.Context(), RunOptions{Players: stubs(), Starts: starts, Stop: goal, Goal: true, Seed: 4, Games: 20, Workers: workers}, nil))(t)
		untimed(got)
		if want == nil {
			want = got
		}
		if diff := cmp.Diff(want, got, sameBoard); diff != "" {
			t.Errorf("%d workers (-one +%d):\n%s", workers, workers, diff)
		}
	}
	clusters := []string{"a", "a", "b", "#3"}
	reached := 0
	for i, got := range want.Players[1].Games {
		g := must.Get(game.New(game.Options{Board: starts[i%4].Board, Spawner: game.NewRandom(4, uint64(i), game.P4)}))(t)
		for b := g.Board(); !goal.Reached(&b) && !g.Over(); b = g.Board() {
			for _, d := range upFirst {
				if g.Move(d) == nil {
					break
				}
			}
		}
		b := g.Board()
		if got.Score != g.Score() || got.Moves != g.Moves() || got.Sum != b.Sum() || got.Goal != goal.Reached(&b) || got.Cluster != clusters[i%4] {
			t.Errorf("game %d is %+v, but the plain game ends with %d points after %d moves on %v", i, got, g.Score(), g.Moves(), b)
		}
		if got.Goal {
			reached++
		}
	}
	if reached == 0 || reached == 20 {
		t.Errorf("%d of 20 games reach the goal: the test shows nothing", reached)
	}
	r := want.Statistics()
	if r.Players[1].Goal.Games != reached || r.Starts != 4 || r.Stop != goal {
		t.Errorf("report: %+v of %d starts, goal %v", r.Players[1].Goal, r.Starts, r.Stop)
	}
	hits, names := make([]bool, 20), make([]string, 20)
	for i, g := range want.Players[1].Games {
		hits[i], names[i] = g.Goal, g.Cluster
	}
	if _, ci := stats.ClusteredShare(hits, names); ci != r.Players[1].Goal.CI {
		t.Errorf("interval %v, want the clustered interval %v", r.Players[1].Goal.CI, ci)
	}
}

func TestBoardsAtSums(t *testing.T) {
	g := must.Get(game.New(game.Options{Spawner: game.NewRandom(1, 1, game.P4)}))(t)
	sums := []int64{60, 20, 21, 100_000, 40}
	var want []board.Board // found on the way forward
	next := []int64{20, 21, 40, 60}
	for !g.Over() {
		b := g.Board()
		for len(next) > 0 && b.Sum() >= next[0] {
			if !slices.Contains(want, b) {
				want = append(want, b)
			}
			next = next[1:]
		}
		for _, d := range upFirst {
			if g.Move(d) == nil {
				break
			}
		}
	}
	if len(next) > 0 {
		t.Fatalf("the game ends before a sum of %d", next[0])
	}
	if got := BoardsAtSums(g, sums); !slices.Equal(got, want) {
		t.Errorf("boards %v, want %v", got, want)
	}
}

// A board without a legal move is left out.
func TestBoardsAtSumsDead(t *testing.T) {
	b := must.Get(board.Parse("2,4,2,4/4,2,4,2/2,4,2,4/8,16,0,32"))(t)
	g := must.Get(game.New(game.Options{Board: b, Spawner: &game.Scripted{Spawns: []game.Spawn{{Cell: 12, Exponent: 2}}}}))(t)
	must.Do(t, g.Move(board.Right))
	dead := g.Board()
	if got := BoardsAtSums(g, []int64{dead.Sum()}); len(got) != 0 {
		t.Errorf("%v of a game that ends on %v", got, dead)
	}
}
