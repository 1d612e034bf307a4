package levels

import (
	"math"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Each level scores about what its name says, and values the first board so. Random play has a mean of
// about 1,080, so the lowest level cannot be lower.
func TestLevelsScoreTheirNames(t *testing.T) {
	for _, level := range Ladder(bitboard.Size) {
		n := must.Get(level.Network())(t)
		r := learn.NewRollouts(n, learn.Lanes, game.P4)
		r.Slips = level.Slips
		const games = 400
		score, value, next := 0.0, 0.0, uint64(0)
		r.Play(func() bool { return false }, func(g *learn.Rollout) bool {
			b, random := board.New(bitboard.Size), game.NewRandom(1, next, game.P4)
			random.Place(&b, random.Draw())
			word, _ := ntuple.Pack(&b)
			*g = learn.Rollout{Board: word, Spawn: random.State().PCG}
			g.Slip.Seed(2, next)
			next++
			value += float64(n.Value(word)) / games
			return next <= games
		}, func(g *learn.Rollout) { score += float64(g.Score) / games })
		t.Logf("level %s: mean score %.0f, value of the first board %.0f", level.Name, score, value)
		if math.Abs(score/level.Mean-1) > 0.12 || math.Abs(value/score-1) > 0.12 {
			t.Errorf("level %s is another one", level.Name)
		}
	}
}

func TestChoose(t *testing.T) {
	small, large := parse(t, first), parse(t, "65536,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0")
	three := board.New(board.Size{Rows: 3, Cols: 3})
	for _, c := range []struct {
		name  string
		b     *board.Board
		score float64
		want  string
	}{
		{"", &small, 0, "1000"}, {"", &small, 1800, "1000"}, {"", &small, 1850, "3000"}, {"", &small, 4800, "3000"},
		{"", &small, 5000, "8000"}, {"", &small, 12000, "8000"}, {"", &small, 13000, "20000"}, {"", &small, 77000, "20000"},
		{"", &small, 78000, Strong}, {"", &large, 0, Strong}, {"", &three, 100, Strong},
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
	if _, err := Parse("9", bitboard.Size); err == nil || err.Error() != `level "9": must be 1000, 3000, 8000, 20000` {
		t.Error(err)
	}
}
