package bench

import (
	"context"
	"time"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

const (
	settleGames  = 500  // training games that are not counted: they touch memory for the first time
	trainedGames = 4000 // training games of the network that plays
	playSeed     = 2    // training uses seed 1
)

// Layout returns the network layout for training and playing: 4x6.
func Layout() ntuple.Layout {
	l, err := ntuple.Named(bitboard.Size, "4x6")
	if err != nil {
		panic(err) // the name exists
	}
	return l
}

// MeasureTraining returns the moves per second of one thread that trains a network from scratch, by
// TC at rate 1 or by plain TD at rate 0.1, over about the time each. The first games are not
// counted.
func MeasureTraining(ctx context.Context, coherent bool, each time.Duration) (movesPerSecond float64, err error) {
	network, err := ntuple.New(Layout())
	if err != nil {
		return 0, err
	}
	defer network.Close()
	settling, settled := context.WithCancel(ctx)
	defer settled()
	trainer, err := learn.New(learn.Options{
		Network: network, Coherent: coherent, Seed: 1,
		ReportEvery: settleGames, Report: func(learn.Interval) { settled() },
	})
	if err != nil {
		return 0, err
	}
	defer trainer.Close()
	if err := trainer.Run(settling); err != nil {
		return 0, err
	}
	return rate(ctx, each, func(ctx context.Context) (moves uint64, err error) {
		before := trainer.Tally().Moves
		err = trainer.Run(ctx)
		return trainer.Tally().Moves - before, err
	})
}

// MeasurePlay returns the moves per second of one thread that plays, 1-ply, with a network that
// plain TD at rate 0.1 trained for 4000 games. The games are the same each time.
func MeasurePlay(ctx context.Context, each time.Duration) (movesPerSecond float64, err error) {
	network, err := player(ctx)
	if err != nil {
		return 0, err
	}
	defer network.Close()
	return rate(ctx, each, func(ctx context.Context) (moves uint64, err error) {
		games, err := learn.Play(ctx, learn.PlayOptions{Network: network, Seed: playSeed})
		for _, g := range games {
			moves += uint64(g.Moves)
		}
		return moves, err
	})
}

// player returns a briefly trained network in the form that players read.
func player(ctx context.Context) (*ntuple.Network, error) {
	network, err := ntuple.New(Layout())
	if err != nil {
		return nil, err
	}
	defer network.Close()
	if err := train(ctx, learn.Options{Network: network, Seed: 1, Games: trainedGames}); err != nil {
		return nil, err
	}
	return network.Int16()
}

// train trains a network to the end of Options.Games.
func train(ctx context.Context, o learn.Options) error {
	trainer, err := learn.New(o)
	if err != nil {
		return err
	}
	defer trainer.Close()
	if err := trainer.Run(ctx); err != nil {
		return err
	}
	return ctx.Err()
}

// rate returns the moves per second of run, which plays until its context ends. It measures at
// least one game, and the actual time.
func rate(ctx context.Context, each time.Duration, run func(context.Context) (moves uint64, err error)) (perSecond float64, err error) {
	begun := time.Now()
	moves := uint64(0)
	for moves == 0 && err == nil {
		timed, cancel := context.WithTimeout(ctx, each)
		moves, err = run(timed)
		cancel()
		if err == nil {
			err = ctx.Err()
		}
	}
	return float64(moves) / time.Since(begun).Seconds(), err
}
