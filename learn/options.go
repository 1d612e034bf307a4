package learn

import (
	"errors"
	"fmt"
	"time"

	"afterstate/bitboard"
	"afterstate/ntuple"
)

// Options say how to train. The zero value of each is a choice too.
type Options struct {
	// Network is trained in place. A trainer that goes on from a checkpoint brings
	// its own.
	Network *ntuple.Network
	// History is what earlier trainings made of the network; checkpoints tell of it.
	History []ntuple.Training
	// Seed and game number give the spawns, as in package game.
	Seed uint64
	// Games is how many to play in all, those before a checkpoint included; 0: until
	// Run's context ends.
	Games uint64

	// Coherent turns on temporal coherence learning, with two more numbers for each weight.
	Coherent bool
	// Rate is the learning rate of a value, shared by the weights that make it. 0: 0.1, and 1 when
	// coherent.
	Rate float64
	// Anneal lets the rate fall in a straight line over the last Anneal of the Games, to
	// zero after the last one. 0: it stays.
	Anneal uint64
	// Settled is how many updates each weight that is known already counts as having had
	// when coherent sums begin; see the package's text. 0: none, as in a new network.
	Settled float64
	// Lambda, from 0 to 1, weights later moves in the return: 0 is TD(0), 1 with a Horizon of n the
	// n-step return, between them truncated TD(lambda).
	Lambda float64
	// Horizon is the most moves of a return if Lambda > 0, and how many moves late an afterstate is
	// learned. 0: 5.
	Horizon int

	// Threads play at the same time and learn into the same weights. 0: one, which
	// alone gives the same weights each time.
	Threads int
	// WarmupGames is how many games the first thread plays before others join it. 0: 1000, and none
	// where the network has a History or the rate is not coherent.
	WarmupGames uint64

	// RestartShare is the share of games, from 0 to 1, that start from a stored board with a tile
	// of RestartTile (an exponent) or more; see the package documentation.
	RestartShare float64
	RestartTile  uint8
	// Downgrade sets the network's tile downgrading: boards with a tile of 2^Downgrade or more, an
	// exponent from 8 to 15, are learned and played as boards of smaller tiles. 0: never.
	Downgrade uint8

	// ReportEvery is how many games make an interval, 0: 1000, and Report is told of each.
	// Threads wait for it between games, so it should be quick; of the trainer it may
	// ask for Games alone.
	ReportEvery uint64
	Report      func(Interval)

	// Checkpoint is a file to save to every CheckpointEvery (0: 10 minutes), and when
	// Run ends. Empty: never.
	Checkpoint      string
	CheckpointEvery time.Duration
}

// fill puts the choices in place of zeros and checks all.
func (o *Options) fill() error {
	if o.Network == nil {
		return errors.New("learn: a trainer needs a network")
	}
	if o.Rate == 0 {
		o.Rate = 0.1
		if o.Coherent {
			o.Rate = 1
		}
	}
	if !(o.Rate > 0 && o.Rate <= 2) {
		return fmt.Errorf("rate %v: want more than 0 and at most 2", o.Rate)
	}
	if o.Anneal > 0 && o.Games == 0 {
		return errors.New("a rate that falls at the end: want a number of games")
	}
	if !(o.Settled >= 0 && o.Settled <= MaxSettled) {
		return fmt.Errorf("settled for %v updates: want 0 to %v", o.Settled, float64(MaxSettled))
	}
	var err error
	if o.Threads, err = threadCount(o.Threads); err != nil {
		return err
	}
	if !(o.RestartShare >= 0 && o.RestartShare <= 1) {
		return fmt.Errorf("restart %v: want a share from 0 to 1", o.RestartShare)
	}
	if o.RestartShare == 0 {
		o.RestartTile = 0
	} else if o.RestartTile < 3 || o.RestartTile > bitboard.MaxExponent {
		return fmt.Errorf("restart at 2^%d: want an exponent from 3 to %d", o.RestartTile, bitboard.MaxExponent)
	}
	if o.Downgrade != 0 && (o.Downgrade < 8 || o.Downgrade > bitboard.MaxExponent) {
		return fmt.Errorf("downgrade at 2^%d: want an exponent from 8 to %d", o.Downgrade, bitboard.MaxExponent)
	}
	if o.ReportEvery == 0 {
		o.ReportEvery = 1000
	}
	if o.CheckpointEvery == 0 {
		o.CheckpointEvery = 10 * time.Minute
	}
	if o.WarmupGames == 0 && o.Coherent && len(o.History) == 0 {
		o.WarmupGames = 1000
	}
	return o.fillReturns()
}

// MaxSettled is the most that Options.Settled may be. Sums are float32: beyond it they
// would hardly notice an update.
const MaxSettled = 1e6

// MaxHorizon is the most that Options.Horizon may be, longer than most games.
const MaxHorizon = 1 << 16

func (o *Options) fillReturns() error {
	if !(o.Lambda >= 0 && o.Lambda <= 1) {
		return fmt.Errorf("lambda %v: want 0 to 1", o.Lambda)
	}
	switch {
	case o.Lambda == 0:
		o.Horizon = 0
	case o.Horizon == 0:
		o.Horizon = 5
	}
	if o.Horizon < 0 || o.Horizon > MaxHorizon {
		return fmt.Errorf("a horizon of %d moves: want 1 to %d", o.Horizon, MaxHorizon)
	}
	return nil
}

// Disk is how many bytes a checkpoint takes at most. While one is written, the one
// before is still there.
func Disk(l *ntuple.Layout, coherent bool) int64 {
	return Memory(l, coherent) + 8*milestones*perMilestone + 1<<20
}

// Memory is how many bytes training takes: the weights and, if coherent, the sums.
func Memory(l *ntuple.Layout, coherent bool) int64 {
	bytes := 4 * int64(l.Weights())
	if coherent {
		bytes *= 3
	}
	return bytes
}
