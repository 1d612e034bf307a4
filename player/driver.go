package player

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/internal/yield"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// ErrNoMove is the error of a player that returns no move on a board with a legal move.
var ErrNoMove = errors.New("the player returned no move on a board with a legal move")

// Driver runs a player. It is the only code that defines the order in which a player is started, given
// future spawns, prepared and queried. Play a game move by move:
//
//	d := player.Driver{Player: p, Game: g}
//	defer d.Close()
//	err := d.Begin(ctx, seed, index)
//	for more := err == nil; more; {
//		more, err = d.Move(ctx)
//	}
//	if lost := player.Forfeited(ctx, err); lost != nil {
//		... // the game ends with its current score
//	}
//
// or query positions with [Driver.Start] and [Driver.Ask]. The methods return ctx.Err(), a forfeit
// (see [Forfeited]), or an error of a player that failed. Like its player, a Driver serves one game
// at a time and is not safe for concurrent use.
type Driver struct {
	Player Player
	Game   *game.Game // the game that Begin and Move play; may be nil if neither is used
	Stop   game.Stop  // condition at which Move ends the game; zero value: none

	// Decision is the player's decision for the last Move.
	Decision Decision

	ready board.Size // the board size that the player is prepared for
}

// Start starts the player on the game that seed and index identify. If o is not nil and the player
// is a [Seer], the player also gets the oracle o.
func (d *Driver) Start(seed, index uint64, o search.Oracle) {
	d.ready = board.Size{}
	d.Player.Start(seed, index)
	if o != nil {
		See(d.Player, o)
	}
}

// Prepare prepares the player for boards of a size, once per game and size.
func (d *Driver) Prepare(ctx context.Context, size board.Size) error {
	if d.ready == size {
		return nil
	}
	err := Prepare(ctx, d.Player, size)
	if err == nil {
		d.ready = size
	}
	return err
}

// PrepareFor prepares the player for one position. If the board has at most one legal move and the player would have to
// load something, PrepareFor does nothing: the player then decides without a search, and the move has no value.
func (d *Driver) PrepareFor(ctx context.Context, q *search.Query) error {
	if r, ok := search.Unsearched(&q.Position); ok {
		ready, err := Ready(d.Player, q.Board.Size())
		if !r.OK || !ready && err == nil {
			return nil
		}
	}
	return d.Prepare(ctx, q.Board.Size())
}

// Begin starts the player on Game, which seed and index identify, and prepares it for the board
// size. A [Seer] gets the future spawns of Game.
func (d *Driver) Begin(ctx context.Context, seed, index uint64) error {
	d.Start(seed, index, d.Game)
	b := d.Game.Board()
	return d.Prepare(ctx, b.Size())
}

// Decide queries the player without preparing it first. The decision's OK is false only on a board
// without a legal move.
func (d *Driver) Decide(ctx context.Context, q search.Query) (Decision, error) {
	answer, err := d.Player.Decide(ctx, q)
	if err == nil && !answer.OK && len(q.Board.Legal()) > 0 {
		err = ErrNoMove
	}
	return answer, err
}

// Ask prepares the player, queries it for the position and sets Elapsed, which excludes the
// preparation.
func (d *Driver) Ask(ctx context.Context, q search.Query) (answer Decision, err error) {
	// The network may be a mapped file, and reading it fails with a fault if the file is truncated meanwhile.
	defer memory.CatchFaults(&err)()
	if err := d.PrepareFor(ctx, &q); err != nil {
		return Decision{}, err
	}
	yield.Point()
	start := time.Now()
	answer, err = d.Decide(ctx, q)
	answer.Elapsed = time.Since(start)
	return answer, err
}

// Move queries the player for a move and makes it. It returns false and no error when the game is over
// or has reached Stop. After an error the game is unchanged.
func (d *Driver) Move(ctx context.Context) (moved bool, err error) {
	q := search.NewQuery(d.Game.Board(), d.Game.Score())
	if q.Board.Terminal() || d.Stop.Reached(&q.Board) {
		return false, nil
	}
	yield.Point()
	if err := ctx.Err(); err != nil { // not every player checks ctx
		return false, err
	}
	if d.Decision, err = d.Decide(ctx, q); err != nil {
		return false, err
	}
	if err := d.Game.Move(d.Decision.Move); err != nil {
		return false, err
	}
	return true, nil
}

// Close releases the player's resources, such as the process of a bot.
func (d *Driver) Close() error { return Close(d.Player) }

// noticeAfter is the loading time after which WithNotice reports.
const noticeAfter = 300 * time.Millisecond

// loading counts the loads that are in progress under a context.
type loading struct {
	mu    sync.Mutex
	count int
	// begin is called when count rises from 0, and end when it returns to 0, both with mu held.
	begin, end func()
}

type (
	limitKey  struct{}
	noticeKey struct{}
)

// Loading is called by a player that starts to load something, such as a network. The player calls
// loaded when it has finished. Meanwhile the clock of a context from [WithLimit] is stopped, since
// loading is not part of the player's thinking time, and a context from [WithNotice] reports that
// the player is loading.
func Loading(ctx context.Context) (loaded func()) {
	var all []*loading
	for _, key := range []any{limitKey{}, noticeKey{}} {
		if l, ok := ctx.Value(key).(*loading); ok {
			all = append(all, l)
			l.add(1)
		}
	}
	return func() {
		for _, l := range all {
			l.add(-1)
		}
	}
}

func (l *loading) add(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch l.count += n; {
	case n > 0 && l.count == 1:
		l.begin()
	case l.count == 0:
		l.end()
	}
}

// WithLimit returns a context that ends after the time limit. Its clock is stopped between a call of
// [Loading] and the call of the function that Loading returns.
func WithLimit(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	left, running := limit, time.Now()
	timer := time.AfterFunc(limit, func() { cancel(context.DeadlineExceeded) })
	l := &loading{
		begin: func() {
			timer.Stop()
			left -= time.Since(running)
		},
		end: func() {
			if ctx.Err() == nil {
				running = time.Now()
				timer.Reset(max(0, left))
			}
		},
	}
	return context.WithValue(ctx, limitKey{}, l), func() {
		timer.Stop()
		cancel(nil)
	}
}

// WithNotice returns a context that reports loading: report(true) is called when a player has been
// loading something, such as a network, for 0.3 s, and report(false) when loading has finished. report
// is called from other goroutines, one call at a time, and must not wait for the player. It replaces
// the report function of an enclosing context.
func WithNotice(ctx context.Context, report func(loading bool)) context.Context {
	l, given := new(loading), false
	give := func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.count > 0 && !given {
			given = true
			report(true)
		}
	}
	var timer *time.Timer
	l.begin = func() { timer = time.AfterFunc(noticeAfter, give) }
	l.end = func() {
		timer.Stop()
		if given {
			given = false
			report(false)
		}
	}
	return context.WithValue(ctx, noticeKey{}, l)
}
