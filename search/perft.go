package search

import (
	"context"

	"github.com/afterstate2048/afterstate/rules/board"
)

// Perft counts the leaves of the game tree at a depth of the given number of rounds. A board counts once
// for each path that leads to it. A round is every legal move followed by every spawn (a 2 and a 4 on each
// empty cell); games that end earlier are not counted. As in chess programming, Perft serves to compare
// implementations of the rules and to measure their speed. It returns ctx.Err() if ctx ends.
func Perft(ctx context.Context, b *board.Board, rounds int) (leaves uint64, err error) {
	if rounds == 0 {
		return 1, nil
	}
	calls := 0
	var count func(b *board.Board, rounds int) uint64
	count = func(b *board.Board, rounds int) (leaves uint64) {
		if calls++; calls%4096 == 0 && err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return 0
		}
		var all [4]board.Afterstate
		b.Afterstates(&all)
		for d := range all {
			if !all[d].Moved {
				continue
			}
			after := &all[d].Board
			if rounds == 1 {
				leaves += 2 * uint64(after.Empty())
				continue
			}
			for i := range after.Size().Cells() {
				if after.Cell(i) != 0 {
					continue
				}
				for exponent := uint8(1); exponent <= 2; exponent++ {
					after.Set(i, exponent)
					leaves += count(after, rounds-1)
				}
				after.Set(i, 0)
			}
		}
		return leaves
	}
	leaves = count(b, rounds)
	return leaves, err
}
