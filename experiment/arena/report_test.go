package arena

import (
	"math"
	"math/bits"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// played makes up games from scores and highest tiles: 10 moves a game for each
// exponent, 1.5 ms a move.
func played(name string, scores []int64, exponents []uint8) PlayerResults {
	p := PlayerResults{Name: name}
	for i, score := range scores {
		moves := 10 * int(exponents[i])
		p.Games = append(p.Games, Outcome{
			Seed: 42, Index: uint64(i), Score: score, Largest: exponents[i],
			Moves: moves, Elapsed: time.Duration(moves) * 1500 * time.Microsecond,
		})
	}
	return p
}

func TestReachedTiles(t *testing.T) {
	for _, c := range []struct {
		name      string
		exponents []uint8
		until     int64
		want      []uint8
	}{
		{"from the tile all reached", []uint8{10, 12, 13}, 0, []uint8{10, 11, 12, 13}},
		{"2048 when it is far above", []uint8{5, 6}, 0, []uint8{5, 6, 11}},
		{"2048 when it is below", []uint8{13, 14}, 0, []uint8{11, 13, 14}},
		{"no games", nil, 0, []uint8{11}},
		{"none above until", []uint8{7, 9}, 512, []uint8{7, 8, 9}},
		{"until itself", []uint8{7, 8}, 4096, []uint8{7, 8, 11, 12}},
		{"until that all passed at once", []uint8{2, 1}, 2, []uint8{1}},
	} {
		r := &Results{Setup: Setup{Size: board.Size{Rows: 4, Cols: 4}, Stop: game.Stop{Tile: c.until}}, Games: 3}
		r.Players = []PlayerResults{{Name: "none"}, played("some", make([]int64, len(c.exponents)), c.exponents)}
		report := r.Statistics()
		for _, p := range report.Players {
			var got []uint8
			for _, s := range p.Reached {
				got = append(got, uint8(bits.TrailingZeros64(uint64(s.Tile))))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s, player %s (-want +got):\n%s", c.name, p.Player, diff)
			}
		}
	}
}

// Workers may report arbitrarily long times.
func TestEndlessTimes(t *testing.T) {
	p := played("greedy", []int64{100, 200}, []uint8{4, 5})
	p.Games[0].Elapsed, p.Games[1].Elapsed = math.MaxInt64, math.MaxInt64
	s := (&Results{Players: []PlayerResults{p}}).Statistics().Players[0]
	if s.MSPerMove != stats.Figure(float64(math.MaxInt64)/1e6/float64(s.Moves)) || s.MovesPerSecond <= 0 {
		t.Errorf("%d moves, %g ms per move", s.Moves, s.MSPerMove)
	}
}

func TestCompareWon(t *testing.T) {
	a := played("a", []int64{100, 200, 300, 400}, []uint8{7, 8, 8, 10}).Games
	b := played("b", []int64{100, 100, 500, 300}, []uint8{7, 7, 9, 9}).Games
	c := Compare(a, b)
	if c.Higher != 2 || c.Lower != 1 || c.WonCI != stats.Wilson(2, 4) {
		t.Errorf("%+v", c)
	}
}

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

func TestComparePairsBySeedAndIndex(t *testing.T) {
	a := []Outcome{{Index: 0, Score: 100}, {Index: 1, Score: 40}, {Index: 2, Score: 70}, {Index: 5, Score: 9999}, {Seed: 1, Index: 3, Score: 1}}
	b := []Outcome{{Index: 2, Score: 60}, {Index: 0, Score: 80}, {Index: 1, Score: 40}, {Index: 3, Score: 5}}
	c := Compare(a, b)
	// Differences 20, 0, 10: mean 10, s = 10, t(2) = 4.302653: half 24.841.
	if c.Games != 3 || c.Difference != 10 || c.Higher != 2 || c.Lower != 0 || !near(c.CI.Half(), 24.841, 1e-3) || c.Clear() {
		t.Errorf("comparison %+v", c)
	}
	if back := Compare(b, a); back.Difference != -10 || back.Lower != 2 || back.Higher != 0 {
		t.Errorf("with the players exchanged: %+v", back)
	}
	if one := Compare(a[:1], b); one.Games != 1 || one.Difference != 20 || one.CI.Known() || one.Clear() {
		t.Errorf("one pair: %+v", one)
	}
	if none := Compare(a, nil); none.Games != 0 || !math.IsNaN(float64(none.Difference)) {
		t.Errorf("no pair: %+v", none)
	}
}

// A difference that is significant in a single comparison need not be significant among several, in any report.
func TestVerdictsAreCorrected(t *testing.T) {
	first := played("first", []int64{100, 200, 300, 400, 500, 600}, []uint8{7, 7, 7, 7, 7, 7})
	other := played("other", []int64{100, 220, 310, 450, 560, 620}, []uint8{7, 7, 7, 7, 7, 7}) // p is 0.04
	far := played("far", []int64{1100, 1201, 1300, 1402, 1500, 1601}, []uint8{7, 7, 7, 7, 7, 7})
	for _, c := range []struct {
		players []PlayerResults
		want    []bool
	}{
		{[]PlayerResults{first, other}, []bool{true}},
		{[]PlayerResults{first, other, far}, []bool{true, true}}, // Holm leaves the largest p unchanged
		{[]PlayerResults{first, other, other}, []bool{false, false}},
		{[]PlayerResults{first, other, far, other}, []bool{false, true, false}},
	} {
		r := &Results{Setup: Setup{Size: board.Size{Rows: 4, Cols: 4}}, Games: 6, Players: c.players}
		var got []bool
		for i, one := range r.CompareToFirst() {
			got = append(got, one.Clear())
			if !one.CI.Known() || one.CI.Low <= 0 || (one.Verdict == "higher") != c.want[i] {
				t.Errorf("%+v", one)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
		for i, shown := range r.Experiment(protocol.ExperimentInfo{}).Comparisons {
			must.Equal(t, shown.Clear, c.want[i], "the page's comparison", i, "clear")
		}
	}
}
