// Package odds plays games that start with each legal move on a board, and estimates from their results the chance of
// making each tile, the score and the length of the game.
//
//	e, err := odds.New(ctx, maker, search.NewQuery(board, score).Position, odds.Options{Tiles: []uint8{11}, Games: 1000})
//	defer e.Close()
//	o, err := e.Play(ctx)
//	share, ci, games := o.Chance(board.Left, 11) // chance of a 2048
//
// # Games
//
// If the player has a network, the network plays the games greedily (1 ply) with [learn.Rollouts], about a
// million moves per second and thread. Other players use their rollout player. Both are weaker than a
// player that searches, so the chances are lower than that player's, but comparable between the moves.
//
// Round i has one game after each legal move. All games of a round draw their spawns from PCG(seed, i) (common random
// numbers). Rounds are added to the result in order, so it depends only on the seed and the number of rounds, not on
// threads. Most games end once they have made the largest tile of Options.Tiles and have lasted at least [Soon] moves;
// they take a tenth of the moves of games that are played to the end. Every WholeEvery-th round is played to the end.
// Only these rounds count for the score, the length of games and the chances of larger tiles.
//
// When the context ends, the result contains the rounds before the first incomplete one. A round with
// long games is more likely to be incomplete, so shares from a few rounds are biased towards short games.
//
// # Advice
//
// A search looks deeper than the player of the games, but relies on the estimates of its evaluator. Games
// have real outcomes, but a weaker player plays them. [Odds.Compare] trusts the advice of the search
// unless the games find another move better: better in the chance of the goal (the smallest tile of
// Options.Tiles) or in the score, and not worse in the other criterion. The tests are McNemar's exact test
// of the paired games and Student's t test of the paired scores, one-sided at 2.5 % (a 95 % interval
// without 0), divided by the number of other moves and by 2 for the two criteria (Bonferroni).
package odds

import (
	"cmp"
	"fmt"
	"math/bits"
	"runtime"
	"slices"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Options configures the games. The zero value plays without a limit until the context ends.
type Options struct {
	// Tiles are the exponents of the tiles whose chances are estimated. Nil means the next tile above the
	// largest on the board.
	Tiles []uint8
	Games int    // maximum number of games after each move; 0 means no limit
	Seed  uint64 // seed of the spawns
	// Threads is the number of threads; 0 means GOMAXPROCS. The result does not depend on it.
	Threads int
	P4      float64 // probability of a 4; see game.ChanceOf4
	// WholeEvery selects the rounds that are played to the end: rounds 0, WholeEvery, 2*WholeEvery and so
	// on. Zero means 8, a negative value none.
	WholeEvery int
	// SlowHorizon is the maximum number of moves of a game if the player has no network. With it, no round is played
	// to the end. Zero means no limit.
	SlowHorizon int
}

// Soon is the number of moves within which a game must end for MoveOdds.SoonOver to count it.
const Soon = 50

// highest is the exponent of the largest tile that is reported, unless Options.Tiles has larger ones.
const highest = 16

const (
	defaultWhole = 8
	clearError   = 0.025
)

// Odds holds the results of the games.
type Odds struct {
	Position eval.Position
	// PlayedBy describes the player that played the games.
	PlayedBy  string
	Requested []uint8 // Options.Tiles, sorted; the first is the goal
	// Tiles are the exponents of the counted tiles, sorted: Requested and, if there are whole games, all tiles above
	// the largest one of Position.
	Tiles   []uint8
	Horizon int // games end after this number of moves; 0 means no limit
	Games   int // number of games after each legal move
	Whole   int // number of these games that were played to the end
	Moves   [4]MoveOdds
	pairs   [4][4]pair
}

// MoveOdds is the result of the games after one move.
type MoveOdds struct {
	Legal bool
	// Made is the number of games that made a tile, for each of Odds.Tiles. Tiles up to the largest of
	// Odds.Requested are counted in all games, larger ones in whole games only.
	Made     []int
	Whole    int      // number of whole games that made the largest of Odds.Requested
	SoonOver int      // number of games that were over within Soon moves
	Score    Estimate // final score of whole games, including the score of the position
	Length   Estimate // number of moves of whole games, including the move in question
}

// Estimate is the mean of a series of values, computed by Welford's algorithm.
type Estimate struct {
	N       int
	Mean    float64
	squares float64 // sum of squared differences from the mean
}

func (e *Estimate) add(x float64) {
	e.N++
	d := x - e.Mean
	e.Mean += d / float64(e.N)
	e.squares += d * (x - e.Mean)
}

// Interval returns the 95 % interval of the mean by Student's t.
func (e *Estimate) Interval() stats.Interval {
	if e.N < 2 {
		return stats.Unknown
	}
	half := stats.HalfWidth(e.squares, e.N)
	return stats.Interval{Low: e.Mean - half, High: e.Mean + half}
}

// pair compares the paired games after two moves.
type pair struct {
	// numbers of rounds in which both games made the goal, only the first, only the other, or neither
	both, first, other, neither int
	score                       Estimate // mean difference of the final scores of whole games, first minus other
}

// Exponents returns the exponents of tiles, for Options.Tiles. It fails if a number is not a tile of at
// least 4, or if there are more than 16.
func Exponents(tiles []int64) (exponents []uint8, err error) {
	if len(tiles) > 16 {
		return nil, fmt.Errorf("%d tiles: must be at most 16", len(tiles))
	}
	for _, t := range tiles {
		if t < 4 || !board.IsTile(t) {
			return nil, fmt.Errorf("%d is not a tile to make: must be a power of two from 4 to 2^%d", t, board.MaxExponent)
		}
		exponents = append(exponents, uint8(bits.TrailingZeros64(uint64(t))))
	}
	return exponents, nil
}

// fill replaces zero options with their defaults for the position p.
func (o *Options) fill(p *eval.Position) {
	o.Threads = cmp.Or(max(o.Threads, 0), runtime.GOMAXPROCS(0))
	o.P4 = game.ChanceOf4(o.P4)
	o.WholeEvery = cmp.Or(o.WholeEvery, defaultWhole)
	if len(o.Tiles) == 0 {
		o.Tiles = []uint8{p.Board.Largest() + 1}
	}
	o.Tiles = slices.Clone(o.Tiles)
	slices.Sort(o.Tiles)
	o.Tiles = slices.Compact(o.Tiles)
}

// None returns the odds of a position before any game is played.
func None(p eval.Position, o Options) Odds {
	o.fill(&p)
	return *newOdds(p, &o)
}

func newOdds(p eval.Position, o *Options) *Odds {
	r := &Odds{Position: p, Requested: o.Tiles, Horizon: o.SlowHorizon, Tiles: slices.Clone(o.Tiles)}
	possible := uint8(min(highest, p.Board.Size().Cells()+1))
	if o.WholeEvery < 0 {
		possible = 0 // without whole games no larger tiles are counted
	}
	for e := p.Board.Largest() + 1; e <= possible; e++ {
		if !slices.Contains(r.Tiles, e) {
			r.Tiles = append(r.Tiles, e)
		}
	}
	slices.Sort(r.Tiles)
	for _, d := range board.Directions {
		_, _, legal := p.Board.Slide(d)
		r.Moves[d] = MoveOdds{Legal: legal, Made: make([]int, len(r.Tiles))}
	}
	return r
}

// Goal returns the exponent of the smallest tile in Requested.
func (o *Odds) Goal() uint8 { return o.Requested[0] }

// Chance returns the share of games after a move that made a tile, with its 95 % Wilson interval and the number of
// games. For a tile above the largest in Requested it multiplies two shares: the games that made the largest in
// Requested, among all games, and the games that made the tile, among the whole games that made the largest in
// Requested. The bounds of the interval are multiplied too. So a larger tile never has a greater chance than a
// smaller one.
func (o *Odds) Chance(d board.Direction, exponent uint8) (share float64, ci stats.Interval, games int) {
	limit := slices.Max(o.Requested)
	if games = o.Games; exponent > limit {
		games = o.Whole
	}
	i, m := slices.Index(o.Tiles, exponent), &o.Moves[d]
	if i < 0 || games == 0 {
		return 0, stats.Unknown, 0
	}
	if exponent <= limit {
		return float64(m.Made[i]) / float64(games), stats.Wilson(m.Made[i], games), games
	}
	share, ci, _ = o.Chance(d, limit)
	on := stats.Wilson(m.Made[i], m.Whole)
	if m.Whole == 0 {
		return 0, stats.Interval{High: ci.High}, games // no whole game made the largest of Requested
	}
	return share * float64(m.Made[i]) / float64(m.Whole), stats.Interval{Low: ci.Low * on.Low, High: ci.High * on.High}, games
}

// SoonOver returns the share of games after a move that were over within [Soon] moves, with its 95 % Wilson interval.
func (o *Odds) SoonOver(d board.Direction) (share float64, ci stats.Interval) {
	return stats.Ratio(float64(o.Moves[d].SoonOver), float64(o.Games)), stats.Wilson(o.Moves[d].SoonOver, o.Games)
}

// Best returns the legal move with the most games that made the goal. Ties go to the higher mean
// score, then to the lower direction. ok is false if there are no games.
func (o *Odds) Best() (best board.Direction, ok bool) {
	if o.Games == 0 {
		return 0, false
	}
	goal := slices.Index(o.Tiles, o.Goal())
	for _, d := range board.Directions {
		a, b := &o.Moves[d], &o.Moves[best]
		if a.Legal && (!ok || cmp.Or(cmp.Compare(a.Made[goal], b.Made[goal]), cmp.Compare(a.Score.Mean, b.Score.Mean)) > 0) {
			best, ok = d, true
		}
	}
	return best, ok
}

// Difference compares the games after one move with the games after another.
type Difference struct {
	Chance   float64 // difference of the shares of games that made the goal
	ChanceCI stats.Interval
	Score    Estimate // difference of the scores of whole games
}

// Difference returns the advantage of move a over move b in the paired games.
func (o *Odds) Difference(a, b board.Direction) Difference {
	p := o.pair(a, b)
	return Difference{
		Chance:   stats.Ratio(float64(p.first-p.other), float64(o.Games)),
		ChanceCI: stats.PairedShares(p.both, p.first, p.other, p.neither),
		Score:    p.score,
	}
}

// pair returns the pair in which a is the first move and b the other one.
func (o *Odds) pair(a, b board.Direction) pair {
	if a < b {
		return o.pairs[a][b]
	}
	p := o.pairs[b][a]
	p.first, p.other = p.other, p.first
	p.score.Mean = -p.score.Mean
	return p
}

// better reports whether a is significantly better than b in one criterion and not significantly worse in
// the other. Each test uses half of the significance level.
func (o *Odds) better(a, b board.Direction, level float64) bool {
	p := o.pair(a, b)
	level /= 2
	chance := sign(stats.SignTest(p.first, p.other), stats.SignTest(p.other, p.first), level)
	score := sign(stats.MeanTest(p.score.Mean, p.score.squares, p.score.N), stats.MeanTest(-p.score.Mean, p.score.squares, p.score.N), level)
	return chance+score > 0 && chance*score >= 0
}

// sign returns 1 if above is at most level, -1 if below is at most level, else 0. above and below are the p-values of
// the one-sided tests for a positive and a negative difference.
func sign(above, below, level float64) int {
	switch {
	case above <= level:
		return 1
	case below <= level:
		return -1
	}
	return 0
}

// Verdict compares the advice of a search with the games.
type Verdict struct {
	Advice board.Direction
	// Games is the best move in the games: a move that is significantly better than the advice if there
	// is one, else [Odds.Best].
	Games board.Direction
	// Trusted is the move to trust: Games if it is significantly better, else Advice.
	Trusted board.Direction
	// Difference is the advantage of Games over Advice. It is zero if they are the same move.
	Difference Difference
}

// Agree reports whether the advice is also the best move in the games.
func (v *Verdict) Agree() bool { return v.Advice == v.Games }

// Compare returns the verdict on a move that a search advises; ok is false if there are no games.
// See the package documentation (Advice).
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
