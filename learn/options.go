package learn

import (
	"errors"
	"fmt"
	"time"

	"afterstate/bitboard"
	"afterstate/ntuple"
)

// Options configures a Trainer. Every zero value except Network's selects a default.
type Options struct {
	// Network is trained in place and stays its caller's to close. It must be nil in Resume, which
	// loads it from the checkpoint.
	Network *ntuple.Network
	// History lists the earlier trainings of the network; checkpoints store it.
	History []ntuple.Training
	// Seed and the game's number determine the spawns, as in package game.
	Seed uint64
	// Games is the total number of games, including those before a checkpoint. 0: until the context
	// of Run ends.
	Games uint64

	// Coherent selects temporal coherence learning, which takes two more numbers for each weight.
	Coherent bool
	// Rate is the learning rate of a value, divided equally among the weights that contribute to
	// it; at most 2. 0: 0.1, or 1 with Coherent.
	Rate float64
	// Anneal lowers the rate linearly to zero over the last Anneal of Games. 0: a constant rate.
	Anneal uint64
	// Settled is the number of updates that each non-zero weight counts as having had when TC sums
	// are created; see the package documentation. 0: none.
	Settled float64
	// Lambda, from 0 to 1, is the weight of later moves in the return: 0 is TD(0), 1 with a Horizon
	// of n the n-step return, and values between truncated TD(lambda).
	Lambda float64
	// Horizon is the maximal number of moves of a return with Lambda > 0, and the number of moves
	// by which updates are delayed. 0: 5.
	Horizon int

	// Threads play at the same time and update the same weights. Only one thread is deterministic.
	// 0: one.
	Threads int
	// WarmupGames is the number of games that the first thread plays before the others start. 0:
	// 1000 with Coherent and without History, otherwise none.
	WarmupGames uint64

	// RestartShare is the share of games, from 0 to 1, that start from a stored board with a tile
	// of 2^RestartTile or more; see the package documentation. RestartTile is an exponent from 3 to
	// 15.
	RestartShare float64
	RestartTile  uint8
	// Downgrade sets the network's tile downgrading: boards with a tile of 2^Downgrade or more, an
	// exponent from 8 to 15, are learned and played as boards of smaller tiles. 0: never.
	Downgrade uint8

	// ReportEvery is the number of games of an interval (0: 1000). Report, if not nil, is called
	// after each interval. It holds up all threads, so it should be quick, and of the trainer's
	// methods it may call Games only.
	ReportEvery uint64
	Report      func(Interval)

	// Checkpoint is the file that Run saves to every CheckpointEvery (0: 10 minutes) and when it
	// ends. Empty: none.
	Checkpoint      string
	CheckpointEvery time.Duration
}

// fill replaces zeros by defaults and validates all options.
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
		return errors.New("annealing needs a number of games")
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

// MaxSettled is the largest Options.Settled. Sums are float32; beyond this an update would be lost
// in rounding.
const MaxSettled = 1e6

// MaxHorizon is the largest Options.Horizon, more moves than most games have.
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

// RequiredDisk returns an upper bound on the size of a checkpoint in bytes. While one is written, the
// previous one still exists, so a run needs room for two.
func RequiredDisk(l *ntuple.Layout, coherent bool) int64 {
	return RequiredMemory(l, coherent) + 8*int64(storedWords(l.Size))*milestones*perMilestone + 1<<20
}

// RequiredMemory returns the bytes that training takes: the weights and, if coherent, their sums.
func RequiredMemory(l *ntuple.Layout, coherent bool) int64 {
	bytes := 4 * int64(l.Weights())
	if coherent {
		bytes *= 3
	}
	return bytes
}
