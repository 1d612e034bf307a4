package arena

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Inspector checks what workers on other machines deliver, for a Scheduler. Every game is checked by
// Verify. Of the games of deterministic players, the first one of each worker and a random share of
// the others are played again here, and must have the same moves. A delivery waits for that before
// it is kept. A worker whose delivery is false, or makes a check panic, is rejected, with all that it
// delivered before.
type Inspector struct {
	// Factory has the spawn rules that Verify uses, and builds the players of games that are played
	// again; see Worker.Factory. nil: neither tiles that a search chooses nor moves are compared.
	Factory func(c *Chunk) (PlayerFactory, error)
	// Deterministic reports whether a chunk's player makes the same moves whenever it plays a game;
	// nil: no player does, and none is played again.
	Deterministic func(c *Chunk) bool
	// Share of the games is played again; 0: 0.01, below 0: none but the first ones. While ten games wait, only first
	// ones are chosen.
	Share float64
	// OnFalse is called when a delivery is false, before its worker's games are planned again: for a
	// queue to reject the worker, and for its former games (of each player, by identity; they
	// may repeat) to be removed from the store. An error ends the work.
	OnFalse func(ctx context.Context, d *Delivery, reason string, former map[string][]Range) error

	jobs chan *inspection

	mu       sync.Mutex
	waiting  int                           // jobs that have not ended
	held     []*inspection                 // deliveries that are not kept yet, in the order in which they came
	former   map[string]map[string][]Range // games by worker and player
	strikes  map[string]int                // chunks that workers ended without all games
	rejected map[string]bool               // workers
	cancel   func()                        // of the context of wake
}

// inspection is a delivery that is held back, because games of it are played again, or of one of the
// same chunk that came before.
type inspection struct {
	delivery Delivery
	ack      func()
	games    []int           // in the delivery
	failed   map[string]bool // the workers at which the game failed, if that is why it is played here
	ended    bool
	err      error // the delivery is false, or the failed game fails here too
}

// begin starts the goroutine that plays games again; end stops it.
func (i *Inspector) begin(ctx context.Context) (end func()) {
	i.jobs = make(chan *inspection, 1<<16)
	if i.former == nil {
		i.former, i.rejected, i.strikes = map[string]map[string][]Range{}, map[string]bool{}, map[string]int{}
	}
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	all.Go(func() { i.work(ctx) })
	return func() {
		cancel()
		all.Wait()
	}
}

// work plays games again until ctx ends.
func (i *Inspector) work(ctx context.Context) {
	players := map[string]player.Player{}
	defer func() {
		for _, p := range players {
			_ = player.Close(p)
		}
	}()
	for {
		select {
		case job := <-i.jobs:
			err := withoutPanic(func() (err error) {
				if job.failed == nil {
					return i.playAgain(ctx, job, players)
				}
				w := Worker{Factory: i.Factory}
				job.delivery.Games, err = w.play(ctx, &job.delivery.Chunk, players)
				return err
			})
			if errors.Is(err, errPanic) {
				delete(players, job.delivery.Chunk.Identity) // it may be in any state
			}
			if ctx.Err() != nil {
				return
			}
			i.mu.Lock()
			job.ended, job.err = true, err
			i.waiting--
			if i.cancel != nil {
				i.cancel()
			}
			i.mu.Unlock()
		case <-ctx.Done():
			return
		}
	}
}

// playAgain returns an error if a game has other moves than the chunk's player makes.
func (i *Inspector) playAgain(ctx context.Context, job *inspection, players map[string]player.Player) error {
	c := &job.delivery.Chunk
	w := Worker{Factory: i.Factory}
	for _, at := range job.games {
		got := &job.delivery.Games[at]
		one := *c
		one.First, one.Games = got.Index, 1
		want, err := w.play(ctx, &one, players)
		if err != nil {
			// This machine cannot play the game, which says nothing about the worker.
			return ctx.Err()
		}
		if g := &want[0]; !bytes.Equal(g.Trace, got.Trace) {
			return fmt.Errorf("game %d of seed %d has other moves than %s makes: %d moves, score %d and largest tile %d, must be %d moves, score %d and largest tile %d",
				got.Index, got.Seed, c.Player, got.Moves, got.Score, board.Tile(got.Largest), g.Moves, g.Score, board.Tile(g.Largest))
		}
	}
	return nil
}

// pending is the number of deliveries that are held back.
func (i *Inspector) pending() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return len(i.held)
}

// wake returns a context that ends with ctx, or when an inspection has ended.
func (i *Inspector) wake(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	i.mu.Lock()
	defer i.mu.Unlock()
	i.cancel = cancel
	if slices.ContainsFunc(i.held, func(job *inspection) bool { return job.ended }) {
		cancel()
	}
	return ctx, cancel
}

// ended returns the deliveries whose inspection has ended, those of a chunk in the order in which
// they came.
func (i *Inspector) ended() (all []*inspection) {
	i.mu.Lock()
	defer i.mu.Unlock()
	var left []*inspection
	for _, job := range i.held {
		if job.ended && !holds(left, &job.delivery.Chunk) {
			all = append(all, job)
		} else {
			left = append(left, job)
		}
	}
	i.held = left
	return all
}

// holds reports whether a delivery of a chunk is among jobs.
func holds(jobs []*inspection, c *Chunk) bool {
	return slices.ContainsFunc(jobs, func(job *inspection) bool { return job.delivery.Chunk == *c })
}

// accepts reports whether a delivery can be kept at once. Otherwise it is among ended later.
func (i *Inspector) accepts(job *inspection) bool {
	d := &job.delivery
	if d.Worker == "" {
		return true
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if !i.rejected[d.Worker] {
		job.err = withoutPanic(func() (err error) {
			if err = Verify(&d.Chunk, d.Games, i.rule(&d.Chunk)); err == nil {
				job.games = i.choose(d)
			}
			return err
		})
		if job.err == nil {
			i.remember(d)
		}
	}
	if job.err == nil && len(job.games) == 0 && !holds(i.held, &d.Chunk) {
		return true
	}
	i.hold(job)
	return false
}

// hold holds a delivery back until it has ended. i.mu is held, and there is room for a job.
func (i *Inspector) hold(job *inspection) {
	i.held = append(i.held, job)
	if job.ended = len(job.games) == 0 && job.failed == nil; !job.ended {
		i.waiting++
		i.jobs <- job
	}
}

// rule is the spawn rule for Verify, zero if there is nothing to compare or this machine cannot make it.
func (i *Inspector) rule(c *Chunk) player.SpawnRule {
	if _, random := c.Setup.RandomSpawns(); !random && i.Factory != nil {
		if factory, err := i.Factory(c); err == nil {
			return factory.Spawn
		}
	}
	return player.SpawnRule{}
}

// errPanic is the error of a check that panicked.
var errPanic = errors.New("checking its games panics")

// withoutPanic returns the error of a check, also where it panics: no delivery may end the program.
func withoutPanic(check func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w %s: %v", errPanic, panicked(), p)
		}
	}()
	return check()
}

// panicked is where the program panicked, for the function that recovers.
func panicked() string {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "runtime.") || !more {
			return fmt.Sprintf("in %s, line %d", f.Function, f.Line)
		}
	}
}

// maxStrikes is how often a worker may end a chunk without all of its games. A server that lost power
// may have lost some.
const maxStrikes = 3

// incomplete notes that a worker ended a chunk without a game.
func (i *Inspector) incomplete(d *Delivery, game uint64) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.strikes[d.Worker]++; i.strikes[d.Worker] >= maxStrikes && !i.rejected[d.Worker] {
		empty := Delivery{Chunk: d.Chunk, Worker: d.Worker}
		i.hold(&inspection{delivery: empty, ack: func() {},
			err: fmt.Errorf("it ended %d chunks without all of their games, the last one without game %d of seed %d", i.strikes[d.Worker], game, d.Chunk.Setup.Seed)})
	}
}

// disown removes the games from a delivery of a worker that was rejected: the chunk comes back.
func (i *Inspector) disown(d *Delivery) {
	if d.Worker == "" {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.rejected[d.Worker] {
		d.Games, d.Returned, d.Done, d.Failed = nil, d.Final(), false, ""
	}
}

// choose chooses the games of a delivery to play again.
func (i *Inspector) choose(d *Delivery) (games []int) {
	if len(d.Games) == 0 || i.Deterministic == nil || !i.Deterministic(&d.Chunk) {
		return nil
	}
	if len(i.former[d.Worker][d.Chunk.Identity]) == 0 && i.waiting < cap(i.jobs) {
		games = append(games, rand.IntN(len(d.Games)))
	}
	if i.waiting >= 10 {
		return games
	}
	share := cmp.Or(i.Share, 0.01)
	for at := range d.Games {
		if d.Games[at].Forfeit.Reason == "" && rand.Float64() < share && !slices.Contains(games, at) {
			games = append(games, at)
		}
	}
	return games
}

// remember notes which worker delivered the games.
func (i *Inspector) remember(d *Delivery) {
	if i.former[d.Worker] == nil {
		i.former[d.Worker] = map[string][]Range{}
	}
	of := i.former[d.Worker]
	for k := range d.Games {
		of[d.Chunk.Identity] = extend(of[d.Chunk.Identity], d.Games[k].Index)
	}
}

// reject reports a false delivery, and returns its worker's former games.
func (i *Inspector) reject(ctx context.Context, d *Delivery, reason error) (former map[string][]Range, err error) {
	i.mu.Lock()
	former = i.former[d.Worker]
	delete(i.former, d.Worker)
	known := i.rejected[d.Worker]
	i.rejected[d.Worker] = true
	i.mu.Unlock()
	if i.OnFalse != nil && !known {
		err = i.OnFalse(ctx, d, reason.Error(), former)
	}
	return former, err
}

// playFailed plays a game that failed on other machines; false if too many games wait here. The inspection is
// among ended later.
func (i *Inspector) playFailed(d *Delivery, game uint64, workers map[string]bool) bool {
	one := d.Chunk
	one.First, one.Games = game, 1
	job := &inspection{delivery: Delivery{Chunk: one, Done: true}, ack: func() {}, failed: workers}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.waiting >= cap(i.jobs) {
		return false
	}
	i.hold(job)
	return true
}
