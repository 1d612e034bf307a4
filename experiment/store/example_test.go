package store_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/store"
	"github.com/afterstate2048/afterstate/rules/board"
)

func Example() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	s, err := store.Open(filepath.Join(folder, "experiments.db"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	ctx := context.Background()
	setup := arena.Setup{Size: board.Size{Rows: 3, Cols: 3}, Spawn: "random", SpawnIdentity: "random", Seed: 1}
	players := []arena.Player{{Spec: "greedy", Identity: "greedy", Versions: []string{"1.0"}}}
	if err := s.Create(ctx, &arena.Plan{Name: "first", Setup: setup, Games: 100, Players: players}); err != nil {
		fmt.Println(err)
		return
	}
	e, err := s.Experiment(ctx, "first")
	if err != nil {
		fmt.Println(err)
		return
	}
	finished := []arena.Recorded{{Outcome: arena.Outcome{Seed: 1, Index: 0, Score: 100, Largest: 5, Moves: 40}, Trace: make([]byte, 10)}}
	for range 2 { // the second time changes nothing
		if _, err := s.Keep(ctx, e, &e.Players[0], finished); err != nil {
			fmt.Println(err)
			return
		}
	}
	games, err := s.Games(ctx, e, &e.Players[0])
	fmt.Println(len(games), games[0].Score, arena.Gaps(arena.Ranges(games), e.Games), err)
	// Output: 1 100 [{1 99}] <nil>
}
