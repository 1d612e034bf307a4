package learn

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"afterstate/ntuple"
)

// ErrNoState is returned for a model that is no checkpoint.
var ErrNoState = errors.New("a model without a trainer's state: it can be a start, not be resumed")

// Resume makes a trainer that goes on where a checkpoint ends, bit for bit if one
// thread trains. Of the options it takes Games, Threads, Every, Report, Checkpoint and
// CheckpointEvery; all others come from the file, and Network must be nil. The
// trainer's network is its caller's to close.
//
// A change, if not nil, is called with the options of the file and may set Coherent, Rate,
// Anneal, Lambda, Horizon, Restart, RestartTile and Downgrade. If it changes one, a part of the
// training ends there and another begins, each with its games in the History. The sums
// of coherence stay while it does, and begin anew when it comes back.
func Resume(path string, o Options, change func(*Options)) (*Trainer, error) {
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
	s.Options.migrate()
	if o.Network != nil {
		return nil, errors.New("learn: a checkpoint brings its own network")
	}
	o.take(&s.Options, change)
	o.History = m.Info.History
	if o.Network, err = m.Copy(); err != nil {
		return nil, err
	}
	t, err := newTrainer(o)
	if err == nil {
		if err = t.restore(&s, m.Extras); err == nil {
			return t, nil
		}
		t.Close()
	}
	o.Network.Close()
	return nil, fmt.Errorf("%s: %w", path, err)
}

// take puts a checkpoint's options in place, and then what is to change.
func (o *Options) take(from *savedOptions, change func(*Options)) {
	o.Seed, o.WarmupGames, o.Settled = from.Seed, from.WarmupGames, from.Settled
	if o.Threads == 0 {
		o.Threads = from.Threads
	}
	if o.ReportEvery == 0 {
		o.ReportEvery = from.ReportEvery
	}
	if from.RestartShare == 0 {
		from.RestartTile = 0 // as fill does; older checkpoints kept it
	}
	o.follow(from.learningOptions)
	if change != nil {
		changed := *o
		change(&changed)
		o.follow(changed.recipe())
	}
}

// restore takes over a state.
func (t *Trainer) restore(s *state, extras []ntuple.ExtraSection) error {
	t.all, t.part, t.interval = s.All, s.Part, s.Interval
	t.next = s.All.Games
	t.done.Store(s.All.Games)
	t.continueFrom(&s.Options.learningOptions)
	for _, e := range extras {
		if e.Name == poolName && t.o.RestartShare > 0 {
			t.pool.fill(e.Words)
		}
	}
	if t.sums == nil || !s.Options.Coherent {
		return nil
	}
	found := 0
	for _, e := range extras {
		switch {
		case e.Name != sumsName:
		case e.Index < 0 || e.Index >= len(t.sums.slabs) || len(e.Words) != len(t.sums.slabs[e.Index]):
			return fmt.Errorf("%d sums for stage %d do not fit its weights", len(e.Words), e.Index)
		default:
			found++
			sparseCopy(t.sums.slabs[e.Index], e.Words)
		}
	}
	if found != len(t.sums.slabs) {
		return fmt.Errorf("sums for %d stages, want %d", found, len(t.sums.slabs))
	}
	return nil
}

// continueFrom settles which part of the training the next games belong to. The history's last
// is the part that the checkpoint was in: it goes on, or ends if there were any games.
func (t *Trainer) continueFrom(before *learningOptions) {
	h := t.o.History
	last := max(0, len(h)-1)
	if *before == t.o.recipe() || len(h) > 0 && h[last].Games == 0 {
		t.o.History = h[:last:last]
	}
	if *before != t.o.recipe() {
		t.part = mark{t.all.Games, t.all.Moves, t.interval.Total}
	}
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
