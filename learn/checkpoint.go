package learn

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/afterstate2048/afterstate/eval/ntuple"
)

// A checkpoint is a model file with the trainer's state as metadata and with extra sections for the
// TC sums and the stored boards. It is written between games, when no thread plays, so it has
// exactly the updates of the games it counts. Random generators need no state, since each game
// seeds its own.
const (
	sumsName = "sums"
	poolName = "positions"
)

// state is the metadata of a checkpoint.
type state struct {
	Options  Options  `json:"options"`
	All      Tally    `json:"all"`
	Part     mark     `json:"part"`
	Interval Interval `json:"interval"`
}

// mark is a point in a training: totals since its first game.
type mark struct {
	Games   uint64        `json:"games"`
	Moves   uint64        `json:"moves"`
	Elapsed time.Duration `json:"elapsed"`
}

// saveInTime writes a checkpoint if one is due.
func (t *Trainer) saveInTime() error {
	t.mutex.Lock()
	due := time.Since(t.saved) >= time.Duration(t.o.CheckpointEvery)
	if due {
		t.saved = time.Now() // other threads need not
	}
	t.mutex.Unlock()
	if !due {
		return nil
	}
	return t.Save()
}

// Save writes a checkpoint to Options.Checkpoint, or does nothing if that is empty. It waits until
// the games in progress have ended.
func (t *Trainer) Save() error {
	if t.o.Checkpoint == "" {
		return nil
	}
	t.turn.Lock()
	defer t.turn.Unlock()
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.tick()
	o := &t.o
	text, err := json.Marshal(state{Options: *o, All: t.all, Part: t.part, Interval: t.interval})
	if err != nil {
		return err
	}
	var extras []ntuple.ExtraSection
	if t.sums != nil {
		for i, s := range t.sums.sums.Words {
			extras = append(extras, ntuple.ExtraSection{Name: sumsName, Index: i, Words: s})
		}
	}
	if stored := t.games.all(); len(stored) > 0 {
		extras = append(extras, ntuple.ExtraSection{Name: poolName, Words: stored})
	}
	info := ntuple.Info{History: t.history(), State: text}
	if err := ntuple.Save(o.Checkpoint, o.Network, info, extras...); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	t.saved = time.Now()
	return nil
}

// History returns the training history of the weights: earlier trainings and this one, one entry
// for each set of options.
func (t *Trainer) History() []ntuple.Training {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.history()
}

func (t *Trainer) history() []ntuple.Training {
	o := &t.o
	text := o.text()
	if o.Network.Bias != 0 {
		text += fmt.Sprintf(" bias=%v", o.Network.Bias)
	}
	return append(slices.Clone(o.History), ntuple.Training{ // of the current part
		Games: t.all.Games - t.part.Games, Moves: t.all.Moves - t.part.Moves,
		Seconds: (t.interval.Total - t.part.Elapsed).Seconds(), Finished: time.Now().UTC().Truncate(time.Second),
		Options: text,
	})
}

// Network returns the network being trained.
func (t *Trainer) Network() *ntuple.Network { return t.o.Network }
