package catalog_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/eval/champion"
	"github.com/afterstate2048/afterstate/eval/endings"
	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/experiment/stages"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// made plays from the boards of an ending, a game each, and counts those that make a 32768.
func made(t *testing.T, spec, ending string, games int) (n int) {
	t.Helper()
	m := must.Get(catalog.Parse(spec, catalog.Capabilities{}))(t)
	starts := must.Get(stages.OpenEnding(ending))(t)
	p := m.New()
	for i, s := range starts[:games] {
		g := must.Get(game.New(game.Options{Board: s.Board, Spawner: game.NewRandom(1, uint64(i), game.P4)}))(t)
		d := player.Driver{Player: p, Game: g}
		must.Do(t, d.Begin(t.Context(), 1, uint64(i)))
		for moved := true; moved; {
			if b := g.Board(); b.Largest() >= endings.Tile {
				n++
				break
			}
			moved = must.Get(d.Move(t.Context()))(t)
		}
	}
	return n
}

// The ending network makes the 32768 from the 2x3 block, which the champion's network does not know.
func TestEndings(t *testing.T) {
	if !champion.Endings().Embedded() {
		return // the build for the race detector
	}
	games := soak.Pick(5, 30)
	with, without := made(t, "ntuple(plies=2)", "6-block", games), made(t, "ntuple(plies=2,endings=none)", "6-block", games)
	if with < games/2 || without > games/3 {
		t.Errorf("32768 in %d of %d games with endings, in %d without", with, games, without)
	}
}

// Before the endings, and with another model, the network alone decides.
func TestEndingsDecideLate(t *testing.T) {
	if !champion.Endings().Embedded() {
		return
	}
	for text, differ := range map[string]bool{
		"8192,4096,2048,1024/2,4,8,512/0,2,0,0/0,0,0,0":            false,
		"16384,8192,4096,512/2,4,8,256/0,2,0,0/0,0,0,0":            false, // three walls
		"16384,8192,4096,2048/512,4,8,256/0,2,0,0/0,0,0,0":         true,
		"16384,8192,4096,2048/512,512,1024,1024/0,2,0,0/256,0,0,0": false, // two 1024s, and much beside them
		"16384,8192,4096,2048/4,512,512,1024/0,2,0,0/0,0,0,0":      true,  // the chain is complete
		"32768,8192,4096,2048/512,4,8,256/0,2,0,0/0,0,0,0":         true,  // the chain repeats: a 16384 is missing
		"32768,16384,4096,2048/1024,512,4,256/0,2,0,0/0,0,0,0":     false, // the game after it
	} {
		var values [2][4]search.MoveValue
		for i, spec := range []string{"ntuple(plies=1)", "ntuple(plies=1,endings=none)"} {
			m := must.Get(catalog.Parse(spec, catalog.Capabilities{}))(t)
			d := decide(t, m.New(), search.NewQuery(parse(t, text), 0))
			if values[i] = d.Moves; d.Unit != eval.Points {
				t.Errorf("%s: unit %s", text, d.Unit)
			}
			if i == 0 && differ && (d.Best() <= 0 || d.Best() > 1.2*endings.Points) {
				t.Errorf("%s: value %v", text, d.Best())
			}
		}
		must.Equal(t, values[0] != values[1], differ, text, values, "differ")
	}
}

// With a 32768 in place of the 16384 a board is worth the same, and a tree has the real boards.
func TestEndingsRepeat(t *testing.T) {
	if !champion.Endings().Embedded() {
		return
	}
	m := must.Get(catalog.Parse("ntuple(plies=2)", catalog.Capabilities{}))(t)
	p := m.New()
	first, next := parse(t, "16384,8192,4096,2048/1024,512,4,8/0,2,0,0/0,0,0,0"), parse(t, "32768,8192,4096,2048/1024,512,4,8/0,2,0,0/0,0,0,0")
	if a, b := decide(t, p, search.NewQuery(first, 0)), decide(t, p, search.NewQuery(next, 0)); a.Moves != b.Moves {
		t.Errorf("%v and %v", a.Moves, b.Moves)
	}
	_, tree, err := p.(player.Searcher).Tree(t.Context(), search.NewQuery(next, 500_000), search.TreeOptions{})
	must.Do(t, err)
	nodes := 0
	var check func(n *search.TreeNode)
	check = func(n *search.TreeNode) {
		nodes++
		if n.Board.Largest() != endings.Tile || n.Score < 500_000 {
			t.Fatalf("%v with the score %d is in the tree", n.Board, n.Score)
		}
		for _, c := range n.Children {
			check(c)
		}
	}
	if check(tree.Root); tree.Root.Board != next || nodes < 20 {
		t.Errorf("a tree of %d boards from %v", nodes, tree.Root.Board)
	}
}

// Errors name a model that is not an ending network, or that does not support the requested number of walls.
func TestEndingsErrors(t *testing.T) {
	folder := t.TempDir()
	save := func(name string, change func(l *ntuple.Layout) (ntuple.Layout, error)) string {
		l, err := ntuple.Named(bitboard.Size, "2x4")
		if err == nil {
			l, err = change(&l)
		}
		must.Do(t, err)
		n := must.Get(ntuple.New(l))(t)
		defer n.Close()
		path := filepath.Join(folder, name)
		must.Do(t, ntuple.Save(path, n, ntuple.Info{}))
		return path
	}
	plain := save("plain.model", func(l *ntuple.Layout) (ntuple.Layout, error) { return *l, nil })
	late := save("late.model", func(l *ntuple.Layout) (ntuple.Layout, error) { return ntuple.EndingLayout(*l, 6) })
	caps := catalog.Capabilities{Trusted: true, Networks: (&models.Library{Files: true}).Find, ReadFile: os.ReadFile}
	for spec, want := range map[string]string{
		`ntuple(plies=1,model="` + late + `")`:                                         "use it as endings=RUN",
		`ntuple(plies=1,model="` + plain + `",endings="` + plain + `")`:                "must be a network of \"afterstate train endings\"",
		`ntuple(plies=1,model="` + plain + `",endings="` + late + `")`:                 "knows endings with 6 to 6 walls",
		`ntuple(plies=1,model="` + plain + `",endings="` + late + `",endings_walls=6)`: "",
	} {
		m := must.Get(catalog.Parse(spec, caps))(t)
		q := search.NewQuery(parse(t, "16384,8192,4096,2048/1024,512,8,4/0,2,0,0/0,0,0,0"), 0)
		if _, err := m.New().Decide(t.Context(), q); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", spec, err, want)
		}
	}
	if _, err := catalog.Parse("champion(endings_walls=7)", caps); err == nil {
		t.Error("seven walls are accepted")
	}
}
