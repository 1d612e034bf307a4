package live

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/internal/workers"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// Game is a game with viewers. Run plays it in its caller's goroutine; only Run accesses the game
// and the player. Viewers send commands and read snapshots.
//
// A player may make a million moves per second, so Run does little per move: at full speed it
// checks two atomic flags, one for commands and one for requested snapshots, and does not read the
// clock. If the player is so slow that these costs do not matter (field slow), Run measures the time
// of every move and publishes every move.
type Game struct {
	// Accessed only by Run's goroutine, which also executes the commands.
	game     *game.Game
	driver   *player.Driver  // nil: a recorded game, whose moves are redone
	deciding context.Context // the context of the current decision
	stopTile int64           // tile at which to stop; 0: none
	// now is the state for the next snapshot. publish adds the board, the score and the number of moves.
	now   Snapshot
	steps int           // number of moves still to make for Forward
	ahead int           // number of moves that can be redone
	pause time.Duration // time between moves; 0: none
	next  time.Time     // when the next move is due
	slow  bool          // the player is slow: measure and publish every move
	batch struct {      // start of the current speed measurement; see measure
		begin  time.Time
		played int64
	}

	// Gate, if not nil, is entered before each decision of the player, and before each move if
	// GateMoves is set (for spawn rules that search). Set both before Run.
	Gate      Gate
	GateMoves bool

	// playing is held while the game changes, but not while the player thinks, so that others can
	// read the game between two moves.
	playing sync.Mutex

	want      atomic.Bool // a snapshot is requested
	attention atomic.Bool // commands are queued

	mu        sync.Mutex
	commands  []func()
	interrupt context.CancelFunc // cancels deciding
	latest    Snapshot

	wake chan struct{} // receives a value when commands are queued
	news chan struct{} // receives a value when latest has changed
	done chan struct{} // closed when Run has ended
}

// Last describes the last move, for animations.
type Last struct {
	Before board.Board
	Move   board.Direction
	Spawn  game.Spawn
}

// Snapshot is the state of a game that viewers see.
type Snapshot struct {
	Board           board.Board
	Score           int64
	Moves           int
	Decision        player.Decision
	DecisionCurrent bool  // Decision is for Board; otherwise it is for the previous board
	Last            *Last // nil if moves are too fast to be shown one by one
	MovesPlayed     int64 // moves made by the player or redone; undoing a move does not lower it
	Running         bool
	Over            bool // the game has no legal move, or the record has no further move
	Reached         bool // the board has the tile to stop at
	FirstManualMove int  // move number of the first manual move, counted from 1; 0: none
	Loading         bool // the player has been loading something, such as a network, for at least 0.3 s
	Err             error
}

const (
	// slowMove is the duration of a move above which the cost of reading the clock is negligible.
	slowMove = time.Millisecond
	// slowPause is the shortest time between moves for which Run sets Snapshot.Last.
	slowPause = 100 * time.Millisecond
	// measure is the minimum number of moves over which the mean time per move of a fast player is
	// measured.
	measure = 16
)

// New returns a game that stops at the tile stopTile (0: none) and waits for the time pause between
// moves (0: none). The caller starts the driver (see [player.Driver.Start]) before Run and closes
// it afterwards. If the driver is nil, the game is a recorded one: its moves must have been undone,
// and Run redoes them.
func New(g *game.Game, d *player.Driver, stopTile int64, pause time.Duration) *Game {
	l := &Game{
		game: g, driver: d, stopTile: stopTile, pause: pause, now: Snapshot{Running: true},
		wake: make(chan struct{}, 1), news: make(chan struct{}, 1), done: make(chan struct{}),
	}
	for g.Redo() {
		l.ahead++
	}
	for range l.ahead {
		g.Undo()
	}
	l.arrived()
	l.publish()
	return l
}

// do queues a command. An urgent command interrupts the player's thinking.
func (l *Game) do(urgent bool, command func()) {
	l.mu.Lock()
	l.commands = append(l.commands, command)
	l.attention.Store(true) // set before the interrupt, because think reads it afterwards
	if urgent && l.interrupt != nil {
		l.interrupt()
	}
	l.mu.Unlock()
	workers.Signal(l.wake)
}

// RequestSnapshot requests a snapshot of a game whose player is too fast to publish every move.
func (l *Game) RequestSnapshot() { l.want.Store(true) }

// Updates returns a channel that receives a value when there is a new snapshot.
func (l *Game) Updates() <-chan struct{} { return l.news }

// Done returns a channel that is closed when Run has ended.
func (l *Game) Done() <-chan struct{} { return l.done }

// Snapshot returns the newest snapshot.
func (l *Game) Snapshot() Snapshot {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.latest
}

// Run plays the game until ctx ends. Afterwards, Snapshot returns the final state.
func (l *Game) Run(ctx context.Context) {
	defer close(l.done)
	defer l.publish()
	l.attention.Store(true) // makes obey create the context of the first decision
	l.fresh()
	for ctx.Err() == nil {
		if l.obey(ctx) {
			l.publish() // publish the board before the player thinks about it
		}
		// While the game is paused, the player also evaluates boards whose next move is known because it can be
		// redone.
		paused := !l.now.Running && l.steps == 0
		undecided := !l.now.DecisionCurrent && l.driver != nil && l.now.Err == nil && (l.ahead == 0 || paused)
		if undecided && !l.think() {
			continue // interrupted by a command
		}
		if l.slow || l.want.Load() {
			l.publish()
		}
		switch {
		case !l.now.Running && l.steps == 0 || l.now.Err != nil || l.over(): // nothing to do until the next command
			l.publish()
			l.sleep(ctx, nil)
			l.fresh()
			continue
		case l.steps == 0 && l.pause > 0 && !l.due(ctx):
			continue // interrupted by a command
		}
		if !l.GateMoves {
			l.step()
		} else if !l.gated(l.step) {
			continue // interrupted by a command
		}
		if l.slow {
			l.publish()
		}
	}
}

// obey executes queued commands and reports whether there were any.
func (l *Game) obey(ctx context.Context) bool {
	if !l.attention.Load() {
		return false
	}
	l.attention.Store(false)
	l.mu.Lock()
	commands := l.commands
	l.commands = nil
	if l.deciding == nil || l.deciding.Err() != nil {
		l.deciding, l.interrupt = context.WithCancel(player.WithNotice(ctx, l.setLoading))
	}
	l.mu.Unlock()
	for _, command := range commands {
		command()
	}
	return len(commands) > 0
}

// sleep waits for a command, the timer, or the end of the context.
func (l *Game) sleep(ctx context.Context, due <-chan time.Time) {
	select {
	case <-l.wake:
	case <-due:
	case <-ctx.Done():
	}
}

// due waits until the next move is due. It returns false if a command arrived first.
func (l *Game) due(ctx context.Context) bool {
	if early := time.Until(l.next); early > 0 {
		timer := time.NewTimer(early)
		defer timer.Stop()
		l.sleep(ctx, timer.C)
	}
	return !time.Now().Before(l.next)
}

// over reports whether the game or the record has ended. A game has ended only after the player has returned no move.
func (l *Game) over() bool {
	return l.ahead == 0 && (l.driver == nil || l.now.DecisionCurrent && !l.now.Decision.OK)
}

// think queries the player for a decision on the board. It returns false if a command interrupted
// it.
func (l *Game) think() bool {
	q := search.NewQuery(l.game.Board(), l.game.Score())
	err := l.driver.Prepare(l.deciding, q.Board.Size())
	var took time.Duration
	if err == nil && !l.gated(func() {
		// The network may be a mapped file, and reading it fails with a fault if the file is truncated meanwhile.
		defer memory.CatchFaults(&err)()
		var start time.Time
		if l.slow {
			start = time.Now()
		}
		l.now.Decision, err = l.driver.Decide(l.deciding, q)
		if l.slow {
			took = time.Since(start)
		}
	}) {
		return false
	}
	switch {
	case (err != nil || l.attention.Load()) && l.deciding.Err() != nil:
		return false
	case err != nil:
		l.fail(err)
		return true
	}
	l.now.DecisionCurrent = true
	l.now.Decision.Elapsed = took
	return true
}

func (l *Game) fail(err error) {
	l.now.Err, l.now.Running, l.steps = err, false, 0
}

// step makes the next move: it redoes an undone move or makes the player's move.
func (l *Game) step() {
	var before board.Board
	if l.slow {
		before = l.game.Board()
	}
	l.steps = max(l.steps-1, 0)
	redone := l.ahead > 0
	if redone {
		l.Inspect(func(g *game.Game) { g.Redo() })
		l.ahead--
	} else if err := l.move(l.now.Decision.Move); err != nil {
		l.fail(fmt.Errorf("move %d: %w", l.game.Moves()+1, err))
		return
	}
	l.now.MovesPlayed++
	l.now.Last = nil
	if l.slow && (l.pause >= slowPause || !l.now.Running) {
		made, _ := l.game.LastStep()
		l.now.Last = &Last{before, made.Move, made.Spawn}
	}
	if l.pause > 0 {
		l.next = l.next.Add(l.pause)
		if now := time.Now(); l.next.Before(now) {
			l.next = now // do not catch up after a slow move
		}
	}
	l.arrived()
}

// arrived is called after the board has changed. It marks the decision as outdated and stops the game if
// the board has the tile to stop at.
func (l *Game) arrived() {
	l.now.DecisionCurrent = false
	if l.stopTile == 0 {
		return
	}
	b := l.game.Board()
	if l.now.Reached = board.Tile(b.Largest()) >= l.stopTile; l.now.Reached {
		l.now.Running, l.steps = false, 0
	}
}

// fresh restarts the speed measurement.
func (l *Game) fresh() {
	l.slow = true
	l.batch.begin, l.batch.played = time.Now(), l.now.MovesPlayed
	l.next = l.batch.begin.Add(l.pause)
}

// setLoading publishes whether the player is loading something, while Run waits for it.
func (l *Game) setLoading(on bool) {
	l.mu.Lock()
	l.latest.Loading = on
	l.mu.Unlock()
	workers.Signal(l.news)
}

// publish makes the current state available as a snapshot.
func (l *Game) publish() {
	l.want.Store(false)
	moves := l.now.MovesPlayed - l.batch.played
	if took := time.Since(l.batch.begin); moves >= measure || took > measure*slowMove && moves > 0 {
		l.slow = l.pause > 0 || took/time.Duration(moves) > slowMove
		l.batch.begin, l.batch.played = l.batch.begin.Add(took), l.now.MovesPlayed
	}
	l.mu.Lock()
	l.latest = l.now
	l.latest.Board, l.latest.Score, l.latest.Moves, l.latest.Over = l.game.Board(), l.game.Score(), l.game.Moves(), l.over()
	l.mu.Unlock()
	workers.Signal(l.news)
}

// Gate limits how many games compute concurrently.
type Gate interface {
	Enter(context.Context) error // waits for a free slot; fails only when the context ends
	Leave()
}

// gated enters the gate, if there is one, and calls do. It returns false if a command interrupted the wait.
func (l *Game) gated(do func()) bool {
	if l.Gate != nil {
		if l.Gate.Enter(l.deciding) != nil {
			return false
		}
		defer l.Gate.Leave()
	}
	do()
	return true
}

func (l *Game) move(d board.Direction) error {
	l.playing.Lock()
	defer l.playing.Unlock()
	return l.game.Move(d)
}
