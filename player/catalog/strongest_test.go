//go:build !race

// Builds for the race detector have no network.

package catalog_test

import (
	"errors"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// The strongest level plays as the network does, does not slip, and measures by playouts. Right ends nine of ten games.
func TestStrongestLevel(t *testing.T) {
	q := search.NewQuery(parse(t, "16,64,128,256/8,16,32,128/4,8,16,32/2,2,8,16"), 0)
	plays := func(spec string) player.Player {
		return must.Get(catalog.Parse(spec, catalog.Capabilities{}))(t).New()
	}
	p := plays("level(mean=strong,playouts=40)")
	if d, own := decide(t, p, q), decide(t, plays("ntuple(plies=1,endings=none)"), q); d.Move != own.Move {
		t.Errorf("%v, the network %v", d.Move, own.Move)
	}
	d := decide(t, p, q.Exact())
	grades, ok := d.Grades()
	if !ok || d.Source != "playouts" || d.Playouts.Expected != d.Best() || grades[board.Right].Loss < 0.5 || d.Move != board.Left {
		t.Errorf("%+v %+v", d, grades)
	}
	var bad *player.BoardError
	if _, err := p.Decide(t.Context(), search.NewQuery(parse(t, "2,0,0,0,0/0,0,0,0,0/0,0,0,0,0/0,0,0,0,0/2,0,0,0,0"), 0).Exact()); !errors.As(err, &bad) {
		t.Errorf("%v", err)
	}
}
