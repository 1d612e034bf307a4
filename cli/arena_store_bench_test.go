package cli_test

import (
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/store"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/version"
	"github.com/afterstate2048/afterstate/rules/board"
)

// million makes a store of a million games of two players. They are made up: nobody
// plays that long for a benchmark.
func million(b *testing.B) (path string) {
	b.Helper()
	path = filepath.Join(b.TempDir(), "million.db")
	s := must.Get(store.Open(path))(b)
	defer s.Close()
	const games, batch = 500_000, 10_000
	e := &arena.Plan{Name: "big", Games: games, Setup: arena.Setup{
		Size: board.Size{Rows: 4, Cols: 4}, Spawn: "random", SpawnIdentity: "random", Seed: 1,
	}}
	for _, spec := range []string{"first", "second"} {
		e.Players = append(e.Players, arena.Player{Spec: spec, Identity: spec, Versions: []string{version.Version}})
	}
	must.Do(b, s.Create(b.Context(), e))
	chance := rand.New(rand.NewPCG(1, 1))
	for _, p := range e.Players {
		for first := uint64(0); first < games; first += batch {
			some := make([]arena.Recorded, batch)
			for i := range some {
				moves := 200 + chance.IntN(400)
				some[i] = arena.Recorded{Outcome: arena.Outcome{
					Seed: 1, Index: first + uint64(i), Score: 4 * chance.Int64N(4000), Largest: uint8(7 + chance.IntN(5)),
					Moves: moves, Elapsed: time.Duration(moves) * time.Microsecond,
				}, Trace: make([]byte, (moves+3)/4)}
			}
			must.Get(s.Keep(b.Context(), e, &p, some))(b)
		}
	}
	return path
}

// What commands take on a store of a million games.
func BenchmarkMillionGames(b *testing.B) {
	path := million(b)
	for name, args := range map[string][]string{
		"list":    {"arena", "list"},
		"show":    {"arena", "show", "big"},
		"compare": {"arena", "compare", "big/1", "big/2"},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				succeeds(b, append(args, "--db", path)...)
			}
		})
	}
}
