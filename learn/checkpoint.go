package learn

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"afterstate/ntuple"
)

// A checkpoint is a model file whose state says where training stands and whose
// further sections hold the sums of temporal coherence and the stored positions. It
// is written between games, when no thread plays, so that it has every update of the
// games it counts and no other; generators need no state, since each game seeds its
// own.
const (
	sumsName = "sums"
	poolName = "positions"
)

// state is where a trainer stands.
type state struct {
	Options  saved    `json:"options"`
	All      Tally    `json:"all"`
	Part     mark     `json:"part"`
	Interval Interval `json:"interval"`
}

// mark is a moment of a training.
type mark struct {
	Games   uint64        `json:"games"`
	Moves   uint64        `json:"moves"`
	Elapsed time.Duration `json:"elapsed"`
}

// saved are the options that a checkpoint remembers.
type saved struct {
	Seed    uint64  `json:"seed"`
	Threads int     `json:"threads"`
	Alone   uint64  `json:"alone"`
	Every   uint64  `json:"every"`
	Settled float64 `json:"settled,omitempty"`
	recipe
}

// recipe are the options that a training which goes on may change.
type recipe struct {
	Coherent    bool    `json:"coherent"`
	Rate        float64 `json:"rate"`
	Anneal      uint64  `json:"anneal,omitempty"`
	Lambda      float64 `json:"lambda,omitempty"`
	Horizon     int     `json:"horizon,omitempty"`
	Restart     float64 `json:"restart"`
	RestartTile uint8   `json:"restart_tile"`
	Downgrade   uint8   `json:"downgrade,omitempty"`
}

func (o *Options) recipe() recipe {
	return recipe{o.Coherent, o.Rate, o.Anneal, o.Lambda, o.Horizon, o.Restart, o.RestartTile, o.Downgrade}
}

func (o *Options) follow(r recipe) {
	o.Coherent, o.Rate, o.Anneal, o.Lambda, o.Horizon = r.Coherent, r.Rate, r.Anneal, r.Lambda, r.Horizon
	o.Restart, o.RestartTile, o.Downgrade = r.Restart, r.RestartTile, r.Downgrade
}

// Save writes a checkpoint, if there is a file to write to. Games under way are
// waited for.
func (t *Trainer) Save() error {
	if t.o.Checkpoint == "" {
		return nil
	}
	t.turn.Lock()
	defer t.turn.Unlock()
	return t.save()
}

// saveInTime writes a checkpoint when it is due.
func (t *Trainer) saveInTime() error {
	if t.o.Checkpoint == "" {
		return nil
	}
	due := func() bool {
		t.mutex.Lock()
		defer t.mutex.Unlock()
		return time.Since(t.saved) >= t.o.CheckpointEvery
	}
	if !due() {
		return nil
	}
	t.turn.Lock()
	defer t.turn.Unlock()
	if !due() { // another thread was faster
		return nil
	}
	return t.save()
}

// save writes a checkpoint; no thread plays.
func (t *Trainer) save() error {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.tick()
	o := &t.o
	text, err := json.Marshal(state{
		Options:  saved{o.Seed, o.Threads, o.Alone, o.Every, o.Settled, o.recipe()},
		All:      t.all,
		Part:     t.part,
		Interval: t.interval,
	})
	if err != nil {
		return err
	}
	var extras []ntuple.Extra
	if t.sums != nil {
		for i, s := range t.sums.slabs {
			extras = append(extras, ntuple.Extra{Name: sumsName, Index: i, Words: s})
		}
	}
	if stored := t.pool.all(); len(stored) > 0 {
		extras = append(extras, ntuple.Extra{Name: poolName, Words: stored})
	}
	info := ntuple.Info{History: t.history(), State: text}
	if err := ntuple.Save(o.Checkpoint, o.Network, info, extras...); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	t.saved = time.Now()
	return nil
}

// History is what made the weights what they are: earlier trainings and this one, a
// part after another where choices changed.
func (t *Trainer) History() []ntuple.Training {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.history()
}

func (t *Trainer) history() []ntuple.Training {
	return append(slices.Clone(t.o.History), t.training())
}

// training is this part of the training as a model's history tells it.
func (t *Trainer) training() ntuple.Training {
	o := &t.o
	text := fmt.Sprintf("rate=%v seed=%d threads=%d", o.Rate, o.Seed, o.Threads)
	if o.Coherent {
		text = "coherent " + text
	}
	if o.Settled > 0 {
		text += fmt.Sprintf(" settled=%v", o.Settled)
	}
	if o.Network.Bias != 0 {
		text += fmt.Sprintf(" bias=%v", o.Network.Bias)
	}
	if o.Anneal > 0 {
		text += fmt.Sprintf(" anneal=%d", o.Anneal)
	}
	if o.Lambda > 0 {
		text += fmt.Sprintf(" lambda=%v horizon=%d", o.Lambda, o.Horizon)
	}
	if o.Restart > 0 {
		text += fmt.Sprintf(" restart=%v restart_tile=%d", o.Restart, o.RestartTile)
	}
	if o.Downgrade > 0 {
		text += fmt.Sprintf(" downgrade=%d", o.Downgrade)
	}
	return ntuple.Training{
		Games: t.all.Games - t.part.Games, Moves: t.all.Moves - t.part.Moves,
		Seconds: (t.interval.Total - t.part.Elapsed).Seconds(), Finished: time.Now().UTC().Truncate(time.Second),
		Options: text,
	}
}

// Network is the network that is trained.
func (t *Trainer) Network() *ntuple.Network { return t.o.Network }
