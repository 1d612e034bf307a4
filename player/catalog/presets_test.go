package catalog_test

import (
	"context"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// byHand is a search made without any spec.
type byHand func(g *game.Game) (search.Result, error)

func expectimax(o search.ExpectimaxOptions) byHand {
	s := search.NewExpectimax(o)
	return func(g *game.Game) (search.Result, error) { return s.Search(context.Background(), query(g)) }
}

func minimax(e eval.Evaluator, layers int) byHand {
	s := search.NewMinimax(search.MinimaxOptions{Eval: e, Layers: layers})
	return func(g *game.Game) (search.Result, error) { return s.Search(context.Background(), query(g)) }
}

func foresight(o search.ForesightOptions) byHand {
	s := search.NewForesight(o)
	return func(g *game.Game) (search.Result, error) { return s.Search(context.Background(), query(g), g) }
}

// Each spec decides as the search that the test makes by hand: the same move with the same value, throughout a
// game. The comments say what a preset's depth counts.
func TestPresetsByHand(t *testing.T) {
	snake, snakeEmpty := evaluator(t, "snake"), evaluator(t, "snake-empty")
	gradient, weighted, product := evaluator(t, "gradient"), evaluator(t, "weighted-snake"), evaluator(t, "product")
	never, dead := -1.0, -100.0
	for spec, s := range map[string]byHand{
		// d is d+1 moves, each followed by its spawns
		"snake":          expectimax(search.ExpectimaxOptions{Eval: snake, Plies: 2, Leaf: search.LeafSpawn}),
		"snake(depth=0)": expectimax(search.ExpectimaxOptions{Eval: snake, Plies: 1, Leaf: search.LeafSpawn}),
		"snake(depth=1)": expectimax(search.ExpectimaxOptions{Eval: snake, Plies: 2, Leaf: search.LeafSpawn}),
		"snake(plies=1)": expectimax(search.ExpectimaxOptions{Eval: snake, Plies: 1, Leaf: search.LeafSpawn}),
		// moves
		"deepening(depth=1,time=1h)": expectimax(search.ExpectimaxOptions{Eval: snakeEmpty, Plies: 1, Leaf: search.LeafSpawn}),
		"deepening(depth=2,time=1h)": expectimax(search.ExpectimaxOptions{Eval: snakeEmpty, Plies: 2, Leaf: search.LeafSpawn}),
		"weighted-snake(depth=1)":    expectimax(search.ExpectimaxOptions{Eval: weighted, Plies: 1}),
		"weighted-snake(depth=2)":    expectimax(search.ExpectimaxOptions{Eval: weighted, Plies: 2}),
		"weighted-snake":             expectimax(search.ExpectimaxOptions{Eval: weighted, Plies: 3}),
		"foresight(depth=1)":         foresight(search.ForesightOptions{Eval: product, Depth: 1}),
		"foresight":                  foresight(search.ForesightOptions{Eval: product, Depth: 4}),
		"foresight(depth=9,beam=5)":  foresight(search.ForesightOptions{Eval: product, Depth: 9, Beam: 5}),
		// layers below the first move
		"minimax(depth=0)":   minimax(gradient, 0),
		"minimax(depth=1)":   minimax(gradient, 1),
		"minimax(depth=2)":   minimax(gradient, 2),
		"minimax":            minimax(gradient, 4),
		"alphabeta(depth=0)": minimax(gradient, 0),
		"alphabeta(depth=3)": minimax(gradient, 3),
		// and what the keys mean
		"expectimax":                                                        expectimax(search.ExpectimaxOptions{Eval: weighted, Plies: 3}),
		"expectimax(p4=0,plies=2)":                                          expectimax(search.ExpectimaxOptions{Eval: weighted, Plies: 2, P4: never}),
		"expectimax(p4=0.5,plies=2,prune=star1)":                            expectimax(search.ExpectimaxOptions{Eval: weighted, Plies: 2, P4: 0.5}),
		"snake(death_value=-100,eval=gradient)":                             expectimax(search.ExpectimaxOptions{Eval: gradient, Plies: 2, Leaf: search.LeafSpawn, DeathValue: &dead}),
		"expectimax(nodes=500,impl=generic)":                                expectimax(search.ExpectimaxOptions{Eval: weighted, Nodes: 500}),
		"minimax(eval=sum(empty=2,smoothness=0.5),depth=2,prune=alphabeta)": minimax(sum(t, []string{"empty", "smoothness"}, []float64{2, 0.5}), 2),
	} {
		m := maker(t, spec)
		for _, size := range []board.Size{{Rows: 3, Cols: 3}, {Rows: 4, Cols: 4}} {
			g := newGame(t, size, 7, 0)
			p := started(m.New(), g, 7, 0)
			for (g.Moves() < 60 || size.Rows == 3) && !g.Over() { // small games to their end, where death counts
				d := decide(t, p, query(g))
				want := must.Get(s(g))(t)
				noChoice := strings.HasPrefix(spec, "deepening") && math.IsInf(want.Best(), -1) // then the level before decides
				if noChoice && d.Plies <= want.Plies {
					want = d.Result
				}
				if d.Move != want.Move || d.Best() != want.Best() || d.Plies != want.Plies {
					t.Fatalf("%s, move %d of %v: %v with value %v at %d plies, want %v with value %v at %d",
						spec, g.Moves(), g.Board(), d.Move, d.Best(), d.Plies, want.Move, want.Best(), want.Plies)
				}
				must.Do(t, g.Move(d.Move))
			}
		}
	}
}

func sum(t testing.TB, names []string, weights []float64) eval.Evaluator {
	t.Helper()
	return must.Get(eval.NewSum(names, weights))(t)
}

// The keys that only save work do save it.
func TestKeysThatSave(t *testing.T) {
	for _, c := range [][2]string{
		{"minimax(depth=3,prune=alphabeta)", "minimax(depth=3)"},
		{"snake(impl=generic,prune=star1)", "snake(impl=generic)"},
		{"expectimax(tt=2MB)", "expectimax"},
		{"expectimax(min_prob=0.01)", "expectimax"},
		{"expectimax(prune_margin=1000)", "expectimax"},
		{"expectimax(nodes=20000,soft_limit=yes)", "expectimax(nodes=20000)"},
		{"foresight(depth=6,beam=10)", "foresight(depth=6)"},
	} {
		var nodes [2]int64
		for i, spec := range c {
			g := newGame(t, board.Size{Rows: 4, Cols: 4}, 2, 0)
			p := started(maker(t, spec).New(), g, 2, 0)
			for g.Moves() < 30 {
				d := decide(t, p, query(g))
				nodes[i] += d.Nodes
				must.Do(t, g.Move(d.Move))
			}
		}
		if nodes[0] > nodes[1]*9/10 {
			t.Errorf("%s makes %d nodes, %s makes %d", c[0], nodes[0], c[1], nodes[1])
		}
	}
}

// auto is the player for each board's size, also when one player is asked about
// boards of several sizes.
func TestAutoChangesWithTheSize(t *testing.T) {
	m := maker(t, "auto")
	used := m.New()
	const dying = "2,16,2,4/64,32,16,2/4,64,32,8/2,4,4,16"
	for _, text := range []string{"2,2/4,8", dying, "2,16,2/64,32,16/4,4,2", dying} {
		q := search.NewQuery(parse(t, text), 0)
		if got, want := decide(t, used, q), decide(t, m.New(), q); got.Result != want.Result {
			t.Errorf("on %s a used player says %+v, a new one %+v", text, got.Result, want.Result)
		}
	}
}

// ticking is a context whose method Err takes a millisecond in a synctest bubble.
type ticking struct{ context.Context }

func (c ticking) Err() error {
	time.Sleep(time.Millisecond)
	return c.Context.Err()
}

// A player with a time limit decides within 2 ms after it, and its Maker says that it is time-limited.
func TestTimeLimits(t *testing.T) {
	g := newGame(t, board.Size{Rows: 4, Cols: 4}, 7, 0)
	for spec, limited := range map[string]bool{
		"deepening": true, "deepening(time=5ms)": true, "minimax(time=5ms)": true, "alphabeta(time=5ms,depth=40)": true,
		"expectimax(time=5ms)": true, "snake": false, "auto": false, "expectimax(nodes=100)": false,
	} {
		m := maker(t, spec)
		must.Equal(t, m.TimeLimited, limited, spec, "time limited")
		if !limited {
			continue
		}
		limit := 5 * time.Millisecond
		if spec == "deepening" {
			limit = 200 * time.Millisecond
		}
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			d, err := m.New().Decide(ticking{t.Context()}, query(g))
			if took := time.Since(start); err != nil || !d.OK || took < limit || took > limit+2*time.Millisecond {
				t.Errorf("%s took %v, want %v: %+v, %v", spec, took, limit, d, err)
			}
		})
	}
}

// Players see future spawns only if they declare it.
func TestForesightWithoutAGame(t *testing.T) {
	p := maker(t, "foresight").New()
	p.Start(1, 0)
	g := newGame(t, board.Size{Rows: 2, Cols: 2}, 1, 0)
	for _, oracle := range []search.Oracle{nil, search.Future{OK: false}} {
		p.(player.Seer).See(oracle)
		if d, err := p.Decide(context.Background(), query(g)); err != search.ErrUnknownSpawns || d.OK {
			t.Errorf("%+v, error %v", d, err)
		}
	}
	p.(player.Seer).See(g)
	if d, err := p.Decide(context.Background(), query(g)); err != nil || !d.OK {
		t.Errorf("%+v, error %v", d, err)
	}
}

// A time limit replaces the node limit of expert.
func TestTimeReplacesNodes(t *testing.T) {
	b := parse(t, "2,0,0,0/4,0,2,8/16,4,32,64/8192,4096,1024,256")
	var nodes [3]int64
	for i, spec := range []string{"expert(nodes=1000)", "expert(plies=6,time=1h)", "expert(nodes=1000,time=1h)"} {
		m := maker(t, spec)
		must.Equal(t, m.TimeLimited, i > 0, spec, "is limited by time")
		d := decide(t, m.New(), search.NewQuery(b, 0))
		nodes[i] = d.Nodes
	}
	if nodes[1] < 10*nodes[0] || nodes[2] != nodes[0] {
		t.Errorf("nodes %v: must be many with a time, as few as asked for with both", nodes)
	}
}
