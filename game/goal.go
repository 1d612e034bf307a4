package game

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"afterstate/board"
)

// Goal is a condition on a board: a tile of at least Tile, or a sum of all tiles of at least Sum.
// The largest tile and the sum never decrease in a game, so a goal once reached stays reached. The
// zero value is no goal.
type Goal struct {
	Tile int64 // a power of two; 0: none
	Sum  int64 // 0: none
}

// ParseGoal parses "32768" (a tile) or "sum=28672".
func ParseGoal(text string) (Goal, error) {
	number, isSum := strings.CutPrefix(text, "sum=")
	n, err := strconv.ParseInt(number, 10, 64)
	g := Goal{Tile: n}
	if isSum {
		g = Goal{Sum: n}
	}
	if err != nil || g == (Goal{}) || g.Validate() != nil {
		return Goal{}, fmt.Errorf("goal %q: want a tile (a power of two from 4 to 2^%d) or sum=N with N at least 4", text, board.MaxExponent)
	}
	return g, nil
}

// Validate returns an error unless the goal is one that boards can reach: a tile from 4 to
// 2^MaxExponent, a sum from 4 to 2^(MaxExponent+1), or no goal.
func (g Goal) Validate() error {
	switch {
	case g.Tile != 0 && g.Sum != 0:
		return fmt.Errorf("a goal of tile %d and of sum %d: want one of them", g.Tile, g.Sum)
	case g.Tile != 0 && (g.Tile < 4 || g.Tile > 1<<board.MaxExponent || g.Tile&(g.Tile-1) != 0):
		return fmt.Errorf("goal tile %d: want a power of two from 4 to 2^%d", g.Tile, board.MaxExponent)
	case g.Sum != 0 && (g.Sum < 4 || g.Sum > 1<<(board.MaxExponent+1)):
		return fmt.Errorf("goal sum %d: want 4 to 2^%d", g.Sum, board.MaxExponent+1)
	}
	return nil
}

// Reached reports whether a board satisfies the goal; no board satisfies the zero Goal.
func (g Goal) Reached(b *board.Board) bool {
	return g.Tile != 0 && b.Largest() >= uint8(bits.TrailingZeros64(uint64(g.Tile))) || g.Sum != 0 && b.Sum() >= g.Sum
}

// String returns the text that ParseGoal reads, "" for no goal.
func (g Goal) String() string {
	switch {
	case g.Sum != 0:
		return "sum=" + strconv.FormatInt(g.Sum, 10)
	case g.Tile != 0:
		return strconv.FormatInt(g.Tile, 10)
	}
	return ""
}
