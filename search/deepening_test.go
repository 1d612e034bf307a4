package search_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// looks is the maximal number of nodes between two checks of the time, plus those made while a search unwinds; looks4
// is the same for a thread of Expectimax4.
const looks, looks4 = 256 + 64, 4400

// A search under a limit answers as a search of the depth it reached.
func TestDeepeningEqualsFixedDepth(t *testing.T) {
	deal := newDealer(300)
	reached := map[int]int{}
	for _, e := range []named{{"coins", coins}, {"snake-empty", evaluator(t, "snake-empty")}, {"smoothness", evaluator(t, "smoothness")}, {"points", points}} {
		for _, star1 := range []bool{false, true} {
			for _, leaf := range []search.Leaf{search.LeafAfterstate, search.LeafSpawn} {
				for i := range 24 {
					p := deal.position(smallSizes[i%len(smallSizes)])
					o := search.ExpectimaxOptions{Eval: e.Evaluator, Star1: star1, Leaf: leaf, Nodes: []int64{1, 60, 700, 4000}[i%4]}
					got := mustSearch(t, search.NewExpectimax(o), search.Query{Position: p})
					if !got.OK {
						continue
					}
					reached[got.Plies]++
					o.Nodes, o.Plies = 0, got.Plies
					if got.Plies > 20 {
						continue // nearly over: all lines end long before
					}
					want := mustSearch(t, search.NewExpectimax(o), search.Query{Position: p})
					if got.Move != want.Move || got.Best() != want.Best() {
						t.Fatalf("%s, star1 %v, leaf %v, limit after %d plies of %v: %v with value %v, want %v with value %v", e.name, star1, leaf, got.Plies, p.Board, got.Move, got.Best(), want.Move, want.Best())
					}
				}
			}
		}
	}
	for n := 1; n <= 3; n++ {
		if reached[n] < 20 {
			t.Errorf("only %d searches reached %d plies", reached[n], n)
		}
	}
}

// The result, nodes included, depends on the position alone: not on earlier queries.
func TestSearchesForget(t *testing.T) {
	minimax := search.MinimaxOptions{Eval: evaluator(t, "gradient"), Layers: 3, AlphaBeta: true}
	star := search.ExpectimaxOptions{Eval: evaluator(t, "snake"), Plies: 2, Star1: true}
	fresh := map[string]func() searcher{
		"minimax": func() searcher { return search.NewMinimax(minimax) },
		"star1":   func() searcher { return search.NewExpectimax(star) },
	}
	for _, star1 := range []bool{false, true} {
		o := search.ExpectimaxOptions{Eval: evaluator(t, "weighted-snake"), Star1: star1, Nodes: 3000}
		fresh[fmt.Sprint("3000 nodes, star1 ", star1)] = func() searcher { return search.NewExpectimax(o) }
	}
	for name, fresh := range fresh {
		used := fresh()
		for _, p := range played(t, 3, 20) {
			want, again := mustSearch(t, fresh(), search.Query{Position: p}), mustSearch(t, used, search.Query{Position: p})
			if again != want {
				t.Fatalf("%s, %v:\na used search says %+v\na new one      %+v", name, p.Board, again, want)
			}
		}
	}
}

// Only the first iteration may exceed the node limit.
func TestNodeLimitIsKept(t *testing.T) {
	const few = 16 // boards made while the search steps back up
	deal := newDealer(301)
	for _, star1 := range []bool{false, true} {
		for i := range soak.Pick(100, 300) {
			p := deal.position(smallSizes[i%len(smallSizes)])
			o := search.ExpectimaxOptions{Eval: coins, Star1: star1, Leaf: search.LeafSpawn, Nodes: 1 + int64(deal.IntN(3000))}
			r := mustSearch(t, search.NewExpectimax(o), search.Query{Position: p})
			one := mustSearch(t, search.NewExpectimax(search.ExpectimaxOptions{Eval: coins, Star1: star1, Leaf: search.LeafSpawn, Plies: 1}), search.Query{Position: p})
			if r.Nodes > max(o.Nodes, one.Nodes)+few {
				t.Fatalf("star1 %v: %d nodes on %v, limit %d, first iteration %d", star1, r.Nodes, p.Board, o.Nodes, one.Nodes)
			}
		}
	}
}

// limited are all searches that keep a time limit, on boards with unlimited trees.
func limited(t *testing.T, budget time.Duration) map[string]searcher {
	e := evaluator(t, "snake-empty")
	all := map[string]searcher{
		"minimax":   search.NewMinimax(search.MinimaxOptions{Eval: e, Time: budget}),
		"alphabeta": search.NewMinimax(search.MinimaxOptions{Eval: e, Time: budget, AlphaBeta: true}),
	}
	for _, star1 := range []bool{false, true} {
		all[fmt.Sprint("expectimax, star1 ", star1)] = search.NewExpectimax(search.ExpectimaxOptions{Eval: e, Time: budget, Leaf: search.LeafSpawn, Star1: star1})
	}
	return all
}

// A search ends at the first check after its time is up, and makes no more boards than the checks
// until then allow.
func TestTimeLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const budget = 30 * time.Millisecond
		for _, text := range []string{"2,4,8,16/0,0,2,4/0,0,0,0/0,0,0,0", "2,4,8,16,2,2/0,0,2,4,0,0/0,0,0,0,0,0/0,0,0,0,0,0/0,0,0,0,0,0/0,0,0,0,0,0"} {
			q := query(parse(t, text), 0)
			all := limited(t, budget)
			maps.Copy(all, bits(t, search.ExpectimaxOptions{Time: budget}))
			for name, s := range all {
				start := time.Now()
				r, err := s.Search(ticking{bg}, q)
				if took := time.Since(start); err != nil || took < budget || took > budget+2*tick {
					t.Errorf("%s on %v took %v, limit %v, %v", name, q.Board.Size(), took, budget, err)
				}
				maximum := int64(budget/tick+2) * looks
				if strings.HasPrefix(name, "bits") {
					maximum *= 4 * looks4 / looks
				}
				if minimum := int64(budget/tick) * looks / 4; !r.OK || r.Plies < 1 || r.Nodes < minimum || r.Nodes > maximum {
					t.Errorf("%s on %v: %+v, want %d to %d nodes", name, q.Board.Size(), r, minimum, maximum)
				}
			}
		}
	})
}

// After the first iteration, the end of the context ends the search with a result; before, with the
// context's error.
func TestContextEndsASearch(t *testing.T) { synctest.Test(t, contextEndsASearch) }

func contextEndsASearch(t *testing.T) {
	q := query(parse(t, open), 0)
	e := evaluator(t, "snake")
	endless := map[string]searcher{
		"minimax 20":    search.NewMinimax(search.MinimaxOptions{Eval: e, Layers: 20}),
		"alphabeta 20":  search.NewMinimax(search.MinimaxOptions{Eval: e, Layers: 20, AlphaBeta: true}),
		"expectimax 20": search.NewExpectimax(search.ExpectimaxOptions{Eval: e, Plies: 20}),
		"star1 20":      search.NewExpectimax(search.ExpectimaxOptions{Eval: e, Plies: 20, Star1: true}),
	}
	deepening := limited(t, time.Hour)
	for _, o := range []search.ExpectimaxOptions{{Plies: 20}, {Plies: 20, MinProb: 1e-7}} {
		maps.Copy(endless, bits(t, o))
	}
	maps.Copy(deepening, bits(t, search.ExpectimaxOptions{Time: time.Hour}))
	maps.Copy(deepening, bits(t, search.ExpectimaxOptions{Nodes: 1 << 40}))
	stopped := func(name string, s searcher, wantError bool) {
		ctx, cancel := context.WithTimeout(bg, 10*tick)
		defer cancel()
		start := time.Now()
		r, err := s.Search(ticking{ctx}, q)
		if took := time.Since(start); took > 12*tick {
			t.Errorf("%s came back after %v", name, took)
		}
		if wantError && (!errors.Is(err, context.DeadlineExceeded) || r.OK) || !wantError && (err != nil || !r.OK) {
			t.Errorf("%s: error %v, ok %v", name, err, r.OK)
		}
	}
	for name, s := range endless {
		stopped(name, s, true)
	}
	for name, s := range deepening {
		stopped(name, s, false)
	}
	// A stopped search can be used again.
	small := query(parse(t, "2,2/4,0"), 0)
	for name, s := range deepening {
		if r := mustSearch(t, s, small); !r.OK {
			t.Errorf("%s, asked again: %+v", name, r)
		}
	}
}

func TestDeadBoardsHaveNoMove(t *testing.T) {
	const large = "131072,65536,131072,65536/65536,131072,65536,131072/2,4,2,4/4,2,4,2" // too large for nibbles
	e := evaluator(t, "snake")
	searches := limited(t, time.Hour)
	searches["fixed expectimax"] = search.NewExpectimax(search.ExpectimaxOptions{Eval: e, Star1: true})
	searches["nodes"] = search.NewExpectimax(search.ExpectimaxOptions{Eval: e, Nodes: 1000})
	maps.Copy(searches, bits(t, search.ExpectimaxOptions{Plies: 3}))
	searches["fixed minimax"] = search.NewMinimax(search.MinimaxOptions{Eval: e, Layers: 4})
	for _, b := range []board.Board{parse(t, "2,4/4,2"), parse(t, "2,4,8,16/16,8,4,2/2,4,8,16/16,8,4,2"), parse(t, "0,0/0,0"), parse(t, large)} {
		for name, s := range searches {
			r := mustSearch(t, s, query(b, 100))                                         // some would take an hour if they searched
			if r.OK || r.Plies != 0 || r.Nodes > 4 || r.Moves != [4]search.MoveValue{} { // Expectimax4 counts slides
				t.Errorf("%s on %v: %+v", name, b, r)
			}
		}
		for _, beam := range []int{0, 8} {
			f := search.NewForesight(search.ForesightOptions{Eval: e, Beam: beam})
			g := newGame(t, b.Size(), 1, 0, 0.1)
			if r, err := f.Search(bg, query(b, 100), g); err != nil || r.OK || r.Plies != 0 || r.Moves != [4]search.MoveValue{} {
				t.Errorf("foresight with beam %d on %v: %+v, %v", beam, b, r, err)
			}
		}
	}
}

// When all moves are lost, the answer is the one that survives with the best chance. Deepening ends there,
// and the last iteration with a move that is not lost decides.
func TestAllMovesLose(t *testing.T) {
	b := parse(t, "2,16,2/64,32,16/4,4,2") // after left a 4 in the gap is the end, after right any tile
	e := evaluator(t, "snake-empty")
	for name, s := range map[string]searcher{
		"expectimax": search.NewExpectimax(search.ExpectimaxOptions{Eval: e, Plies: 1, Leaf: search.LeafSpawn}),
		"minimax":    search.NewMinimax(search.MinimaxOptions{Eval: e, Layers: 1}),
	} {
		r := mustSearch(t, s, query(b, 0))
		if !r.OK || r.Move != board.Left || !r.Moves[board.Right].Lost() || !r.Moves[board.Left].Lost() {
			t.Errorf("%s: %+v", name, r)
		}
	}
	still := mustSearch(t, search.NewMinimax(search.MinimaxOptions{Eval: e}), query(b, 0))
	for name, s := range limited(t, time.Hour) {
		r := mustSearch(t, s, query(b, 0))
		if strings.HasPrefix(name, "expectimax") { // its first iteration includes spawns and is kept
			if r.Move != board.Left || !r.Moves[board.Left].Lost() {
				t.Errorf("%s: %+v", name, r)
			}
		} else if r.Move != still.Move || r.Plies != 1 || r.Moves[r.Move] != still.Moves[r.Move] {
			t.Errorf("%s: %+v, without layers %+v", name, r, still)
		}
	}
	dead := -5.0
	s := search.NewExpectimax(search.ExpectimaxOptions{Eval: evaluator(t, "snake"), Plies: 2, DeathValue: &dead})
	if r := mustSearch(t, s, query(b, 0)); r.Moves[board.Left].Lost() || r.Best() <= dead {
		t.Errorf("with death value %v: %+v", dead, r)
	}
}
