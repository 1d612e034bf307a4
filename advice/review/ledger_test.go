package review

import (
	"math"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/player/levels"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// The ledger of a level adds up, even if a game stops early. The mean of luck is 0 for every player. A player of the
// level changes the expected score only a little by its moves.
func TestLedgerOfLevel(t *testing.T) {
	level := must.Get(levels.Parse("1000", bitboard.Size))(t)
	parse := func(spec string) (catalog.Maker, error) { return catalog.Parse(spec, catalog.Capabilities{}) }
	judge := By(must.Get(parse(levels.Spec(level.Name, soak.Count(30, minPlayouts))))(t))
	judge.level = &level
	meta := &record.Meta{Spawn: record.Random, P4: game.P4}
	games := soak.Count(6, 20)
	for _, spec := range []string{"level(mean=1000)", "greedy"} {
		var moves, tiles, scores []float64
		for i := range uint64(games) {
			g := must.Get(game.New(game.Options{Spawner: game.NewRandom(3, i, game.P4)}))(t)
			d := player.Driver{Player: must.Get(parse(spec))(t).New(), Game: g}
			must.Do(t, d.Begin(t.Context(), 3, i))
			for more := true; more && (i != 0 || g.Moves() < 40); {
				more = must.Get(d.Move(t.Context()))(t)
			}
			d.Close()
			judged := must.Get(judge.Review(t.Context(), Positions(g), Options{}))(t)
			l := must.Get(judge.Ledger(t.Context(), parse, meta, g, judged))(t)
			if l == nil || l.Score != g.Score() || (l.Remaining != 0) != (i == 0) {
				t.Fatalf("%s, game %d: %+v", spec, i, l)
			}
			if off := l.Expected + l.Moves + l.Luck - l.Remaining - float64(l.Score); math.Abs(off) > 1e-6 {
				t.Errorf("%s, game %d: %+v is off by %v", spec, i, l, off)
			}
			moves, tiles, scores = append(moves, l.Moves), append(tiles, l.Luck), append(scores, float64(l.Score))
		}
		score, _ := stats.Mean(scores)
		move, moved := stats.Mean(moves)
		tile, ci := stats.Mean(tiles)
		t.Logf("%s: mean score %.0f, moves %.0f ± %.0f, luck %.0f ± %.0f", spec, score, move, moved.Half(), tile, ci.Half())
		if math.Abs(tile) > 1.5*ci.Half() {
			t.Errorf("%s: luck is %.0f ± %.0f of %.0f points", spec, tile, ci.Half(), score)
		}
		if spec != "greedy" && math.Abs(move) > 1.5*moved.Half()+0.05*score {
			t.Errorf("the moves of the level change %.0f ± %.0f of %.0f points", move, moved.Half(), score)
		}
	}
}

// A game whose new tiles are not random has no ledger.
func TestNoLedgerOfLevel(t *testing.T) {
	level := must.Get(levels.Parse("1000", bitboard.Size))(t)
	parse := func(spec string) (catalog.Maker, error) { return catalog.Parse(spec, catalog.Capabilities{}) }
	judge := must.Get(New(parse, &level, bitboard.Size, LongGame, game.P4))(t)
	g := must.Get(game.New(game.Options{Spawner: game.NewRandom(3, 0, game.P4)}))(t)
	b := g.Board()
	must.Do(t, g.Move(b.Legal()[0]))
	judged := must.Get(judge.Review(t.Context(), Positions(g), Options{}))(t)
	l, err := judge.Ledger(t.Context(), parse, &record.Meta{Spawn: "adversary"}, g, judged)
	if l != nil || err != nil {
		t.Errorf("%+v %v", l, err)
	}
}
