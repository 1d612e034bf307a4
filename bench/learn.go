package bench

import (
	"context"
	"time"

	"afterstate/bitboard"
	"afterstate/learn"
	"afterstate/ntuple"
)

const (
	settleGames  = 500  // training games that are not counted: they touch memory for the first time
	trainedGames = 4000 // what the network that plays has learned from
	playSeed     = 2    // it trained with seed 1
)

// Layout is the network that training and playing are measured with: 4x6.
func Layout() ntuple.Layout {
	l, err := ntuple.Named(bitboard.Size, "4x6")
	if err != nil {
		panic(err) // it has that name
	}
	return l
}

// MeasureTraining is how many moves a second one thread trains from scratch, by
// temporal coherence at 1 or by plain TD at 0.1. The first games are not counted.
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

// MeasurePlay is how many moves a second one thread plays, one ply, by a network that
// plain TD at 0.1 has trained for 4000 games. The games are the same each time.
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

// player is a network in the form that players read, trained a little.
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

// train trains a network to the end.
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

// rate is how many moves a second run makes, which plays until its context ends: at
// least one game, and its time too when it ends late.
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
