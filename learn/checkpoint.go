package learn

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"afterstate/bitboard"
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
	Options  saved            `json:"options"`
	All      Tally            `json:"all"`
	Interval Interval         `json:"interval"`
	Pool     []bitboard.Board `json:"-"`
}

// saved are the options that a checkpoint remembers.
type saved struct {
	Seed        uint64  `json:"seed"`
	Coherent    bool    `json:"coherent"`
	Rate        float64 `json:"rate"`
	Threads     int     `json:"threads"`
	Alone       uint64  `json:"alone"`
	Restart     float64 `json:"restart"`
	RestartTile uint8   `json:"restart_tile"`
	Every       uint64  `json:"every"`
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
		Options:  saved{o.Seed, o.Coherent, o.Rate, o.Threads, o.Alone, o.Restart, o.RestartTile, o.Every},
		All:      t.all,
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
	t.pool.mutex.Lock()
	stored := make([]uint64, len(t.pool.boards))
	for i, b := range t.pool.boards {
		stored[i] = uint64(b)
	}
	t.pool.mutex.Unlock()
	if len(stored) > 0 {
		extras = append(extras, ntuple.Extra{Name: poolName, Words: stored})
	}
	info := ntuple.Info{History: t.history(), State: text}
	if err := ntuple.Save(o.Checkpoint, o.Network, info, extras...); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	t.saved = time.Now()
	return nil
}

// History is what made the weights what they are: earlier trainings and this one.
func (t *Trainer) History() []ntuple.Training {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.history()
}

func (t *Trainer) history() []ntuple.Training {
	return append(slices.Clone(t.o.History), t.training())
}

// training is this training as a model's history tells it.
func (t *Trainer) training() ntuple.Training {
	o := &t.o
	text := fmt.Sprintf("rate=%v seed=%d threads=%d", o.Rate, o.Seed, o.Threads)
	if o.Coherent {
		text = "coherent " + text
	}
	if o.Network.Bias != 0 {
		text += fmt.Sprintf(" bias=%v", o.Network.Bias)
	}
	if o.Restart > 0 {
		text += fmt.Sprintf(" restart=%v restart_tile=%d", o.Restart, o.RestartTile)
	}
	return ntuple.Training{
		Games: t.all.Games, Moves: t.all.Moves,
		Seconds: t.interval.Total.Seconds(), Finished: time.Now().UTC().Truncate(time.Second),
		Options: text,
	}
}

// ErrNoState is returned for a model that is no checkpoint.
var ErrNoState = errors.New("a model without a trainer's state: it can be a start, not be resumed")

// Resume makes a trainer that goes on where a checkpoint ends, bit for bit if one
// thread trains. Of the options it takes Games, Threads, Every, Report, Checkpoint and
// CheckpointEvery; all others come from the file, and Network must be nil. The
// trainer's network is its caller's to close.
func Resume(path string, o Options) (*Trainer, error) {
	m, err := ntuple.Load(path)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	if len(m.Info.State) == 0 {
		return nil, fmt.Errorf("%s: %w", path, ErrNoState)
	}
	var s state
	if err := json.Unmarshal(m.Info.State, &s); err != nil {
		return nil, fmt.Errorf("%s: its trainer's state: %w", path, err)
	}
	if o.Network != nil {
		return nil, errors.New("learn: a checkpoint brings its own network")
	}
	from := &s.Options
	o.Seed, o.Coherent, o.Rate, o.Alone = from.Seed, from.Coherent, from.Rate, from.Alone
	o.Restart, o.RestartTile = from.Restart, from.RestartTile
	if o.Threads == 0 {
		o.Threads = from.Threads
	}
	if o.Every == 0 {
		o.Every = from.Every
	}
	if n := len(m.Info.History); n > 0 { // its last is this training
		o.History = slices.Clone(m.Info.History[:n-1])
	}
	if o.Network, err = m.Copy(); err != nil {
		return nil, err
	}
	t, err := New(o)
	if err == nil {
		err = t.restore(&s, m.Extras)
	}
	if err != nil {
		o.Network.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// restore takes over a state.
func (t *Trainer) restore(s *state, extras []ntuple.Extra) error {
	t.all, t.interval = s.All, s.Interval
	t.next = s.All.Games
	t.done.Store(s.All.Games)
	found := 0
	for _, e := range extras {
		switch {
		case e.Name == poolName:
			for _, w := range e.Words {
				t.pool.boards = append(t.pool.boards, bitboard.Board(w))
			}
		case e.Name != sumsName || t.sums == nil:
		case e.Index < 0 || e.Index >= len(t.sums.slabs) || len(e.Words) != len(t.sums.slabs[e.Index]):
			return fmt.Errorf("%d sums for stage %d do not fit its weights", len(e.Words), e.Index)
		default:
			found++
			sparseCopy(t.sums.slabs[e.Index], e.Words)
		}
	}
	if t.sums != nil && found != len(t.sums.slabs) {
		return fmt.Errorf("sums for %d stages, want %d", found, len(t.sums.slabs))
	}
	return nil
}

// sparseCopy copies what is not zero, page by page: pages that nobody touches take
// no memory.
func sparseCopy(to, from []uint64) {
	const page = 512
	for at := 0; at < len(from); at += page {
		part := from[at:min(at+page, len(from))]
		if slices.IndexFunc(part, func(w uint64) bool { return w != 0 }) >= 0 {
			copy(to[at:], part)
		}
	}
}

// Network is the network that is trained.
func (t *Trainer) Network() *ntuple.Network { return t.o.Network }
