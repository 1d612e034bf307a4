package catalog_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

const (
	deadBoard = "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2"
	oneMove   = "2,4,8,16/4,8,16,32/8,16,32,64/0,0,0,0"
)

// knownSize provides a 4x4 network whose size is known before it is loaded, and counts the loads.
func knownSize(t testing.TB) (caps catalog.Capabilities, loads func() int32) {
	inner, count := withNetworks(t)
	caps.Networks = func(name string, file bool) (models.Source, error) {
		source, err := inner.Networks(name, file)
		loaded := false
		load := source.Load
		source.Load = func() (*ntuple.Network, error) { loaded = true; return load() }
		source.Loaded = func() bool { return loaded }
		source.Size = func() (board.Size, bool) { return board.Size{Rows: 4, Cols: 4}, true }
		return source, err
	}
	return caps, count.Load
}

// What needs no network does not load one: boards with at most one legal move, the tree of a dead
// board, and boards of other sizes.
func TestNothingIsLoaded(t *testing.T) {
	caps, loads := knownSize(t)
	for _, spec := range []string{"auto", "champion", "ntuple(plies=2,impl=generic)"} {
		m := must.Get(catalog.Parse(spec, caps))(t)
		d := player.Driver{Player: m.New()}
		d.Start(0, 0, nil)
		dead, err := d.Ask(t.Context(), search.NewQuery(parse(t, deadBoard), 0).Exact())
		if err != nil || dead.OK || dead.Player != m.Spec {
			t.Errorf("%s, a dead board: %+v, %v", spec, dead, err)
		}
		only, err := d.Ask(t.Context(), search.NewQuery(parse(t, oneMove), 0).Exact())
		if err != nil || !only.OK || only.Move != board.Down || !math.IsNaN(only.Best()) || only.Player != m.Spec || !only.Unvalued() {
			t.Errorf("%s, one move: %+v, %v", spec, only, err)
		}
		searcher := must.Get(catalog.AsSearcher(d.Player, spec))(t)
		_, tree, err := searcher.Tree(t.Context(), search.NewQuery(parse(t, deadBoard), 0), search.TreeOptions{})
		if err != nil || tree.Boards != 1 || !tree.Root.Terminal {
			t.Errorf("%s, the tree of a dead board: %+v, %v", spec, tree, err)
		}
		other := board.Size{Rows: 3, Cols: 4}
		var size *player.BoardError
		err = player.Prepare(t.Context(), d.Player, other)
		if spec == "auto" && err != nil || spec != "auto" && (!errors.As(err, &size) || !strings.HasSuffix(size.Error(), "this board is 3x4")) {
			t.Errorf("%s on 3x4: %v", spec, err)
		}
		if loads() != 0 {
			t.Fatalf("%s: a network was loaded", spec)
		}
	}
}

// A player whose network is there values the only move as well, and so does one that is prepared.
func TestOnlyMoveOfALoadedNetwork(t *testing.T) {
	caps, loads := knownSize(t)
	m := must.Get(catalog.Parse("auto", caps))(t)
	q := search.NewQuery(parse(t, oneMove), 0).Exact()
	prepared := m.New()
	must.Do(t, player.Prepare(t.Context(), prepared, q.Board.Size()))
	for _, p := range []player.Player{prepared, m.New()} {
		d := player.Driver{Player: p}
		answer, err := d.Ask(t.Context(), q)
		if err != nil || !answer.OK || math.IsNaN(answer.Best()) || answer.Unvalued() {
			t.Errorf("%+v, %v", answer, err)
		}
	}
	must.Equal(t, loads(), 1, "loads")
}
