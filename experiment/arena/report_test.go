package arena

import (
	"math"
	"math/bits"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/afterstate2048/afterstate/internal/stats"
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

// Workers report times, which may be as long as they like.
func TestEndlessTimes(t *testing.T) {
	p := played("greedy", []int64{100, 200}, []uint8{4, 5})
	p.Games[0].Elapsed, p.Games[1].Elapsed = math.MaxInt64, math.MaxInt64
	s := (&Results{Players: []PlayerResults{p}}).Statistics().Players[0]
	if s.MSPerMove != stats.Figure(float64(math.MaxInt64)/1e6/float64(s.Moves)) || s.MovesPerSecond <= 0 {
		t.Errorf("%d moves, %g ms per move", s.Moves, s.MSPerMove)
	}
}
