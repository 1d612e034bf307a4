package learn_test

import (
	"context"
	"fmt"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

func Example() {
	layout, err := ntuple.Named(bitboard.Size, "2x4") // rows and columns alone
	if err != nil {
		panic(err)
	}
	network, err := ntuple.New(layout)
	if err != nil {
		panic(err)
	}
	defer network.Close()

	var first, last learn.Interval
	trainer, err := learn.New(learn.Options{
		Network:     network,
		Games:       1000,
		ReportEvery: 100,
		Report: func(i learn.Interval) {
			if i.From == 0 {
				first = i
			}
			last = i
		},
	})
	if err != nil {
		panic(err)
	}
	defer trainer.Close()
	if err := trainer.Run(context.Background()); err != nil {
		panic(err)
	}
	fmt.Printf("%d games, the mean score more than doubled: %v\n", last.To, last.Fresh.MeanScore() > 2*first.Fresh.MeanScore())
	// Output:
	// 1000 games, the mean score more than doubled: true
}
