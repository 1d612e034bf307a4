package stats

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/internal/soak"
)

// scores holds distributions of scores.
var scores = map[string]func(chance *rand.Rand) int64{
	// Strong players: the score depends on the largest tile, and doubles with each.
	"doubling": func(chance *rand.Rand) int64 {
		tile := 11
		for tile < 17 && chance.Float64() < 0.7 {
			tile++
		}
		base := float64(int64(tile-1) << tile)
		return 4 * int64(base*(1+0.4*chance.Float64())/4)
	},
	// Weak players: lognormal, which is nearly the distribution of greedy and random.
	"lognormal": func(chance *rand.Rand) int64 { return 4 * int64(math.Exp(7.9+0.5*chance.NormFloat64())/4) },
	// No real player: a tail so heavy that the variance is infinite.
	"pareto": func(chance *rand.Rand) int64 { return 4 * int64(250*math.Pow(1-chance.Float64(), -1/1.5)) },
	// Small boards: few scores, many of them equal.
	"few": func(chance *rand.Rand) int64 { return []int64{8, 8, 20, 20, 36, 68, 160}[chance.IntN(7)] },
}

// play plays a match of at most pairs pairs. The second player's scores are multiplied by better.
func (m *Match) play(chance *rand.Rand, pairs int, score func(*rand.Rand) int64, better float64) {
	for i := uint64(0); i < uint64(pairs) && m.Winner() == 0; i++ {
		m.Add(0, i, score(chance))
		m.Add(1, i, int64(better*float64(score(chance))))
	}
}

// Of 1,000 matches of equal players at most 1 in 20 ends with a verdict, which is always
// wrong, although the test is evaluated after every pair of games.
// SOAK=1 lets them last up to 20,000 pairs, which takes some minutes.
func TestMatchOfEqualPlayers(t *testing.T) {
	pairs := soak.Count(300, 20_000)
	for name, score := range scores {
		wrong := [2]int{}
		for seed := range uint64(1000) {
			m := NewMatch(0.95)
			m.play(rand.New(rand.NewPCG(seed, 7)), pairs, score, 1)
			if m.Winner() != 0 {
				wrong[(m.Winner()+1)/2]++
			}
		}
		t.Logf("%s: %d and %d wrong verdicts", name, wrong[1], wrong[0])
		if wrong[0]+wrong[1] > 50 {
			t.Errorf("%s: %v wrong verdicts in 1000 matches, want at most 50", name, wrong)
		}
	}
}

// The better player wins, the other one rarely, and the match is not much longer than a test
// with the number of games chosen in advance: for a difference
// of mu and a deviation of sigma, (1.96+1.28)² (sigma/mu)² pairs for a power of 90 %.
func TestMatchEnds(t *testing.T) {
	for name, c := range map[string]struct {
		better  float64
		maximum float64 // maximum length as a multiple of that test
	}{"doubling": {1.2, 2}, "lognormal": {1.1, 2}, "few": {1.5, 2}, "pareto": {2, 4}} {
		const matches = 100
		score := scores[name]
		chance := rand.New(rand.NewPCG(1, 2))
		var sum, squares float64
		for range 100_000 {
			d := c.better*float64(score(chance)) - float64(score(chance))
			sum += d
			squares += d * d
		}
		mean := sum / 100_000
		fixed := (1.96 + 1.28) * (1.96 + 1.28) * (squares/100_000 - mean*mean) / (mean * mean)
		right, pairs := 0, 0
		for range matches {
			m := NewMatch(0.95)
			m.play(chance, 100_000, score, c.better)
			pairs += m.DecidedAfter()
			if m.Winner() == -1 {
				right++
			}
		}
		t.Logf("%s, %.2f times better: %d of %d right, %d pairs; a fixed number: %.0f", name, c.better, right, matches, pairs/matches, fixed)
		if right < 95 {
			t.Errorf("%s: %d of %d right", name, right, matches)
		}
		if got := float64(pairs) / matches; got > c.maximum*fixed {
			t.Errorf("%s: %.0f pairs, want at most %.0f", name, got, c.maximum*fixed)
		}
	}
}

// In 95 of 100 matches, the interval contains the difference at several moments of the match at
// once, and it gets narrow.
func TestMatchInterval(t *testing.T) {
	const matches, better = 100, 1.2
	for name, width := range map[string]float64{"lognormal": 0.5, "doubling": 1.5} {
		score := scores[name]
		chance := rand.New(rand.NewPCG(3, 4))
		truth, mean := 0.0, 0.0
		for range 1_000_000 {
			x := float64(score(chance))
			truth += (better - 1) * x / 1_000_000
			mean += x / 1_000_000
		}
		missed := 0
		for range matches {
			m := NewMatch(0.95)
			outside := false
			for i := range uint64(600) {
				m.Add(0, i, int64(better*float64(score(chance))))
				m.Add(1, i, score(chance))
				if n := m.Pairs(); n == 20 || n == 100 || n == 600 {
					ci := m.Interval()
					outside = outside || ci.Low > truth || ci.High < truth
				}
			}
			if outside {
				missed++
			}
			if ci := m.Interval(); !ci.Known() || ci.High-ci.Low > width*mean || ci.Low > m.Mean() || ci.High < m.Mean() {
				t.Fatalf("%s: %v around %v after %d pairs", name, ci, m.Mean(), m.Pairs())
			}
		}
		t.Logf("%s: %d of %d intervals missed %.0f", name, missed, matches, truth)
		if missed > 5 {
			t.Errorf("%s: %d of %d intervals missed %.0f", name, missed, matches, truth)
		}
	}
}

// Games in any order, and repeated games, give the same match.
func TestMatchTakesGamesInAnyOrder(t *testing.T) {
	chance := rand.New(rand.NewPCG(5, 6))
	type coming struct {
		player int
		index  uint64
		score  int64
	}
	var games []coming
	want := NewMatch(0.9)
	for i := range uint64(300) {
		a, b := scores["lognormal"](chance), scores["lognormal"](chance)
		games = append(games, coming{0, i, a}, coming{1, i, b})
		want.Add(0, i, a)
		want.Add(1, i, b)
	}
	for range 20 {
		got := NewMatch(0.9)
		chance.Shuffle(len(games), func(i, j int) { games[i], games[j] = games[j], games[i] })
		for i, g := range games {
			got.Add(g.player, g.index, g.score)
			if i%3 == 0 {
				again := games[chance.IntN(i+1)]
				got.Add(again.player, again.index, again.score)
			}
		}
		a, b := got.Wealth()
		c, d := want.Wealth()
		if got.Pairs() != 300 || got.Winner() != want.Winner() || a != c || b != d || got.Mean() != want.Mean() {
			t.Fatalf("%+v, want %+v", got, want)
		}
	}
}

// A match that continues after its verdict does not change it. It has a JSON form.
func TestMatchContinues(t *testing.T) {
	m := NewMatch(0.95)
	m.Name, m.A, m.B = "x", "a", "b"
	for i := range uint64(20_000) {
		m.Add(0, i, 10)
		m.Add(1, i, 20+int64(i%3))
		if m.Winner() == 0 {
			continue
		}
		if _, b := m.Wealth(); b < 40 || b > 80 {
			t.Fatalf("wealth %v after %d pairs", b, m.Pairs())
		}
	}
	line, err := json.Marshal(m)
	want := regexp.MustCompile(`^{"experiment":"x","a":"a","b":"b","winner":"b","pairs":20000,"decided_after":\d+,"confidence":0.95,"wealth_a":0\.\d+,"wealth_b":[45]\d\.\d+,"threshold":40,"mean_difference":-10.99995,"mean_difference_ci":\[-1[12]\.\d+,-\d+\.\d+\]}$`)
	if err != nil || !want.Match(line) || m.Winner() != -1 || m.DecidedAfter() > 20 {
		t.Errorf("%s, %v", line, err)
	}
}

// If all scores are equal, there is no verdict.
func TestMatchOfTwins(t *testing.T) {
	m := NewMatch(0.95)
	if !math.IsNaN(m.Mean()) || m.Interval().Known() || m.Winner() != 0 {
		t.Error("without games, a figure is not NaN")
	}
	for i := range uint64(1000) {
		m.Add(0, i, 100)
		m.Add(1, i, 100)
	}
	if m.Winner() != 0 || m.Pairs() != 1000 || m.Mean() != 0 || m.Interval().Known() {
		t.Errorf("%+v", m)
	}
}

// By hand: the first difference, 10, only sets the scale. The next ones, 5 and 20,
// count as 1/2 and, clipped, 1.
func TestMatchByHand(t *testing.T) {
	m := NewMatch(0.95)
	for i, d := range []int64{10, 5, 20} {
		m.Add(0, uint64(i), 1000+d)
		m.Add(1, uint64(i), 1000)
	}
	want := 0.0
	for _, f := range []float64{0.95, 0.475, 0.2375, 0.11875, 0.059375, 0.0296875} {
		want += (1 + f/2) * (1 + f) / 6
	}
	if up, _ := m.Wealth(); math.Abs(up-want) > 1e-12 || math.Abs(m.Threshold()-40) > 1e-9 {
		t.Errorf("capital %v, want %v; %v decides, want 40", up, want, m.Threshold())
	}
}

// Half of the estimates of the end of a match are right within a factor of 3, their median within a factor of 1.5, and nine
// of ten matches last longer than AtLeast. There are no estimates before 20 pairs or before the wealth has doubled.
func TestLeft(t *testing.T) {
	for name, better := range map[string]float64{"doubling": 1.2, "lognormal": 1.1, "few": 1.5} {
		chance := rand.New(rand.NewPCG(5, 6))
		var ratios, least []float64
		for range 60 {
			m := NewMatch(0.95)
			estimates := map[int]Outlook{}
			for i := uint64(0); m.Winner() == 0; i++ {
				m.Add(0, i, scores[name](chance))
				m.Add(1, i, int64(better*float64(scores[name](chance))))
				left := m.Left()
				if known := !math.IsNaN(float64(left.Pairs)); known != (m.Winner() != 0 || m.Pairs() >= 20 && max(m.up.wealth(), m.down.wealth()) >= 2) {
					t.Fatalf("%d pairs: %v", m.Pairs(), left)
				}
				if m.Winner() == 0 && m.Pairs() >= 20 {
					estimates[m.Pairs()] = left
				}
			}
			for at, left := range estimates {
				took := float64(m.DecidedAfter() - at)
				least = append(least, left.AtLeast/took)
				if ratio := float64(left.Pairs) / took; ratio > 0 {
					ratios = append(ratios, ratio)
				}
			}
		}
		slices.Sort(ratios)
		slices.Sort(least)
		at := func(ratios []float64, share float64) float64 { return ratios[int(share*float64(len(ratios)-1))] }
		t.Logf("%s: estimates are %.2f, %.2f and %.2f times what it takes (quartiles of %d), the least ones %.2f, %.2f at most in nine of ten", name,
			at(ratios, 0.25), at(ratios, 0.5), at(ratios, 0.75), len(ratios), at(least, 0.5), at(least, 0.9))
		if at(ratios, 0.25) < 1.0/3 || at(ratios, 0.75) > 3 || max(at(ratios, 0.5), 1/at(ratios, 0.5)) > 1.5 || at(least, 0.9) > 1 {
			t.Errorf("%s: too many estimates are wrong", name)
		}
	}
}
