package odds

import (
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Difference compares the games after a move with those after another one.
type Difference struct {
	Chance   float64 // difference of the shares that made the goal
	ChanceCI stats.Interval
	Score    Estimate // difference of the scores of whole games
}

// Difference returns what a has more than b, from the paired games.
func (o *Odds) Difference(a, b board.Direction) Difference {
	p := o.pair(a, b)
	return Difference{
		Chance:   stats.Ratio(float64(p.first-p.other), float64(o.Games)),
		ChanceCI: stats.PairedShares(p.both, p.first, p.other, p.none),
		Score:    p.score,
	}
}

// pair returns the pair of two moves in this order.
func (o *Odds) pair(a, b board.Direction) pair {
	if a < b {
		return o.pairs[a][b]
	}
	p := o.pairs[b][a]
	p.first, p.other = p.other, p.first
	p.score.Mean = -p.score.Mean
	return p
}

// better reports whether tests find a better than b in one criterion and not worse in the other,
// each at half of a level.
func (o *Odds) better(a, b board.Direction, level float64) bool {
	p := o.pair(a, b)
	level /= 2
	chance := sign(stats.SignTest(p.first, p.other), stats.SignTest(p.other, p.first), level)
	score := sign(stats.MeanTest(p.score.Mean, p.score.squares, p.score.N), stats.MeanTest(-p.score.Mean, p.score.squares, p.score.N), level)
	return chance+score > 0 && chance*score >= 0
}

// sign is 1 if the first p-value is at most the level, -1 if the other is, else 0.
func sign(above, below, level float64) int {
	switch {
	case above <= level:
		return 1
	case below <= level:
		return -1
	}
	return 0
}

// clear reports whether one move is better than all others at look k.
func (o *Odds) clear(k int) bool {
	legal := o.Position.Board.Legal()
	if len(legal) < 2 {
		return false
	}
	level := stopError / float64(uint64(1)<<min(k, 60)) / float64(len(legal)-1)
	for _, a := range legal {
		best := true
		for _, b := range legal {
			best = best && (a == b || o.better(a, b, level))
		}
		if best {
			return true
		}
	}
	return false
}

// Verdict compares the advice of a search with the games.
type Verdict struct {
	Advice board.Direction
	// Games is the best move in the games: one that is clearly better than the advice if there is
	// any, else [Odds.Best].
	Games board.Direction
	// Trusted is the move to trust: Games if it is clearly better, else Advice.
	Trusted board.Direction
	// Difference is what Games has more than Advice.
	Difference Difference
}

// Agree reports whether the games have the same best move.
func (v *Verdict) Agree() bool { return v.Advice == v.Games }

// Compare returns the verdict on a move that a search advises; ok is false without games. See the
// package documentation (Advice).
func (o *Odds) Compare(advice board.Direction) (v Verdict, ok bool) {
	best, ok := o.Best()
	if !ok {
		return v, false
	}
	v = Verdict{Advice: advice, Games: best, Trusted: advice}
	level := clearError / float64(max(1, len(o.Position.Board.Legal())-1))
	if best == advice || !o.better(best, advice, level) {
		for _, d := range board.Directions {
			if d != advice && o.Moves[d].Legal && o.better(d, advice, level) {
				v.Games, v.Trusted = d, d
				break
			}
		}
	} else {
		v.Trusted = best
	}
	if v.Games != advice {
		v.Difference = o.Difference(v.Games, advice)
	}
	return v, true
}
