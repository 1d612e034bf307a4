package stats

import (
	"encoding/json"
	"math"
	"time"
)

// Match is a sequential test of which of two players has the higher mean score. It may be evaluated
// after every pair of games and stopped at any time: the probability that its verdict is wrong is
// still at most 1 - confidence (anytime-valid).
//
// # Method
//
// The method is testing by betting. A bettor starts with wealth 1 and stakes, before every pair of
// games, a fraction f of the wealth on the score difference d being above 0:
//
//	wealth *= 1 + f*g,   g = d/scale clipped to [-1, 1]
//
// scale is the largest |d| of all earlier pairs, so it is known when the bet is made. Under the
// null hypothesis that the first player is no better (the conditional mean of g is at most 0) the
// wealth is a nonnegative supermartingale: an e-process. By Ville's inequality the probability that
// it ever reaches x is at most 1/x. The first player is declared better when the wealth reaches
// 2/(1-confidence), which is 40 for 95 %. A second bettor bets on the other player. The factor 2 is
// the union bound over both bettors.
//
// The best fraction f is not known in advance, so the wealth is a mixture over six fractions, each
// half of the one before. The part with the best fraction soon dominates.
//
// Scaling by past differences needs no bound on scores, no variance and no normality. Strictly, the
// test is about the mean of clipped differences: the absolute value of a difference is limited to the
// largest one of all earlier pairs. If the scores of both players have the same distribution, this
// mean is 0.
//
// # Sources
//
// J. Ville, Étude critique de la notion de collectif (1939): the inequality. H. Robbins,
// Statistical methods related to the law of the iterated logarithm (1970): mixtures. G. Shafer,
// Testing by betting, J. R. Stat. Soc. A 184 (2021): wealth as evidence. I. Waudby-Smith, A.
// Ramdas, Estimating means of bounded random variables by betting, J. R. Stat. Soc. B 86 (2024):
// bets on a mean, and confidence sequences.
type Match struct {
	Name, A, B string        // name of the experiment and of both players, for output
	PairTime   time.Duration // how long a pair of games takes; 0: unknown

	confidence float64
	pairs      []pair
	sum        float64 // sum of the differences of scores
	squares    float64 // sum of their squares
	scale      float64 // the largest |difference| so far
	up, down   bettor
	winner     int
	decided    int // number of pairs at the verdict; before the verdict, number of all pairs
	// open holds scores, by player and index, of games not used yet: their pair or an earlier one is incomplete.
	open [2]map[uint64]int64
}

// pair is the result of a pair of games, and the state of the bets after it.
type pair struct {
	difference float64 // of the scores
	scale      float64 // scale of the bet on this pair
	up, down   float64 // wealth of both bettors after this pair
}

// NewMatch returns a match whose verdict has this confidence, which must be above 0 and below 1.
func NewMatch(confidence float64) *Match {
	return &Match{confidence: confidence, up: newBettor(), down: newBettor(), open: [2]map[uint64]int64{{}, {}}}
}

// Add records the game with the given index, played by the first player (if player is 0) or the second
// (if player is 1). Games may come in any order and more than once. Pairs are used in the order of
// their index: the order in which games end would bias the test, because short games have low scores.
func (m *Match) Add(player int, index uint64, score int64) {
	next := uint64(len(m.pairs))
	if index < next {
		return
	}
	m.open[player][index] = score
	for {
		a, first := m.open[0][next]
		b, other := m.open[1][next]
		if !first || !other {
			return
		}
		delete(m.open[0], next)
		delete(m.open[1], next)
		m.pair(float64(a - b))
		next++
	}
}

// pair bets on the difference of two scores, and then updates the scale.
func (m *Match) pair(d float64) {
	m.sum += d
	m.squares += d * d
	if m.winner == 0 && m.scale > 0 {
		g := max(-1, min(d/m.scale, 1))
		m.up.bet(g)
		m.down.bet(-g)
	}
	p := pair{d, m.scale, m.up.wealth(), m.down.wealth()}
	m.pairs = append(m.pairs, p)
	m.scale = max(m.scale, math.Abs(d))
	if m.winner != 0 {
		return
	}
	switch {
	case p.up >= m.Threshold():
		m.winner = 1
	case p.down >= m.Threshold():
		m.winner = -1
	}
	m.decided = len(m.pairs)
}

// Confidence returns the confidence given to NewMatch.
func (m *Match) Confidence() float64 { return m.confidence }

// Pairs returns the number of complete pairs before the first index that lacks a game.
func (m *Match) Pairs() int { return len(m.pairs) }

// Winner returns 1 if the first player has been declared better, -1 if the second has, and 0 before
// the verdict. A verdict is final.
func (m *Match) Winner() int { return m.winner }

// DecidedAfter returns the number of pairs at the verdict, or the number of all pairs before the
// verdict. The bettors do not bet on later pairs.
func (m *Match) DecidedAfter() int { return m.decided }

// Wealth returns the wealth of both bettors: the e-values for the first and for the second player
// being better. It does not change after the verdict.
func (m *Match) Wealth() (first, other float64) { return m.up.wealth(), m.down.wealth() }

// Threshold returns 2/(1-confidence): the match is decided when the wealth of a bettor reaches it.
func (m *Match) Threshold() float64 { return 2 / (1 - m.confidence) }

// Outlook estimates how many more pairs a match takes until its verdict.
type Outlook struct {
	Pairs   Figure  `json:"pairs"`    // expected number of further pairs; NaN: unknown, see Left
	AtLeast float64 `json:"at_least"` // nine of ten verdicts take more further pairs than this; 0: unknown
	Seconds Figure  `json:"seconds"`  // expected time for Pairs, from PairTime; NaN: unknown
}

// Left estimates how many more pairs a verdict takes if they resemble the pairs so far. Pairs is
// NaN and AtLeast is 0 for fewer than 20 pairs. Pairs is also NaN while the leading bettor's wealth
// is below 2, and if the estimate exceeds a billion. After the verdict, Left returns the zero
// Outlook.
//
// In n pairs, the logarithm of the wealth with fraction f grows by the sum of log(1 + f*g), which
// is about n(f*mean(g) - f²*mean(g²)/2) plus noise. For Pairs, the mean is set to the upper
// quartile of its estimate: the longer a match lasts, the more likely the better player was unlucky
// so far. With this choice, the median of the estimates is about right. For AtLeast, the mean and
// the noise together are set to the value that they exceed in one of 40 cases. With this choice, nine
// of ten verdicts take longer (TestLeft).
func (m *Match) Left() Outlook {
	const minPairs, minWealth, upperQuartile = 20, 2, 0.674
	unknown := Figure(math.NaN())
	o := Outlook{Pairs: unknown, Seconds: unknown}
	switch {
	case m.winner != 0:
		return Outlook{}
	case m.Pairs() < minPairs:
		return o
	}
	mean, square := m.Mean()/m.scale, m.squares/float64(m.Pairs())/(m.scale*m.scale)
	lead, other := &m.up, &m.down
	if other.wealth() > lead.wealth() {
		lead, other, mean = other, lead, -mean
	}
	o.AtLeast = min(m.pairsUntil(lead, mean, square, z95, 1), m.pairsUntil(other, -mean, square, z95, 1))
	if lead.wealth() < minWealth {
		return o
	}
	if pairs := m.pairsUntil(lead, mean, square, upperQuartile, 0); pairs < maxPairsLeft {
		o.Pairs = Figure(pairs)
		if m.PairTime > 0 {
			o.Seconds = Figure(pairs * m.PairTime.Seconds())
		}
	}
	return o
}

// maxPairsLeft is the largest number of pairs that Left estimates.
const maxPairsLeft = 1e9

// pairsUntil returns the number of further pairs that a bettor needs for the verdict, at most
// maxPairsLeft. It assumes that the gains have this mean and mean square, and that their sum exceeds its
// expectation by the given number (better) of standard errors. The standard error includes the error of
// the estimated mean and, if chance is 1 instead of 0, the randomness of the further gains.
func (m *Match) pairsUntil(side *bettor, mean, square, better, chance float64) float64 {
	decides := func(pairs float64) bool {
		gain, wealth := pairs*mean+better*math.Sqrt((square-mean*mean)*pairs*(chance+pairs/float64(m.Pairs()))), 0.0
		for i, part := range side {
			f := fractions[i]
			wealth += part * math.Exp(f*gain-pairs*f*f*square/2)
		}
		return wealth >= m.Threshold()
	}
	low, high := 0.0, 1.0
	for !decides(high) {
		if low, high = high, 2*high; high > maxPairsLeft {
			return maxPairsLeft
		}
	}
	for high-low > 1 {
		if middle := (low + high) / 2; decides(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return math.Ceil(high)
}

// Mean returns the mean difference of the scores (first minus second) of all pairs, or NaN if there
// are none.
func (m *Match) Mean() float64 { return Ratio(m.sum, float64(len(m.pairs))) }

// Interval returns a confidence sequence for the mean difference: the means that the bets have not
// refuted. With the match's confidence, it contains the true mean after every pair. An end is NaN
// while the bets refute no value up to twice the largest difference so far. A call takes 60
// bisection steps of O(pairs) each.
func (m *Match) Interval() Interval {
	if m.scale == 0 {
		return Unknown
	}
	return Interval{-m.end(-1), m.end(1)}
}

// end returns the upper end of the interval for the mean of sign*difference; NaN if it is unknown.
func (m *Match) end(sign float64) float64 {
	low, high := sign*m.Mean(), 2*m.scale
	refuted := func(mean float64) bool {
		p := newBettor()
		for i := range m.pairs {
			if x := &m.pairs[i]; x.scale > 0 {
				p.bet(max(-1, min((mean-sign*x.difference)/x.scale, 1)))
			}
			if p.wealth() >= m.Threshold() {
				return true
			}
		}
		return false
	}
	if !refuted(high) {
		return math.NaN()
	}
	for range 30 { // bisection: a larger mean gives the bettor more wealth
		if middle := (low + high) / 2; refuted(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// bettor holds the wealth of one of the two bettors of a match, with one part for each of the fractions.
type bettor [6]float64

// fractions holds the stakes: part i of the wealth stakes fractions[i] of itself on each pair. The
// smallest suits players whose mean difference is a hundredth of the typical difference of two
// games.
var fractions = bettor{0.95, 0.95 / 2, 0.95 / 4, 0.95 / 8, 0.95 / 16, 0.95 / 32}

func newBettor() (p bettor) {
	for i := range p {
		p[i] = 1.0 / float64(len(p))
	}
	return p
}

// bet multiplies the wealth according to the outcome g, from -1 to 1.
func (p *bettor) bet(g float64) {
	for i := range p {
		p[i] *= 1 + fractions[i]*g
	}
}

func (p *bettor) wealth() (sum float64) {
	for _, part := range p {
		sum += part
	}
	return sum
}

// Curve returns the wealth of both bettors after each number of pairs, from the start to the
// verdict, thinned to about maxPoints points.
func (m *Match) Curve(maxPoints int) (pairs []int, first, other []float64) {
	pairs, first, other = []int{0}, []float64{1}, []float64{1}
	step := max(1, (m.decided+maxPoints-1)/maxPoints)
	for i, p := range m.pairs[:m.decided] {
		if n := i + 1; n%step == 0 || n == m.decided {
			pairs, first, other = append(pairs, n), append(first, rounded(p.up)), append(other, rounded(p.down))
		}
	}
	return pairs, first, other
}

// MatchResult is the state of a match in JSON. Numbers have eight significant digits.
type MatchResult struct {
	Name       string   `json:"experiment,omitempty"`
	A          string   `json:"a,omitempty"`
	B          string   `json:"b,omitempty"`
	Winner     *string  `json:"winner"` // A or B; null before the verdict
	Pairs      int      `json:"pairs"`  // number of complete pairs of games
	Decided    *int     `json:"decided_after"`
	Left       *Outlook `json:"left,omitempty"` // absent after the verdict
	Confidence float64  `json:"confidence"`
	WealthA    float64  `json:"wealth_a"` // e-value for A being better
	WealthB    float64  `json:"wealth_b"`
	Threshold  float64  `json:"threshold"` // the e-value that decides
	Mean       Figure   `json:"mean_difference"`
	CI         Interval `json:"mean_difference_ci"`
}

// Result returns the state of the match for output.
func (m *Match) Result() MatchResult {
	out := MatchResult{
		Name: m.Name, A: m.A, B: m.B, Pairs: m.Pairs(), Confidence: m.confidence,
		WealthA: rounded(m.up.wealth()), WealthB: rounded(m.down.wealth()), Threshold: rounded(m.Threshold()), Mean: Figure(m.Mean()), CI: m.Interval(),
	}
	switch m.winner {
	case 1:
		out.Winner, out.Decided = &m.A, &m.decided
	case -1:
		out.Winner, out.Decided = &m.B, &m.decided
	default:
		left := m.Left()
		out.Left = &left
	}
	return out
}

// MarshalJSON writes the result.
func (m *Match) MarshalJSON() ([]byte, error) { return json.Marshal(m.Result()) }
