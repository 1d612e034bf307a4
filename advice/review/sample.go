package review

import (
	"math"
	"slices"

	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Sample draws about n of the moves of a game that count ([Judge.Counts]), in game order. A move that is
// drawn with probability 1/w has weight w: it represents w moves. u is the random number of the draw, from
// 0 to 1. Sample draws only for judges of a level, which are slow because they play playouts from each
// board. For other judges, and if at most n moves count, it returns all moves that count, with weight 1.
//
// The probability of a move grows with its loss, as estimated by a search one spawn deep with the level's network
// ([levels.Level.Ahead]), so that few mistakes are missed (systematic sampling in proportion to size; Särndal, Swensson
// and Wretman, 1992, section 3.6). The probability is never 0, because the estimate can be wrong about a single board.
func (j *Judge) Sample(ps []Position, n int, u float64) (drawn []Position, weights []float64, err error) {
	chances := make([]float64, len(ps))
	for i := range ps {
		if !j.Counts(&ps[i]) {
			continue
		}
		chances[i] = 1
		if j.level != nil {
			if chances[i], err = j.screened(&ps[i]); err != nil {
				return nil, nil, err
			}
		}
	}
	if j.level != nil {
		inProportion(chances, n)
	}
	for i, p := range chances {
		if math.Floor(u+p) > math.Floor(u) {
			drawn, weights = append(drawn, ps[i]), append(weights, 1/p)
		}
		u += p
	}
	return drawn, weights, nil
}

// inProportion replaces sizes with probabilities that add up to n. They are proportional to the sizes, but at most 1.
func inProportion(sizes []float64, n int) {
	rest, positive := 0.0, 0 // rest: sum of the sizes whose probability is below 1
	for _, size := range sizes {
		rest += size
		if size > 0 {
			positive++
		}
	}
	largest := slices.Clone(sizes)
	slices.Sort(largest)
	slices.Reverse(largest)
	certain := 0
	for certain < min(n, positive) && float64(n-certain)*largest[certain] >= rest {
		rest -= largest[certain]
		certain++
	}
	for i, size := range sizes {
		switch {
		case size == 0:
		case n >= positive || certain > 0 && size >= largest[certain-1]:
			sizes[i] = 1
		default:
			sizes[i] = size * float64(n-certain) / rest
		}
	}
}

// Counts reports whether a move counts: it has an alternative, and if the judge is a level, its network
// supports the tiles of the board.
func (j *Judge) Counts(p *Position) bool {
	return len(p.Board.Legal()) > 1 && (j.level == nil || p.Board.Largest() <= bitboard.MaxExponent)
}

// screenFloor is added to each loss that screened estimates. It is about as large as the error of the estimate.
const screenFloor = 0.01

// screened estimates the loss of a move from [levels.Level.Ahead], and adds screenFloor. It returns 1 for a move that
// ends the game.
func (j *Judge) screened(p *Position) (float64, error) {
	after, _, _ := p.Board.Slide(p.Played)
	if player.EndsGame(&after) {
		return 1, nil
	}
	values, err := j.level.Ahead(&p.Board)
	if err != nil {
		return 0, err
	}
	best, played := slices.Max(values), values[slices.Index(p.Board.Legal(), p.Played)]
	return (best-played)/max(1, float64(game.Worth(&p.Board))+best) + screenFloor, nil
}
