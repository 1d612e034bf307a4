package bench

import (
	"context"
	"math/rand/v2"
	"time"

	"afterstate/board"
	"afterstate/eval"
	"afterstate/game"
	"afterstate/search"
)

// ReferenceSearch is how nneonneo/2048-ai searches: its heuristic, its depth rule (the
// number of different tiles less 2, at least 3, counted below the first move), its
// cut at a path probability of 1e-4, a table for each of the first moves.
func ReferenceSearch() search.ExpectimaxOptions {
	tiles, dead := 1, 0.0
	return search.ExpectimaxOptions{
		Eval: eval.NewLines(eval.AnchorWeights()), DeathValue: &dead,
		Plies: 4, DepthByTiles: &tiles, MinProb: 1e-4,
		TT: search.MinTT, TTLifetime: search.LifetimeRootMove,
	}
}

// PlayingSearch is the anchor's search with moves left out that look bad: it decides the
// same in more than 95 of 100 positions, much sooner.
func PlayingSearch() search.ExpectimaxOptions {
	o := ReferenceSearch()
	o.PruneMargin = 200000
	return o
}

// Search is what the 4x4 search does in a second.
type Search struct {
	// MovesEvaluated are four for each board after a spawn, as nneonneo/2048-ai
	// counts, by the anchor's search.
	MovesEvaluated float64
	// PlayedMoves are decisions of the search that decides like the anchor.
	PlayedMoves float64
}

// MeasureSearch takes so long for each of the two.
func MeasureSearch(ctx context.Context, each time.Duration) (s Search, err error) {
	positions := Positions()
	nodes, _, seconds, err := measure(ctx, ReferenceSearch(), positions, each)
	if err != nil {
		return s, err
	}
	s.MovesEvaluated = float64(nodes) * 4 / 5 / seconds
	_, moves, seconds, err := measure(ctx, PlayingSearch(), positions, each)
	s.PlayedMoves = float64(moves) / seconds
	return s, err
}

func measure(ctx context.Context, o search.ExpectimaxOptions, positions []board.Board, each time.Duration) (nodes int64, moves int, seconds float64, err error) {
	s := newSearch(o)
	begun := time.Now()
	for moves == 0 || time.Since(begun) < each {
		q := search.NewQuery(positions[moves%len(positions)], 0)
		r, err := s.Search(ctx, q)
		if err != nil {
			return 0, 0, 0, err
		}
		nodes += r.Nodes
		moves++
	}
	return nodes, moves, time.Since(begun).Seconds(), nil
}

func newSearch(o search.ExpectimaxOptions) *search.Expectimax4 {
	lines, _ := search.CompileLines(o.Eval)
	return search.NewExpectimax4(o, lines)
}

const (
	positionGames = 8  // seeds 1 to 8, played with little search
	positionEvery = 16 // moves between two positions
)

// Positions are boards from whole games, in a fixed mixed order.
func Positions() (all []board.Board) {
	dead := 0.0
	s := newSearch(search.ExpectimaxOptions{Eval: eval.NewLines(eval.AnchorWeights()), DeathValue: &dead, Plies: 2})
	for seed := range uint64(positionGames) {
		g, err := game.New(game.Options{Spawner: game.NewRandom(seed+1, 0, game.P4), Endless: true})
		if err != nil {
			panic(err) // 4x4 with the usual spawns
		}
		for n := 0; !g.Over(); n++ {
			if n%positionEvery == 0 {
				all = append(all, g.Board())
			}
			r, err := s.Search(context.Background(), search.NewQuery(g.Board(), 0))
			if err != nil || !r.OK || g.Move(r.Move) != nil {
				panic("bench: a game cannot be played") // nothing can end it but its own rules
			}
		}
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}
