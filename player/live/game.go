package live

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"afterstate/board"
	"afterstate/game"
	"afterstate/player"
	"afterstate/search"
)

// Game is a game that people watch. Run plays it in its caller's goroutine, and nobody
// else touches the game meanwhile. Who watches sends commands and looks at snapshots.
//
// A player may make a million moves a second, so the way of a move is short: at
// full speed Run looks at two atomic flags a move, one for commands and one
// by which somebody asks for a snapshot, and does not look at the time. A player
// that thinks long enough for it not to matter (slow) is timed move by move, and
// every step is published.
type Game struct {
	// Of Run's goroutine alone, and of commands, which run there.
	game     *game.Game
	driver   *player.Driver  // nil: a recorded game, whose moves are redone
	thought  context.Context // of what the player thinks about
	until    int64           // tile at which to stop; 0: none
	running  bool
	steps    int           // single moves still to make
	ahead    int           // moves that can be redone
	pause    time.Duration // between moves; 0: as fast as it goes
	next     time.Time     // when the next move is due
	slow     bool          // time and publish every move
	decision player.Decision
	decided  bool // decision is about the board as it stands
	reached  bool // it stands at the tile to stop at
	err      error
	last     *Last
	played   int64             // moves made, by the player or redone
	hand     int               // the first move made by hand, counted from 1; 0: none
	memory   []player.Decision // the last decisions of a slow player, by number of the move
	batch    struct {          // to tell how fast the player is
		begin  time.Time
		played int64
	}

	// Gate, if not nil, is asked for a place before the player thinks, and before each move
	// if GateMoves is set because the spawn rule searches. Set both before Run.
	Gate      Gate
	GateMoves bool

	// playing is held while the game changes, not while the player thinks, so that others
	// can read the game between two moves.
	playing sync.Mutex

	want      atomic.Bool // somebody wants a snapshot
	attention atomic.Bool // commands wait

	mu       sync.Mutex
	commands []func()
	forget   context.CancelFunc // ends the thought
	latest   Snapshot

	wake chan struct{} // commands came
	news chan struct{} // latest has changed since somebody looked
	done chan struct{} // Run has ended
}

// Last is how a board came about, for animations.
type Last struct {
	Before board.Board
	Move   board.Direction
	Spawn  game.Spawn
}

// Snapshot is what can be seen of a game.
type Snapshot struct {
	Board    board.Board
	Score    int64
	Moves    int
	Decision player.Decision
	Decided  bool  // Decision is about Board; else it is about the board before
	Last     *Last // nil where moves come too fast to be shown one by one
	Played   int64 // moves made since the start, taken back or not
	Running  bool
	Over     bool // no move is left, of the game or of the record
	Reached  bool // the tile to stop at is there
	Hand     int  // the first move made by hand, counted from 1; 0: none
	Err      error
}

const (
	// memories is the number of decisions kept for going back.
	memories = 1024
	// slowMove is the time a move from which on it is worth a look at the clock.
	slowMove = time.Millisecond
	// slowPause is the time between moves from which on they are told one by one.
	slowPause = 100 * time.Millisecond
	// measure is the number of moves that the mean time of one is taken from at
	// least, unless they are slow.
	measure = 16
)

// New returns a game with the tile to stop at (0: none) and the time between moves (0: as
// fast as it goes). The driver's player plays it; the caller has started it (see
// [player.Driver.Start]) before Run, and closes it after. A game without a driver is a
// recorded one, all of whose moves are undone.
func New(g *game.Game, d *player.Driver, until int64, pause time.Duration) *Game {
	l := &Game{
		game: g, driver: d, until: until, pause: pause, running: true,
		memory: make([]player.Decision, memories),
		wake:   make(chan struct{}, 1), news: make(chan struct{}, 1), done: make(chan struct{}),
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

// do sends a command. An urgent one makes the player stop thinking.
func (l *Game) do(urgent bool, command func()) {
	l.mu.Lock()
	l.commands = append(l.commands, command)
	l.attention.Store(true) // before the thought ends, which think relies on
	if urgent && l.forget != nil {
		l.forget()
	}
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// Want asks for a snapshot as soon as possible, in case the player is too fast for
// every move to be told.
func (l *Game) Want() { l.want.Store(true) }

// News receives when there is a snapshot that nobody has looked at.
func (l *Game) News() <-chan struct{} { return l.news }

// Done is closed when Run has ended.
func (l *Game) Done() <-chan struct{} { return l.done }

// Look is the newest snapshot.
func (l *Game) Look() Snapshot {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.latest
}

// Run plays until ctx ends. Then the last snapshot is the final one.
func (l *Game) Run(ctx context.Context) {
	defer close(l.done)
	defer l.publish()
	l.attention.Store(true) // for the first thought's context
	l.fresh()
	for ctx.Err() == nil {
		if l.obey(ctx) {
			l.publish() // before the player thinks about it
		}
		if l.undecided() && !l.think() {
			continue // it was interrupted
		}
		if l.slow || l.want.Load() {
			l.publish()
		}
		switch {
		case l.idle():
			l.publish()
			l.sleep(ctx, nil)
			l.fresh()
			continue
		case l.steps == 0 && l.pause > 0 && !l.due(ctx):
			continue // a command came
		}
		if l.Gate == nil || !l.GateMoves {
			l.step()
		} else if !l.gatedStep() {
			continue // a command came
		}
		if l.slow {
			l.publish()
		}
	}
}

// obey does the commands that came, if any.
func (l *Game) obey(ctx context.Context) (came bool) {
	if !l.attention.Load() {
		return false
	}
	l.attention.Store(false)
	l.mu.Lock()
	commands := l.commands
	l.commands = nil
	if l.thought == nil || l.thought.Err() != nil {
		l.thought, l.forget = context.WithCancel(ctx)
	}
	l.mu.Unlock()
	for _, command := range commands {
		command()
	}
	return len(commands) > 0
}

// sleep waits for a command, for the time, or for the end.
func (l *Game) sleep(ctx context.Context, due <-chan time.Time) {
	select {
	case <-l.wake:
	case <-due:
	case <-ctx.Done():
	}
}

// due waits until it is time for the next move. It is false when a command came
// before.
func (l *Game) due(ctx context.Context) bool {
	if early := time.Until(l.next); early > 0 {
		timer := time.NewTimer(early)
		defer timer.Stop()
		l.sleep(ctx, timer.C)
	}
	return !time.Now().Before(l.next)
}

// idle reports whether there is nothing to do until a command comes.
func (l *Game) idle() bool {
	return !l.running && l.steps == 0 || l.err != nil || l.over()
}

// over reports whether no move is left. An undecided game is not over.
func (l *Game) over() bool {
	return l.ahead == 0 && (l.driver == nil || l.decided && !l.decision.OK)
}

// undecided reports whether the player has to think: at the front of the game, and
// where the game rests and its values are to be seen.
func (l *Game) undecided() bool {
	return !l.decided && l.driver != nil && l.err == nil && (l.ahead == 0 || !l.running && l.steps == 0)
}

// think asks the player about the board. It is false when it was interrupted.
func (l *Game) think() bool {
	q := search.NewQuery(l.game.Board(), l.game.Score())
	err := l.driver.Prepare(l.thought, q.Board.Size())
	var took time.Duration
	if err == nil {
		took, err = l.decide(&q)
	}
	switch {
	case (err != nil || l.attention.Load()) && l.thought.Err() != nil:
		return false
	case err != nil:
		l.fail(err)
		return true
	}
	l.decided = true
	l.decision.Elapsed = took
	if l.slow {
		l.memory[l.game.Moves()%memories] = l.decision
	}
	return true
}

func (l *Game) fail(err error) {
	l.err, l.running, l.steps = err, false, 0
}

// step makes the next move: the one that was undone, or the player's.
func (l *Game) step() {
	var before board.Board
	if l.slow {
		before = l.game.Board()
	}
	l.steps = max(l.steps-1, 0)
	redone := l.ahead > 0
	if redone {
		l.change(func() { l.game.Redo() })
		l.ahead--
	} else if err := l.move(l.decision.Move); err != nil {
		l.fail(fmt.Errorf("move %d: %w", l.game.Moves()+1, err))
		return
	}
	l.played++
	l.last = nil
	if l.slow && (l.pause >= slowPause || !l.running) {
		made, _ := l.game.LastStep()
		l.last = &Last{before, made.Move, made.Spawn}
	}
	if l.pause > 0 {
		l.next = l.next.Add(l.pause)
		if now := time.Now(); l.next.Before(now) {
			l.next = now // no hurry after a slow move
		}
	}
	l.arrived()
	if redone {
		l.recall()
	}
}

// arrived looks whether the tile to stop at is there.
func (l *Game) arrived() {
	l.decided = false
	if l.until == 0 {
		return
	}
	b := l.game.Board()
	if l.reached = board.Tile(b.Largest()) >= l.until; l.reached {
		l.running, l.steps = false, 0
	}
}

// recall finds the decision about a board that the game has come back to.
func (l *Game) recall() {
	if m := &l.memory[l.game.Moves()%memories]; l.driver != nil && m.Board == l.game.Board() {
		l.decision, l.decided = *m, true
	}
}

// fresh begins to measure anew.
func (l *Game) fresh() {
	l.slow = true
	l.batch.begin, l.batch.played = time.Now(), l.played
	l.next = l.batch.begin.Add(l.pause)
}

// publish lets others see the state.
func (l *Game) publish() {
	l.want.Store(false)
	moves := l.played - l.batch.played
	if took := time.Since(l.batch.begin); moves >= measure || took > measure*slowMove && moves > 0 {
		l.slow = l.pause > 0 || took/time.Duration(moves) > slowMove
		l.batch.begin, l.batch.played = l.batch.begin.Add(took), l.played
	}
	l.mu.Lock()
	l.latest = Snapshot{
		Board: l.game.Board(), Score: l.game.Score(), Moves: l.game.Moves(),
		Decision: l.decision, Decided: l.decided, Last: l.last, Played: l.played,
		Running: l.running, Over: l.over(), Reached: l.reached, Hand: l.hand, Err: l.err,
	}
	l.mu.Unlock()
	select {
	case l.news <- struct{}{}:
	default:
	}
}
