package catalog_test

import (
	"context"
	"os"
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
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
	return must.Get(catalog.Parse(text, catalog.Capabilities{Networks: catalog.NoNetworks}))(t)
}

// everyPlayer is what plays every size without a program of one's own, a network or a table.
func everyPlayer() []protocol.PlayerInfo {
	return slices.DeleteFunc(catalog.Players(false), func(e protocol.PlayerInfo) bool {
		return slices.Contains([]string{"exec", "remote", "ntuple", "champion", "master", "perfect", "level"}, e.Name)
	})
}

func newGame(t testing.TB, size board.Size, seed, index uint64) *game.Game {
	t.Helper()
	return must.Get(game.New(game.Options{Size: size, Spawner: game.NewRandom(seed, index, game.P4)}))(t)
}

func parse(t testing.TB, text string) board.Board {
	t.Helper()
	return must.Get(board.Parse(text))(t)
}

func query(g *game.Game) search.Query {
	return search.NewQuery(g.Board(), g.Score())
}

func decide(t testing.TB, p player.Player, q search.Query) player.Decision {
	t.Helper()
	return must.Get(p.Decide(context.Background(), q))(t)
}

// started starts a player in a game.
func started(p player.Player, g *game.Game, seed, index uint64) player.Player {
	p.Start(seed, index)
	player.See(p, g)
	return p
}

func evaluator(t testing.TB, name string) eval.Evaluator {
	t.Helper()
	return must.Get(eval.New(name))(t)
}
