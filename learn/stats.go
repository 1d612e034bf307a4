package learn

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Tally holds totals over a set of games.
type Tally struct {
	Games uint64 `json:"games"`
	Moves uint64 `json:"moves"`
	Score uint64 `json:"score"` // sum of the scores of all games
	// Largest[e] is the number of games that ended with 2^e as their largest tile.
	Largest [64]uint64 `json:"largest"`
}

// MeanScore returns the mean score, or 0 if there are no games.
func (t *Tally) MeanScore() float64 { return float64(t.Score) / float64(max(1, t.Games)) }

// Reached returns the share of games that ended with a tile of 2^exponent or more, from 0 to 1.
func (t *Tally) Reached(exponent int) float64 {
	var n uint64
	for e := exponent; e < len(t.Largest); e++ {
		n += t.Largest[e]
	}
	return float64(n) / float64(max(1, t.Games))
}

func (t *Tally) add(o *Outcome) {
	t.Games++
	t.Moves += uint64(o.Moves)
	t.Score += uint64(o.Score)
	t.Largest[o.Final.Largest()&63]++
}

// Interval is the progress of training over Options.ReportEvery games.
type Interval struct {
	// From and To are the numbers of games since the start of the training, before and after the
	// interval. Moves is the number of moves from the start of the training to the end of the interval.
	From, To, Moves uint64
	// Fresh counts the games from an empty board, Restarted the games from a stored board or from a
	// board that SetStarts set. The score of a restarted game counts from that board.
	Fresh, Restarted Tally
	// Starts breaks Restarted down by the tile sum of the first board, in ascending order of TileSum.
	Starts []Start
	Times  `json:"-"`
}

// Start counts the restarted games whose first boards have the same TileSum.
type Start struct {
	TileSum uint64 `json:"tile_sum"` // lower bound of the tile sums of the first boards
	Tally
}

func (i *Interval) add(o *Outcome) {
	if o.from == 0 {
		i.Fresh.add(o)
		return
	}
	i.Restarted.add(o)
	k, ok := slices.BinarySearchFunc(i.Starts, o.from, func(s Start, sum uint64) int { return cmp.Compare(s.TileSum, sum) })
	if !ok {
		i.Starts = slices.Insert(i.Starts, k, Start{TileSum: o.from})
	}
	i.Starts[k].add(o)
}

// GamesPerSecond returns the speed over the interval.
func (i *Interval) GamesPerSecond() float64 { return float64(i.To-i.From) / i.Elapsed.Seconds() }

// MovesPerSecond returns the speed over the interval. It counts the moves of fresh and restarted games.
func (i *Interval) MovesPerSecond() float64 {
	return float64(i.Fresh.Moves+i.Restarted.Moves) / i.Elapsed.Seconds()
}

// largest returns the exponent of the largest tile, 0 for an empty board.
func largest(b bitboard.Board) int { return max(0, bits.Len16(b.Exponents())-1) }

// ReachedText formats the share of games that reached each of the four largest tiles, such as
// "2048 98 %  4096 71.5 %".
func (t *Tally) ReachedText() string {
	const maximum = 4
	var words []string
	for e := len(t.Largest) - 1; e > 0 && len(words) < maximum; e-- {
		if share := t.Reached(e); share > 0 {
			words = append(words, fmt.Sprintf("%d %.3g %%", board.Tile(uint8(e)), 100*share))
		}
	}
	slices.Reverse(words)
	return strings.Join(words, "  ")
}
