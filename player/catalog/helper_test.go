package catalog_test

import (
	"context"
	"os"
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// Solved sizes of the user would change results.
func TestMain(m *testing.M) { os.Exit(testenv.Run(m.Run)) }

func maker(t testing.TB, text string) catalog.Maker {
	t.Helper()
	m, err := catalog.Parse(text, catalog.Capabilities{Networks: catalog.NoNetworks})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// everyPlayer is what plays every size without a program of one's own, a network or a table.
func everyPlayer() []protocol.PlayerInfo {
	return slices.DeleteFunc(catalog.Players(false), func(e protocol.PlayerInfo) bool {
		return slices.Contains([]string{"exec", "remote", "ntuple", "champion", "master", "perfect"}, e.Name)
	})
}

func newGame(t testing.TB, size board.Size, seed, index uint64) *game.Game {
	t.Helper()
	g, err := game.New(game.Options{Size: size, Spawner: game.NewRandom(seed, index, game.P4)})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func parse(t testing.TB, text string) board.Board {
	t.Helper()
	b, err := board.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func query(g *game.Game) search.Query {
	return search.NewQuery(g.Board(), g.Score())
}

func decide(t testing.TB, p player.Player, q search.Query) player.Decision {
	t.Helper()
	d, err := p.Decide(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// started starts a player in a game.
func started(p player.Player, g *game.Game, seed, index uint64) player.Player {
	p.Start(seed, index)
	player.See(p, g)
	return p
}

func evaluator(t testing.TB, name string) eval.Evaluator {
	t.Helper()
	e, err := eval.New(name)
	if err != nil {
		t.Fatal(err)
	}
	return e
}
