package learn

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"time"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/internal/option"
	"github.com/afterstate2048/afterstate/internal/workers"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// Device plays and learns in place of the threads of a Trainer; see Options.Device. It keeps the weights in its own
// memory. Package learn/device implements it. A Device serves one Trainer at a time.
type Device interface {
	// Load copies a training run to the device.
	Load(*DeviceRun) error
	// Play continues the games in progress for some moves and starts others as their games end.
	Play(DeviceTurn) (DeviceReport, error)
	// Read copies the weights, the TC sums and the stored boards from the device to the run, which has the network and
	// the options of the last Load.
	Read(*DeviceRun) error
}

// MaxDeviceHorizon is the largest Options.Horizon on a Device.
const MaxDeviceHorizon = 32

// MaxStored is the maximum number of boards in a milestone of DeviceRun.Stored.
const MaxStored = 1 << 12

// DeviceRun is a training run as a Device needs it.
type DeviceRun struct {
	Network *ntuple.Network
	Options Options
	// Sums holds both TC sums of each weight, by stage and pattern: the signed sum in the lower half of a word, as a
	// float32, and the sum of absolute errors in the upper half. nil without Options.Coherent.
	Sums [][][]uint64
	// Stored holds the boards for restarts, by milestone.
	Stored [][]bitboard.Board
	Next   uint64 // number of the next game
}

// Tables yields the memory of each table of weights, and then of each table of TC sums.
func (r *DeviceRun) Tables() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for stage := range r.Network.StageCount() {
			for p := range r.Network.Patterns {
				if !yield(memory.Bytes(r.Network.Table(stage, p))) {
					return
				}
			}
		}
		for _, stage := range r.Sums {
			for _, table := range stage {
				if !yield(memory.Bytes(table)) {
					return
				}
			}
		}
	}
}

// DeviceTurn says what a Device shall do next.
type DeviceTurn struct {
	// End is the number of the game after the last one to start; games in progress continue in any case.
	End uint64 `json:"end"`
	// Alone means that one game is played at a time. Alone may change only while no game is in progress.
	Alone bool `json:"alone"`
	// Rate is the step of a weight per unit of error, without annealing.
	Rate float64 `json:"rate"`
	// Limit bounds the TC sums: afterwards, both sums of each weight whose absolute errors sum to more than Limit are
	// halved. 0: none.
	Limit float32 `json:"limit"`
}

// DeviceReport is the answer to a DeviceTurn.
type DeviceReport struct {
	Games   []DeviceGame `json:"-"` // the games that ended
	Next    uint64       `json:"next"`
	Playing int          `json:"playing"` // number of games in progress
}

// DeviceGame is a game that ended on a Device. Its fields mean the same as those of [Outcome].
type DeviceGame struct {
	Index  uint64
	Final  bitboard.Board
	From   uint64
	Score  int64
	Errors float64
	Moves  int64
}

// checkDevice returns an error if the training cannot take place on a Device.
func (o *Options) checkDevice() error {
	const suffix = "train without --device"
	n := o.Network
	switch {
	case o.Device == nil:
		return nil
	case n.Size != bitboard.Size:
		return fmt.Errorf("a device trains networks for %v boards, not %v: %s", bitboard.Size, n.Size, suffix)
	case o.Horizon > MaxDeviceHorizon:
		return &option.Error{Option: "horizon", Value: o.Horizon, Reason: fmt.Sprintf("must be at most %d on a device", MaxDeviceHorizon)}
	}
	for _, s := range n.Stages {
		if len(s) > bitboard.Size.Cells() {
			return fmt.Errorf("the stage %v has %d tiles, more than a board has cells: %s", s.Text(), len(s), suffix)
		}
	}
	return nil
}

// halvedErrors bounds the TC sums of a weight on a device: once its absolute errors sum to more than this number of
// mean errors, both sums are halved, which keeps the rate of the weight. A float32 stops growing at 2^24 times the number
// that is added, and some weights have errors far below the mean.
const halvedErrors = 1 << 17

// deviceRun returns the training run for a Device.
func (t *Trainer) deviceRun() *DeviceRun {
	r := &DeviceRun{Network: t.o.Network, Options: t.o, Stored: t.games.(*gamesOn[bitboard.Board]).boards, Next: t.next}
	if t.sums != nil {
		r.Sums = t.sums.sums.Tables
	}
	return r
}

// onDevice plays games on Options.Device until no game is left to start or ctx ends. Games are counted in the order in
// which they end. A thread plays the first WarmupGames, since a device takes much longer for one game at a time.
func (t *Trainer) onDevice(ctx context.Context) error {
	if t.next < t.o.WarmupGames && t.o.Threads > 1 {
		end := t.end
		t.end = min(end, t.o.WarmupGames)
		err := workers.Try(ctx, 1, t.thread)
		t.end = end
		if err != nil || t.next >= end {
			return err
		}
	}
	if err := t.o.Device.Load(t.deviceRun()); err != nil {
		return err
	}
	for ctx.Err() == nil && t.next < t.end {
		if err := t.deviceRound(ctx); err != nil {
			return err
		}
		if err := t.saveInTime(); err != nil {
			return err
		}
	}
	return nil
}

// deviceRound plays games until a checkpoint is due, and waits until they have ended. Then it reads the weights from
// the device.
func (t *Trainer) deviceRound(ctx context.Context) error {
	t.turn.RLock()
	defer t.turn.RUnlock()
	turn := DeviceTurn{End: t.end, Alone: t.o.Threads == 1}
	t.mutex.Lock()
	until := t.saved.Add(time.Duration(t.o.CheckpointEvery))
	t.mutex.Unlock()
	for playing := 0; playing > 0 || t.next < turn.End; {
		if ctx.Err() != nil || time.Now().After(until) {
			turn.End = t.next
		}
		turn.Rate, turn.Limit = t.deviceRate()
		r, err := t.o.Device.Play(turn)
		if err != nil {
			return err
		}
		for _, g := range r.Games {
			if math.IsNaN(g.Errors) || math.IsInf(g.Errors, 0) {
				return fmt.Errorf("training diverged: the errors of game %d are not finite; try a lower rate", g.Index)
			}
			t.count(&Outcome{g.Score, int(g.Moves), ntuple.Unpack(g.Final, bitboard.Size), g.Errors, g.From})
		}
		t.mutex.Lock()
		t.next, playing = r.Next, r.Playing
		t.mutex.Unlock()
	}
	return t.o.Device.Read(t.deviceRun())
}

// deviceRate returns DeviceTurn.Rate and DeviceTurn.Limit.
func (t *Trainer) deviceRate() (rate float64, limit float32) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.updates > 0 && t.o.Threads > 1 { // one game at a time trains as one thread does
		limit = float32(min(halvedErrors*t.errors/float64(t.updates), math.MaxFloat32))
	}
	return t.weightRate(), limit
}

// Gumbel returns the quantiles from which [Slip] draws.
func Gumbel() []float32 { return slices.Clone(gumbel[:]) }
