package bench

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"

	"afterstate/bitboard"
	"afterstate/board"
	"afterstate/eval"
	"afterstate/learn"
	"afterstate/ntuple"
	"afterstate/search"
)

// Signature returns a checksum over the node counts, moves and values of fixed searches and the
// weights after fixed training runs, as 16 hexadecimal digits. It is the same on every machine and
// in every build with equal behaviour.
func Signature(ctx context.Context) (string, error) {
	sum := fnv.New64a()
	add := func(q eval.Position, s searcher) error {
		r, err := s.Search(ctx, search.Query{Position: q})
		if err != nil {
			return err
		}
		words := []uint64{uint64(r.Nodes), uint64(r.Move), uint64(r.Plies)}
		for _, m := range r.Moves {
			if m.Legal {
				words = append(words, math.Float64bits(m.Value))
			}
		}
		return binary.Write(sum, binary.LittleEndian, words)
	}
	positions := Positions()
	for _, fixed := range fixedSearches() {
		for _, b := range positions[:fixed.positions] {
			if err := add(eval.Position{Board: b}, fixed.search); err != nil {
				return "", err
			}
		}
	}
	for _, fixed := range fixedBoards() {
		if err := add(eval.Position{Board: fixed.board}, fixed.search); err != nil {
			return "", err
		}
	}
	for _, coherent := range []bool{false, true} {
		check, err := fixedTraining(ctx, coherent, true)
		if err != nil {
			return "", err
		}
		if err := binary.Write(sum, binary.LittleEndian, check); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%016x", sum.Sum64()), nil
}

type searcher interface {
	Search(context.Context, search.Query) (search.Result, error)
}

// fixedSearch is a search and the number of positions it is run on.
type fixedSearch struct {
	search    searcher
	positions int
}

// fixedSearches cover every part of the 4x4 search.
func fixedSearches() []fixedSearch {
	made := func(name string) eval.Evaluator {
		e, err := eval.New(name)
		if err != nil {
			panic(err) // the names are constants
		}
		return e
	}
	strict := PlayingSearch()
	strict.TTExact, strict.TTLifetime, strict.MinProb = true, search.LifetimeSearch, 1e-3
	deepening := PlayingSearch()
	deepening.DepthByTiles, deepening.Plies, deepening.Nodes, deepening.SoftLimit = nil, 0, 100000, true
	return []fixedSearch{
		{newSearch(ReferenceSearch()), 4}, {newSearch(PlayingSearch()), 40}, {newSearch(strict), 20}, {newSearch(deepening), 40},
		{newSearch(search.ExpectimaxOptions{Eval: made("snake"), Plies: 2, Leaf: search.LeafSpawn}), 20},
		{newSearch(search.ExpectimaxOptions{Eval: made("gradient"), Plies: 3}), 20},
		{search.NewExpectimax(search.ExpectimaxOptions{Eval: made("weighted-snake"), Plies: 3, Prune: search.PruneStar1}), 4},
		{search.NewMinimax(search.MinimaxOptions{Eval: made("gradient"), Layers: 4, AlphaBeta: true}), 20},
	}
}

// fixedBoards are searches on other sizes.
func fixedBoards() []struct {
	board  board.Board
	search searcher
} {
	gradient, _ := eval.New("gradient")
	s := search.NewExpectimax(search.ExpectimaxOptions{Eval: gradient, Nodes: 20000, Prune: search.PruneStar1})
	var all []struct {
		board  board.Board
		search searcher
	}
	for _, size := range []board.Size{{Rows: 3, Cols: 3}, {Rows: 5, Cols: 5}, {Rows: 6, Cols: 6}} {
		b := board.New(size)
		for i := range size.Cells() / 2 {
			b.Set(i, uint8(1+(i*i)%7))
		}
		all = append(all, struct {
			board  board.Board
			search searcher
		}{b, s})
	}
	return all
}

// fixedTraining returns the checksum of a small network with two stages after training with
// restarts. Without the kernel the reference code in Go is used.
func fixedTraining(ctx context.Context, coherent, kernel bool) (uint32, error) {
	layout, err := ntuple.Named(bitboard.Size, "5x4")
	if err != nil {
		return 0, err
	}
	layout.Stages = []ntuple.Stage{{}, {8}}
	network, err := ntuple.New(layout)
	if err != nil {
		return 0, err
	}
	defer network.Close()
	if !kernel {
		network.DisableKernel()
	}
	err = train(ctx, learn.Options{Network: network, Coherent: coherent, Games: 300, Seed: 1, RestartShare: 0.3, RestartTile: 128})
	return network.Checksum(), err
}
