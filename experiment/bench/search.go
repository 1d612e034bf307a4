package bench

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// ReferenceSearch returns options that search as nneonneo/2048-ai does: its heuristic, its depth
// rule (the number of distinct tiles minus 2, at least 3, counted below the first move), its
// probability cut at 1e-4, and a table for each of the first moves.
func ReferenceSearch() search.ExpectimaxOptions {
	tiles, dead := 1, 0.0
	return search.ExpectimaxOptions{
		Eval: eval.NewLines(eval.NneonneoWeights()), DeathValue: &dead,
		Plies: 4, DepthByTiles: &tiles, MinProb: 1e-4,
		TT: search.MinTT, TTLifetime: search.LifetimeRootMove,
	}
}

// PlayingSearch returns ReferenceSearch with PruneMargin: it decides alike in more than 95 of 100
// positions, in much less time.
func PlayingSearch() search.ExpectimaxOptions {
	o := ReferenceSearch()
	o.PruneMargin = 200000
	return o
}

// Search is the speed of the 4x4 search, per second.
type Search struct {
	// MovesEvaluated counts four moves for each post-spawn board, as nneonneo/2048-ai does, with
	// ReferenceSearch.
	MovesEvaluated float64
	// PlayedMoves counts decisions of PlayingSearch.
	PlayedMoves float64
}

// MeasureSearch measures both, each for about the given time.
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
	positionGames = 8  // seeds 1 to 8, played by a search of 2 plies
	positionEvery = 16 // moves from one position to the next
)

// Positions returns boards from whole games, in a fixed shuffled order.
func Positions() (all []board.Board) {
	dead := 0.0
	s := newSearch(search.ExpectimaxOptions{Eval: eval.NewLines(eval.NneonneoWeights()), DeathValue: &dead, Plies: 2})
	for seed := range uint64(positionGames) {
		g, err := game.New(game.Options{Spawner: game.NewRandom(seed+1, 0, game.P4)})
		if err != nil {
			panic(err) // cannot fail for 4x4 and P4
		}
		for n := 0; !g.Over(); n++ {
			if n%positionEvery == 0 {
				all = append(all, g.Board())
			}
			r, err := s.Search(context.Background(), search.NewQuery(g.Board(), 0))
			if err != nil || !r.OK || g.Move(r.Move) != nil {
				panic("bench: a game cannot be played") // the move is legal
			}
		}
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}
