package catalog_test

import (
	"fmt"
	"testing"

	"github.com/afterstate2048/afterstate/eval/champion"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// middleGolden are boards after 40 moves of auto, game 0 of seed 1, and the scores.
var middleGolden = map[string]string{
	"3x4": "64,4,2,0/16,2,0,0/2,0,0,0 360",
	"3x5": "0,0,2,4,8/0,2,0,4,64/0,0,0,2,4 336",
	"5x5": "0,0,0,0,4/0,2,2,8,2/0,2,16,4,8/0,0,16,8,4/0,0,8,4,2 164",
}

// middleSizes are the sizes other than 4x4 that have a network; one in the quick suite, since decoding them takes long.
func middleSizes() []board.Size {
	all := champion.Sizes()
	return all[:soak.Pick(min(1, len(all)), len(all))]
}

// auto and best play the embedded networks of other sizes, and the same games on every machine.
func TestAutoPlaysMiddleNetworks(t *testing.T) {
	for _, size := range middleSizes() {
		if middleGolden[size.String()] == "" {
			t.Errorf("%v has no golden game", size)
		}
		for _, spec := range soak.Pick([]string{"auto"}, []string{"auto", "best"}) {
			m := must.Get(catalog.Parse(spec, catalog.Capabilities{}))(t)
			if name, e := m.Evaluator(size); name != "ntuple" || e == nil {
				t.Errorf("%s on %v evaluates by %q", spec, size, name)
			}
			p := m.New()
			g := newGame(t, size, 1, 0)
			p.Start(1, 0)
			for range 40 {
				d := decide(t, p, query(g))
				if d.Unit != "points" || d.Player != spec {
					t.Fatalf("%v: %+v", size, d)
				}
				must.Do(t, g.Move(d.Move))
			}
			must.Equal(t, fmt.Sprint(g.Board(), " ", g.Score()), middleGolden[size.String()], spec, "on", size)
		}
	}
}

// ntuple without a model takes the network of each board's size, and values a turned board as the board.
func TestMiddleNetworksOfEverySize(t *testing.T) {
	if len(champion.Sizes()) == 0 { // a build for the race detector
		return
	}
	m := must.Get(catalog.Parse("ntuple(plies=2)", catalog.Capabilities{}))(t)
	p := m.New()
	for _, size := range middleSizes() {
		g := newGame(t, size, 2, 0)
		for range 30 {
			must.Do(t, g.Move(decide(t, p, query(g)).Move))
		}
		b := g.Board()
		d, turned := decide(t, p, search.NewQuery(b, 0)), decide(t, p, search.NewQuery(b.Transposed(), 0))
		for dir := range board.Direction(4) {
			must.Equal(t, d.Moves[dir], turned.Moves[3-dir], b, dir, "is worth")
		}
	}
	if _, err := player.Ready(p, board.Size{Rows: 2, Cols: 6}); err == nil {
		t.Error("2x6 has no network")
	}
}
