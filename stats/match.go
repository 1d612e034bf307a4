package stats

import (
	"encoding/json"
	"math"
)

// Match tells which of two players scores more on average while they still play: it
// may be asked after every pair of games, and stops being wrong no less often than
// promised for that.
//
// # How
//
// Testing a mean again and again, and stopping when it seems clear, errs far more
// often than 1 in 20: luck has many chances. A gambler does not have this problem.
// He starts with 1 and bets before every pair of games, on the difference d of the
// scores being above 0, a share f of what he has:
//
//	capital becomes capital * (1 + f g),   g = d / scale cut off at -1 and 1
//
// where scale is the largest |d| of all earlier pairs, so that it is known when he
// bets. If the first player is no better (the mean of g is 0 or less, whatever came
// before), the game is fair at best: his capital is then a nonnegative
// supermartingale, and by Ville's inequality it ever reaches x with a chance of at
// most 1/x, however long he plays and whenever he looks. So once it has reached
// 2/(1-confidence), 40 for 95 %, the first player is better, or something happened
// whose chance was at most 1 in 40. A second gambler bets on the other player; the
// chances of both add up to 1 in 20.
//
// Nobody knows the best share f beforehand. So the capital is spread over a few
// shares, each a half of the one before; the best of them soon holds nearly all.
//
// The scale makes this work for scores of any size, whose largest values are rare
// and far out: no bound on scores, no variance and no normal distribution is asked
// for. What is decided upon is, to be exact, the mean of differences in which one
// that is larger than all before counts as large as the largest before; of two
// players that play alike it is 0 exactly.
//
// # Sources
//
// J. Ville, Étude critique de la notion de collectif (1939): the inequality.
// H. Robbins, Statistical methods related to the law of the iterated logarithm
// (1970): spreading over many bets. I. Waudby-Smith, A. Ramdas, Estimating means of
// bounded random variables by betting, J. R. Stat. Soc. B 86 (2024): bets on a mean,
// and intervals that hold at every moment.
type Match struct {
	Name, A, B string // of an experiment and the players, for output

	confidence  float64
	differences []float64 // of pairs, in their order
	scale       float64   // the largest |difference| so far
	up, down    bettor
	winner      int
	decided     int                 // pairs when the winner was found
	open        [2]map[uint64]int64 // scores of games whose pair is not complete or not next
}

// NewMatch is a match between two players that ends with a certain confidence,
// above 0 and below 1, in its verdict.
func NewMatch(confidence float64) *Match {
	return &Match{confidence: confidence, up: newBettor(), down: newBettor(), open: [2]map[uint64]int64{{}, {}}}
}

// Add takes a game of the first player (0) or the other (1). Games may come in any
// order, and twice; pairs count in the order of their index, since games that end
// early are not like others.
func (m *Match) Add(who int, index uint64, score int64) {
	next := uint64(len(m.differences))
	if index < next {
		return
	}
	m.open[who][index] = score
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

// pair bets on a difference.
func (m *Match) pair(d float64) {
	m.differences = append(m.differences, d)
	if m.winner == 0 && m.scale > 0 {
		g := max(-1, min(d/m.scale, 1))
		m.up.bet(g)
		m.down.bet(-g)
	}
	m.scale = max(m.scale, math.Abs(d))
	if m.winner != 0 {
		return
	}
	switch {
	case m.up.wealth() >= m.Threshold():
		m.winner = 1
	case m.down.wealth() >= m.Threshold():
		m.winner = -1
	}
	m.decided = len(m.differences)
}

// Confidence is the confidence of the verdict.
func (m *Match) Confidence() float64 { return m.confidence }

// Pairs is the number of pairs of games that count.
func (m *Match) Pairs() int { return len(m.differences) }

// Winner is 1 once the first player is found to be better, -1 once the other is, and
// 0 before. It does not change again.
func (m *Match) Winner() int { return m.winner }

// DecidedAfter is the number of pairs after which the winner was found. Games that were
// under way then come on top.
func (m *Match) DecidedAfter() int { return m.decided }

// Wealth are the capitals of those who bet on the first player and on the other. One
// that reaches Needed decides, and they bet no more.
func (m *Match) Wealth() (first, other float64) { return m.up.wealth(), m.down.wealth() }

// Threshold is the capital that decides.
func (m *Match) Threshold() float64 { return 2 / (1 - m.confidence) }

// Mean is the mean difference of the pairs, NaN of none.
func (m *Match) Mean() float64 {
	sum := 0.0
	for _, d := range m.differences {
		sum += d
	}
	return Ratio(sum, float64(len(m.differences)))
}

// Interval holds the mean difference with the match's confidence, at every moment of
// the match at once: the values that nobody who bet against them has ever made enough
// from. It is not known as long as they have no end. It takes some time: millions of
// steps for ten thousand pairs.
func (m *Match) Interval() Interval {
	if m.scale == 0 {
		return Unknown
	}
	return Interval{-m.end(-1), m.end(1)}
}

// end is the upper end of the interval of sign*differences.
func (m *Match) end(sign float64) float64 {
	low, high := sign*m.Mean(), 2*m.scale
	refuted := func(mean float64) bool {
		p, scale := newBettor(), 0.0
		for _, d := range m.differences {
			if scale > 0 {
				p.bet(max(-1, min((mean-sign*d)/scale, 1)))
			}
			if p.wealth() >= m.Threshold() {
				return true
			}
			scale = max(scale, math.Abs(d))
		}
		return false
	}
	if !refuted(high) {
		return math.NaN()
	}
	for range 30 { // the capital grows with mean
		if middle := (low + high) / 2; refuted(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// bettor is a capital spread over shares that are bet.
type bettor [6]float64

// shares are what is bet of each part of a purse. The smallest is right for players
// that differ by a hundredth of the usual difference of two games.
var shares = bettor{0.95, 0.95 / 2, 0.95 / 4, 0.95 / 8, 0.95 / 16, 0.95 / 32}

func newBettor() (p bettor) {
	for i := range p {
		p[i] = 1.0 / float64(len(p))
	}
	return p
}

// bet bets on g, which is from -1 to 1.
func (p *bettor) bet(g float64) {
	for i := range p {
		p[i] *= 1 + shares[i]*g
	}
}

func (p *bettor) wealth() (sum float64) {
	for _, part := range p {
		sum += part
	}
	return sum
}

// MarshalJSON writes experiment, a and b where they are named, winner (a's or b's
// name, or null), pairs, decided_after (pairs, null where there is no winner),
// confidence, wealth_a and wealth_b, mean_difference and mean_difference_ci. What is not
// known is null. Numbers have eight significant digits.
func (m *Match) MarshalJSON() ([]byte, error) {
	out := struct {
		Name       string   `json:"experiment,omitempty"`
		A          string   `json:"a,omitempty"`
		B          string   `json:"b,omitempty"`
		Winner     *string  `json:"winner"`
		Pairs      int      `json:"pairs"`
		Decided    *int     `json:"decided_after"`
		Confidence float64  `json:"confidence"`
		WealthA    float64  `json:"wealth_a"`
		WealthB    float64  `json:"wealth_b"`
		Mean       *float64 `json:"mean_difference"`
		CI         Interval `json:"mean_difference_ci"`
	}{
		Name: m.Name, A: m.A, B: m.B, Pairs: m.Pairs(), Confidence: m.confidence,
		WealthA: rounded(m.up.wealth()), WealthB: rounded(m.down.wealth()), Mean: OrNull(m.Mean()), CI: m.Interval(),
	}
	switch m.winner {
	case 1:
		out.Winner, out.Decided = &m.A, &m.decided
	case -1:
		out.Winner, out.Decided = &m.B, &m.decided
	}
	return json.Marshal(out)
}
