package learn

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/workers"
)

// Trainer trains a network. Its methods may be called while Run runs, except Run and Close.
type Trainer struct {
	o       Options
	learner learner
	step    *stepRate
	sums    *coherence // nil: plain TD
	free    func()
	games   games

	// turn is read-locked by each thread during a game, and locked to save a checkpoint.
	turn sync.RWMutex
	done atomic.Uint64 // games ended

	mutex    sync.Mutex // of what follows
	next     uint64     // games begun
	all      Tally      // since the first game, both kinds together
	part     mark       // start of the current part, see Resume
	interval Interval
	begun    time.Time // when the interval began
	saved    time.Time // when the last checkpoint was written
}

// New returns a trainer for new training of o.Network. The caller closes it. With Options.Settled
// and Coherent it first plays games to measure the network's error.
func New(o Options) (*Trainer, error) {
	t, err := newTrainer(o)
	if err == nil && o.Settled > 0 && t.sums != nil {
		t.sums.settled(o.Settled, t.typicalError())
	}
	if err == nil && o.OnlyKnown {
		t.sums.freezeUnknown()
	}
	return t, err
}

// newTrainer returns a trainer whose TC sums are zero.
func newTrainer(o Options) (*Trainer, error) {
	if err := o.fill(); err != nil {
		return nil, err
	}
	o.Network.Downgrade = exponent(o.Downgrade)
	t := &Trainer{o: o, step: new(stepRate), free: func() {}, begun: time.Now()}
	t.games = newGames(t)
	if !o.Coherent {
		t.learner = &plain{o.Network, t.step}
		return t, nil
	}
	sums, free, err := ntuple.NewStore[uint64](&o.Network.Layout)
	if err != nil {
		return nil, err
	}
	t.sums, t.free = &coherence{o.Network, t.step, sums}, free
	t.learner = t.sums
	return t, nil
}

// Close frees the trainer's memory. It does not close the network.
func (t *Trainer) Close() { t.free() }

// Games returns the number of games played since the start of the training.
func (t *Trainer) Games() uint64 { return t.done.Load() }

// Tally counts all games since the start of the training, including those from stored boards.
func (t *Trainer) Tally() Tally {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.all
}

// Elapsed returns the time spent training, without the time between runs.
func (t *Trainer) Elapsed() time.Duration {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.interval.Total
}

// Run trains until all games are played or ctx ends, and then writes a checkpoint. ctx is checked
// between games; its end is not an error. Errors come from writing checkpoints.
func (t *Trainer) Run(ctx context.Context) error {
	t.mutex.Lock()
	t.begun, t.saved = time.Now(), time.Now()
	t.mutex.Unlock()
	err := workers.Try(ctx, t.o.Threads, t.thread)
	t.mutex.Lock()
	t.tick() // the next Run continues an incomplete interval
	t.mutex.Unlock()
	if err != nil && err != context.Cause(ctx) {
		return err
	}
	return t.Save()
}

// thread plays games until there are no more or ctx ends.
func (t *Trainer) thread(ctx context.Context, number int) error {
	play := t.games.player()
	alone := t.o.WarmupGames
	if t.o.Games > 0 {
		alone = min(alone, t.o.Games)
	}
	for number > 0 && t.done.Load() < alone && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	for ctx.Err() == nil {
		if !t.playNext(play) {
			return nil
		}
		if err := t.saveInTime(); err != nil {
			return err
		}
	}
	return nil
}

// playNext plays the next game and counts it. It returns false after the last game.
func (t *Trainer) playNext(play func(index uint64) Outcome) bool {
	t.turn.RLock()
	defer t.turn.RUnlock()
	index, ok := t.take()
	if ok {
		o := play(index)
		t.count(&o)
	}
	return ok
}

// take returns the number of the next game; ok is false when all have begun.
func (t *Trainer) take() (index uint64, ok bool) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.o.Games > 0 && t.next >= t.o.Games {
		return 0, false
	}
	t.step.set(t.rate(t.next))
	t.next++
	return t.next - 1, true
}

// restarts draws whether a game starts from a stored board.
func (t *Trainer) restarts(w *learning) bool {
	return t.o.RestartShare > 0 && float64(w.other.Uint64()>>11)/(1<<53) < t.o.RestartShare
}

// count adds a game and reports the interval if it is complete.
func (t *Trainer) count(o *Outcome) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.done.Add(1)
	t.all.add(o)
	t.interval.add(o)
	if t.all.Games%t.o.ReportEvery == 0 {
		t.report()
	}
}

// tick adds the time since its last call to the interval.
func (t *Trainer) tick() {
	now := time.Now()
	t.interval.Elapsed += now.Sub(t.begun)
	t.interval.Total += now.Sub(t.begun)
	t.begun = now
}

func (t *Trainer) report() {
	t.tick()
	i := t.interval
	i.To, i.Moves = t.all.Games, t.all.Moves
	t.interval = Interval{From: i.To, Total: i.Total}
	if t.o.Report != nil {
		t.o.Report(i)
	}
}
