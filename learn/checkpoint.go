package learn

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"afterstate/ntuple"
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
	Options  savedOptions `json:"options"`
	All      Tally        `json:"all"`
	Part     mark         `json:"part"`
	Interval Interval     `json:"interval"`
}

// mark is a point in a training: totals since its first game.
type mark struct {
	Games   uint64        `json:"games"`
	Moves   uint64        `json:"moves"`
	Elapsed time.Duration `json:"elapsed"`
}

// savedOptions are the options that a checkpoint stores.
type savedOptions struct {
	Seed        uint64  `json:"seed"`
	Threads     int     `json:"threads"`
	WarmupGames uint64  `json:"warmup_games"`
	ReportEvery uint64  `json:"report_every"`
	Settled     float64 `json:"settled,omitempty"`
	learningOptions

	// Names in checkpoints before 0.1.0: read, never written.
	OldWarmupGames  uint64  `json:"alone,omitempty"`
	OldReportEvery  uint64  `json:"every,omitempty"`
	OldRestartShare float64 `json:"restart,omitempty"`
}

// migrate copies values of old names to the new fields.
func (s *savedOptions) migrate() {
	s.WarmupGames = cmp.Or(s.WarmupGames, s.OldWarmupGames)
	s.ReportEvery = cmp.Or(s.ReportEvery, s.OldReportEvery)
	s.RestartShare = cmp.Or(s.RestartShare, s.OldRestartShare)
}

// learningOptions are the options that Resume may change.
type learningOptions struct {
	Coherent     bool    `json:"coherent"`
	Rate         float64 `json:"rate"`
	Anneal       uint64  `json:"anneal,omitempty"`
	Lambda       float64 `json:"lambda,omitempty"`
	Horizon      int     `json:"horizon,omitempty"`
	RestartShare float64 `json:"restart_share"`
	RestartTile  uint8   `json:"restart_tile"`
	Downgrade    uint8   `json:"downgrade,omitempty"`
}

func (o *Options) learning() learningOptions {
	return learningOptions{o.Coherent, o.Rate, o.Anneal, o.Lambda, o.Horizon, o.RestartShare, o.RestartTile, o.Downgrade}
}

func (o *Options) setLearning(r learningOptions) {
	o.Coherent, o.Rate, o.Anneal, o.Lambda, o.Horizon = r.Coherent, r.Rate, r.Anneal, r.Lambda, r.Horizon
	o.RestartShare, o.RestartTile, o.Downgrade = r.RestartShare, r.RestartTile, r.Downgrade
}

// Save writes a checkpoint to Options.Checkpoint, or does nothing if that is empty. It waits until
// the games in progress have ended.
func (t *Trainer) Save() error {
	if t.o.Checkpoint == "" {
		return nil
	}
	t.turn.Lock()
	defer t.turn.Unlock()
	return t.save()
}

// saveInTime writes a checkpoint if one is due.
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

// save writes a checkpoint. The caller holds turn, so that no thread plays.
func (t *Trainer) save() error {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.tick()
	o := &t.o
	text, err := json.Marshal(state{
		Options:  savedOptions{Seed: o.Seed, Threads: o.Threads, WarmupGames: o.WarmupGames, ReportEvery: o.ReportEvery, Settled: o.Settled, learningOptions: o.learning()},
		All:      t.all,
		Part:     t.part,
		Interval: t.interval,
	})
	if err != nil {
		return err
	}
	var extras []ntuple.ExtraSection
	if t.sums != nil {
		for i, s := range t.sums.slabs {
			extras = append(extras, ntuple.ExtraSection{Name: sumsName, Index: i, Words: s})
		}
	}
	if stored := append(t.pool.all(), t.wide.all()...); len(stored) > 0 {
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
	return append(slices.Clone(t.o.History), t.training())
}

// training returns the history entry of the current part of the training.
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
	if o.RestartShare > 0 {
		text += fmt.Sprintf(" restart=%v restart_tile=%d", o.RestartShare, o.RestartTile)
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

// Network returns the network being trained.
func (t *Trainer) Network() *ntuple.Network { return t.o.Network }
