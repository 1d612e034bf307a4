package experiment_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/store"
	"github.com/afterstate2048/afterstate/rules/board"
)

func Example() {
	folder, err := os.MkdirTemp("", "experiment-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	s, err := store.Open(filepath.Join(folder, "experiments.db"))
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	ctx := context.Background()
	c := experiment.Config{
		Identity: func(spec string) (string, error) { return spec, nil }, // these name no files
		Program:  experiment.Program{Version: "1.0"},
	}
	setup := arena.Setup{Size: board.Size{Rows: 3, Cols: 3}, Spawn: "random", Seed: 1}
	entrants, err := c.Entrants(ctx, []string{"greedy", "random"}, setup.Size)
	if err != nil {
		log.Fatal(err)
	}
	x, err := c.Begin(ctx, s, &arena.Plan{Name: "first", Setup: setup, Games: 50}, entrants)
	if err != nil {
		log.Fatal(err)
	}
	if err := x.Play(ctx, experiment.PlayOptions{Workers: 2}); err != nil {
		log.Fatal(err)
	}
	results, err := x.Results(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range results.Statistics().Players {
		fmt.Printf("%s: %d games\n", p.Player, p.Games)
	}
	// Output:
	// greedy: 50 games
	// random: 50 games
}
