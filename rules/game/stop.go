package game

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/afterstate2048/afterstate/rules/board"
)

// Stop is a condition that ends a game: a tile of at least Tile, or a sum of all tiles of at least Sum.
// The largest tile and the sum never decrease in a game, so a condition once reached stays reached. The
// zero value is none.
type Stop struct {
	Tile int64 // a power of two; 0: none
	Sum  int64 // 0: none
}

// ParseStop parses "32768" (a tile) or "sum=28672".
func ParseStop(text string) (Stop, error) {
	number, isSum := strings.CutPrefix(text, "sum=")
	n, err := strconv.ParseInt(number, 10, 64)
	s := Stop{Tile: n}
	if isSum {
		s = Stop{Sum: n}
	}
	if err != nil || s == (Stop{}) || s.Validate() != nil {
		return Stop{}, fmt.Errorf("goal %q: want a tile (a power of two from 4 to 2^%d) or sum=N with N at least 4", text, board.MaxExponent)
	}
	return s, nil
}

// Validate returns an error unless the goal is one that boards can reach: a tile from 4 to
// 2^MaxExponent, a sum from 4 to 2^(MaxExponent+1), or none.
func (s Stop) Validate() error {
	switch {
	case s.Tile != 0 && s.Sum != 0:
		return fmt.Errorf("a goal of tile %d and of sum %d: want one of them", s.Tile, s.Sum)
	case s.Tile != 0 && (s.Tile < 4 || s.Tile > 1<<board.MaxExponent || s.Tile&(s.Tile-1) != 0):
		return fmt.Errorf("goal tile %d: want a power of two from 4 to 2^%d", s.Tile, board.MaxExponent)
	case s.Sum != 0 && (s.Sum < 4 || s.Sum > 1<<(board.MaxExponent+1)):
		return fmt.Errorf("goal sum %d: want 4 to 2^%d", s.Sum, board.MaxExponent+1)
	}
	return nil
}

// Reached reports whether a board satisfies the goal; no board satisfies the zero Stop.
func (s Stop) Reached(b *board.Board) bool {
	return s.Tile != 0 && b.Largest() >= uint8(bits.TrailingZeros64(uint64(s.Tile))) || s.Sum != 0 && b.Sum() >= s.Sum
}

// String returns the text that ParseStop reads, "" for none.
func (s Stop) String() string {
	switch {
	case s.Sum != 0:
		return "sum=" + strconv.FormatInt(s.Sum, 10)
	case s.Tile != 0:
		return strconv.FormatInt(s.Tile, 10)
	}
	return ""
}

// MarshalText writes the text that ParseStop reads.
func (s Stop) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (s *Stop) UnmarshalText(text []byte) (err error) {
	*s = Stop{}
	if len(text) > 0 {
		*s, err = ParseStop(string(text))
	}
	return err
}
