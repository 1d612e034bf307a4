package runs_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// A run is begun, followed by its metrics as another process would, resumed and listed.
func Example() {
	temporary, err := os.MkdirTemp("", "runs-example-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(temporary)
	folder := runs.Folder{Path: filepath.Join(temporary, "runs")} // or runs.Default()
	ctx := context.Background()

	layout, err := ntuple.Named(bitboard.Size, "2x4") // rows and columns alone
	if err != nil {
		panic(err)
	}
	run, err := folder.Begin("first", runs.Options{Layout: layout, Options: learn.Options{Coherent: true, Seed: 1, Games: 20, ReportEvery: 10}}, nil)
	if err != nil {
		panic(err)
	}
	finished, err := run.Train(ctx, func(i *learn.Interval) {
		fmt.Printf("games %d to %d have ended\n", i.From+1, i.To)
	})
	run.Close()
	fmt.Println("finished:", finished, err)

	metrics, err := folder.Metrics("first", 0)
	fmt.Println("intervals:", len(metrics.Intervals), err)

	games := uint64(30)
	run, err = folder.Resume("first", learn.Change{"games": games})
	if err != nil {
		panic(err)
	}
	finished, err = run.Train(ctx, nil)
	fmt.Println("finished:", finished, err, "after", run.Trainer().Games(), "games")
	run.Close()

	metrics, err = folder.Metrics("first", metrics.Next) // what is new
	for _, line := range metrics.Intervals {
		var i protocol.TrainingInterval
		if err := json.Unmarshal(line, &i); err != nil {
			panic(err)
		}
		fmt.Println("interval after", i.Games, "games", err)
	}

	all, err := folder.List()
	for _, r := range all {
		fmt.Println(r.Run, "trains", r.Network, err)
	}
	// Output:
	// games 1 to 10 have ended
	// games 11 to 20 have ended
	// finished: true <nil>
	// intervals: 2 <nil>
	// finished: true <nil> after 30 games
	// interval after 30 games <nil>
	// first trains 2x4 on 4x4 <nil>
}
