package levels

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Each level scores about what its name says, and expects this on a first board. The lowest levels play nearly at random.
func TestLevelsScoreTheirNames(t *testing.T) {
	for _, size := range Sizes() {
		for _, level := range Ladder(size) {
			n := must.Get(level.Network())(t)
			r := learn.NewRollouts(n, learn.Lanes, game.P4)
			r.Slips = level.Slips
			if !soak.Wanted() && (size != bitboard.Size || level.Mean > 20000) {
				continue // it takes seconds
			}
			const games = 400
			score, value, next := 0.0, 0.0, uint64(0)
			r.Play(func() bool { return false }, func(g *learn.Rollout) bool {
				b, random := board.New(size), game.NewRandom(1, next, game.P4)
				random.Place(&b, random.Draw())
				*g = learn.Rollout{Spawn: random.State().PCG}
				g.Place(&b)
				g.Slip.Seed(2, next)
				next++
				random.Place(&b, random.Draw())
				value += must.Get(level.Expected(&b))(t) / games
				return next <= games
			}, func(g *learn.Rollout) { score += float64(g.Score) / games })
			t.Logf("level %s of %v: mean score %.0f, expected on a first board %.0f", level.Name, size, score, value)
			if math.Abs(score/level.Mean-1) > 0.12 || math.Abs(value/score-1) > 0.12 {
				t.Errorf("level %s of %v is another one", level.Name, size)
			}
		}
	}
}

func TestChoose(t *testing.T) {
	small, large := parse(t, first), parse(t, "65536,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0")
	three, flat := board.New(board.Size{Rows: 3, Cols: 3}), board.New(board.Size{Rows: 3, Cols: 4})
	for _, c := range []struct {
		name  string
		b     *board.Board
		score float64
		want  string
	}{
		{"", &small, 0, "1000"}, {"", &small, 1800, "1000"}, {"", &small, 1850, "3000"}, {"", &small, 4800, "3000"},
		{"", &small, 5000, "8000"}, {"", &small, 12000, "8000"}, {"", &small, 13000, "20000"}, {"", &small, 33000, "20000"},
		{"", &small, 34000, "60000"}, {"", &small, 130000, "60000"}, {"", &small, 131000, Strong}, {"", &large, 0, Strong},
		{"", &three, 100, Strong}, {"", &flat, 1000, "1000"}, {"", &flat, 20000, Strong}, {"400", &flat, 0, "400"},
		{"8000", &small, 0, "8000"}, {Strong, &small, 0, Strong}, {Strong, &three, 0, Strong},
	} {
		level, err := Choose(c.name, c.b, c.score)
		got := Strong
		if level != nil {
			got = level.Name
		}
		if err != nil || got != c.want {
			t.Errorf("%+v: level %s, %v", c, got, err)
		}
	}
	for name, b := range map[string]*board.Board{"9": &small, "3000": &three} {
		if _, err := Choose(name, b, 0); err == nil || !strings.HasSuffix(err.Error(), " or strong") {
			t.Error(err)
		}
	}
}

func TestParse(t *testing.T) {
	if l := must.Get(Parse("8000", bitboard.Size))(t); l.Mean != 8000 {
		t.Errorf("%+v", l)
	}
	_, err := Parse("9", bitboard.Size)
	must.Equal(t, fmt.Sprint(err), `level "9": must be 1000, 3000, 8000, 20000, 60000`)
}
