package learn

import (
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/workers"
)

// Trainer trains a network. While Run runs, other goroutines may call all methods but Run, Step and Close.
type Trainer struct {
	o       Options
	learner learner
	step    *shared
	sums    *coherence // nil for plain TD
	free    func()
	games   games

	// turn is read-locked by each thread during a game, and locked to save a checkpoint.
	turn sync.RWMutex
	done atomic.Uint64 // number of games that have ended

	mutex    sync.Mutex // protects the fields below
	next     uint64     // number of games that have started
	end      uint64     // Step starts no more games when next reaches end
	all      Tally      // all games since the start of the training, fresh and restarted
	errors   float64    // sum of the absolute errors of all updates since New or Resume
	updates  int        // number of updates since New or Resume
	part     mark       // start of the current part, see Resume
	interval Interval
	since    Interval  // see Mark
	timed    time.Time // time up to which training time has been counted; zero outside Step
	saved    time.Time // time of the last checkpoint, or of the start of Step
	starts   []start   // see SetStarts
	first    uint64    // number of the game that starts from starts[0]
}

// New returns a trainer for a new training run of o.Network. The caller closes the trainer. With
// Options.Settled, New first plays games to measure the network's error.
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
	t := &Trainer{o: o, step: new(shared), free: func() {}}
	t.games = newGames(t)
	if !o.Coherent {
		t.learner = &plain{o.Network, t.step}
		return t, nil
	}
	sums, free, err := ntuple.NewStore[uint64](&o.Network.Layout)
	if err != nil {
		return nil, err
	}
	t.sums, t.free = &coherence{o.Network, t.step, sums, new(shared)}, free
	t.sums.limit.set(t.settled())
	t.learner = t.sums
	return t, nil
}

// Close frees the trainer's memory. It does not close the network.
func (t *Trainer) Close() { t.free() }

// Options returns the options for the next game.
func (t *Trainer) Options() Options {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.o
}

// Games returns the number of games played since the start of the training.
func (t *Trainer) Games() uint64 { return t.done.Load() }

// Tally counts all games since the start of the training, including those from stored boards.
func (t *Trainer) Tally() Tally {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.all
}

// Times returns how long the trainer has trained.
func (t *Trainer) Times() Times {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.interval.Times
}

// SetTimes sets how long the earlier training took. Resume calls it.
func (t *Trainer) SetTimes(times Times) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.interval.Times = times
}

// Run trains until all games are played or ctx ends, and then writes a checkpoint. It checks ctx
// between games; the end of ctx is not an error. Run returns an error if it cannot write a checkpoint.
func (t *Trainer) Run(ctx context.Context) error {
	if err := t.Step(ctx, math.MaxUint64); err != nil {
		return err
	}
	return t.Save()
}

// Step is like Run, but plays at most the given number of further games and writes no checkpoint at its end.
func (t *Trainer) Step(ctx context.Context, games uint64) error {
	t.mutex.Lock()
	t.timed, t.saved = time.Now(), time.Now()
	t.end = t.next + min(games, math.MaxUint64-t.next)
	if t.o.Games > 0 {
		t.end = min(t.end, t.o.Games)
	}
	t.mutex.Unlock()
	var err error
	if t.o.Device != nil {
		err = t.onDevice(ctx)
	} else {
		err = workers.Try(ctx, t.o.Threads, t.thread)
	}
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.tick() // if the last interval is incomplete, the next Step continues it
	t.timed = time.Time{}
	if err == context.Cause(ctx) {
		return nil
	}
	return err
}

// Mark sets the start of the interval that Since returns. The interval may span several calls of Step and Run.
func (t *Trainer) Mark() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.since = Interval{From: t.all.Games}
}

// Since returns the interval from the last Mark to now.
func (t *Trainer) Since() Interval {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	i := t.since
	i.To, i.Moves, i.Total, i.Starts = t.all.Games, t.all.Moves, t.interval.Total, slices.Clone(i.Starts)
	return i
}

// SetRate sets Options.Rate for the games that follow.
func (t *Trainer) SetRate(rate float64) error {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	o := t.o
	err := Change{"rate": rate}.Apply(&o)
	if err == nil {
		t.o.Rate = rate
	}
	return err
}

// thread plays games until no game is left to start or ctx ends.
func (t *Trainer) thread(ctx context.Context, number int) error {
	play := t.games.player()
	alone := min(t.o.WarmupGames, t.end)
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

// playNext plays the next game and counts it. It returns false if no game is left to start.
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

// take returns the number of the next game, and sets the learning rate for it and the limit of
// settled weights. ok is false if no game is left to start.
func (t *Trainer) take() (index uint64, ok bool) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.next >= t.end {
		return 0, false
	}
	t.step.set(t.rate(t.next))
	if t.sums != nil {
		t.sums.limit.set(t.settled())
	}
	t.next++
	return t.next - 1, true
}

// restarts decides at random whether a game starts from a stored board.
func (t *Trainer) restarts(w *learning) bool {
	return t.o.RestartShare > 0 && float64(w.other.Uint64()>>11)/(1<<53) < t.o.RestartShare
}

// count adds a game to all counts and reports the interval if it is complete.
func (t *Trainer) count(o *Outcome) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.done.Add(1)
	t.all.add(o)
	t.errors += o.errors
	t.updates += o.Moves
	t.interval.add(o)
	t.since.add(o)
	if t.all.Games%t.o.ReportEvery == 0 {
		t.report()
	}
}

// tick adds the training time since its last call to the fields interval and since.
func (t *Trainer) tick() {
	if t.timed.IsZero() {
		return
	}
	now := time.Now()
	took := now.Sub(t.timed)
	t.interval.Elapsed += took
	t.interval.Total += took
	t.since.Elapsed += took
	t.timed = now
}

func (t *Trainer) report() {
	t.tick()
	i := t.interval
	i.To, i.Moves = t.all.Games, t.all.Moves
	t.interval = Interval{From: i.To, Times: Times{Total: i.Total}}
	if t.o.Report != nil {
		t.o.Report(i)
	}
}
