//go:build !js

// Sample makes the samples of solved endings that are embedded in the binary. It plays games by the table of an ending,
// with some nearly optimal moves, and keeps the values of the most frequent boards with an error below 0.001 %. Solve
// the ending first.
//
//	afterstate solve --walls '####/##..' --goal 512
//	go run ./search/solve/endings/sample -walls '####/##..' -goal 512 -o search/solve/endings
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"path/filepath"

	"github.com/afterstate2048/afterstate/internal/atomicfile"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search/solve"
)

func main() {
	p := solve.Problem{Spawn: solve.Random, P4: game.P4}
	flag.StringVar(&p.Walls, "walls", "", "the `LAYOUT` of the walls, such as ###./###.")
	flag.BoolVar(&p.Free, "free", false, "walls may move between the layouts of -walls, which are separated by spaces")
	flag.Int64Var(&p.Goal, "goal", 0, "the `TILE` that is to be made")
	folder := flag.String("o", ".", "the `FOLDER` of the file")
	size := flag.Int64("size", 1_000_000, "largest number of `BYTES` of the file")
	games := flag.Int("games", 200_000, "games that are played to find the boards")
	flag.Parse()
	if err := run(p, *folder, solve.SampleOptions{Games: *games, Size: *size, Seed: 1}); err != nil {
		log.Fatal(err)
	}
}

func run(p solve.Problem, to string, o solve.SampleOptions) error {
	tables, err := solve.DefaultFolder()
	if err != nil {
		return err
	}
	t, err := tables.Open(p)
	if err != nil {
		return err
	}
	defer t.Close()
	s, err := t.Sample(context.Background(), o)
	if err != nil {
		return err
	}
	file := filepath.Join(to, p.SampleName())
	fmt.Printf("%s: %d bytes, %d boards, %d afterstates, error at most %.6f\n", file, len(s.Data), s.Boards, s.Afterstates, s.LargestError)
	fmt.Printf("answers %.1f %% of the boards of optimal play, %.1f %% with nearly optimal moves\n", 100*s.Answered[0], 100*s.Answered[1])
	return atomicfile.Write(file, s.Data, 0o644)
}
