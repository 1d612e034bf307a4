package engine

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"afterstate/board"
	"afterstate/eval"
	"afterstate/game"
	"afterstate/player"
	"afterstate/search"
)

// Engine plays a watched game in a goroutine of its own, that of Run, and nobody else
// touches the game while it runs. Who watches sends it commands and looks at snapshots.
//
// A player may make a million moves a second, so the way of a move is short: at
// full speed the engine looks at two atomic flags a move, one for commands and one
// by which somebody asks for a snapshot, and does not look at the time. A player
// that thinks long enough for it not to matter (slow) is timed move by move, and
// every step is published.
type Engine struct {
	// Of the engine's goroutine alone, and of commands, which run there.
	game     *game.Game
	player   player.Player   // nil: a recorded game, whose moves are redone
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
	done chan struct{} // the engine has stopped
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

// New is an engine at the start of a game, with the tile to stop at (0: none) and the
// time between moves (0: as fast as it goes). A game without a player is a recorded
// one, all of whose moves are undone.
func New(g *game.Game, p player.Player, until int64, pause time.Duration) *Engine {
	e := &Engine{
		game: g, player: p, until: until, pause: pause, running: true,
		memory: make([]player.Decision, memories),
		wake:   make(chan struct{}, 1), news: make(chan struct{}, 1), done: make(chan struct{}),
	}
	for g.Redo() {
		e.ahead++
	}
	for range e.ahead {
		g.Undo()
	}
	e.arrived()
	e.publish()
	return e
}

// do sends a command. An urgent one makes the player stop thinking.
func (e *Engine) do(urgent bool, command func()) {
	e.mu.Lock()
	e.commands = append(e.commands, command)
	e.attention.Store(true) // before the thought ends, which think relies on
	if urgent && e.forget != nil {
		e.forget()
	}
	e.mu.Unlock()
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// Want asks for a snapshot as soon as possible, in case the player is too fast for
// every move to be told.
func (e *Engine) Want() { e.want.Store(true) }

// News receives when there is a snapshot that nobody has looked at.
func (e *Engine) News() <-chan struct{} { return e.news }

// Done is closed when Run has ended.
func (e *Engine) Done() <-chan struct{} { return e.done }

// Look is the newest snapshot.
func (e *Engine) Look() Snapshot {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.latest
}

// Run plays until ctx ends. Then the last snapshot is the final one.
func (e *Engine) Run(ctx context.Context) {
	defer close(e.done)
	defer e.publish()
	e.attention.Store(true) // for the first thought's context
	e.fresh()
	for ctx.Err() == nil {
		if e.obey(ctx) {
			e.publish() // before the player thinks about it
		}
		if e.undecided() && !e.think() {
			continue // it was interrupted
		}
		if e.slow || e.want.Load() {
			e.publish()
		}
		switch {
		case e.idle():
			e.publish()
			e.sleep(ctx, nil)
			e.fresh()
			continue
		case e.steps == 0 && e.pause > 0 && !e.due(ctx):
			continue // a command came
		}
		if e.Gate == nil || !e.GateMoves {
			e.step()
		} else if !e.gatedStep() {
			continue // a command came
		}
		if e.slow {
			e.publish()
		}
	}
}

// obey does the commands that came, if any.
func (e *Engine) obey(ctx context.Context) (came bool) {
	if !e.attention.Load() {
		return false
	}
	e.attention.Store(false)
	e.mu.Lock()
	commands := e.commands
	e.commands = nil
	if e.thought == nil || e.thought.Err() != nil {
		e.thought, e.forget = context.WithCancel(ctx)
	}
	e.mu.Unlock()
	for _, command := range commands {
		command()
	}
	return len(commands) > 0
}

// sleep waits for a command, for the time, or for the end.
func (e *Engine) sleep(ctx context.Context, due <-chan time.Time) {
	select {
	case <-e.wake:
	case <-due:
	case <-ctx.Done():
	}
}

// due waits until it is time for the next move. It is false when a command came
// before.
func (e *Engine) due(ctx context.Context) bool {
	if early := time.Until(e.next); early > 0 {
		timer := time.NewTimer(early)
		defer timer.Stop()
		e.sleep(ctx, timer.C)
	}
	return !time.Now().Before(e.next)
}

// idle tells whether there is nothing to do until a command comes.
func (e *Engine) idle() bool {
	return !e.running && e.steps == 0 || e.err != nil || e.over()
}

// over tells whether no move is left. An undecided game is not over.
func (e *Engine) over() bool {
	return e.ahead == 0 && (e.player == nil || e.decided && !e.decision.OK)
}

// undecided tells whether the player has to think: at the front of the game, and
// where the game rests and its values are to be seen.
func (e *Engine) undecided() bool {
	return !e.decided && e.player != nil && e.err == nil && (e.ahead == 0 || !e.running && e.steps == 0)
}

// think asks the player about the board. It is false when it was interrupted.
func (e *Engine) think() bool {
	q := search.Query{Position: eval.Position{Board: e.game.Board(), Score: e.game.Score()}}
	err := player.Prepare(e.thought, e.player, q.Board.Size())
	var took time.Duration
	if err == nil {
		took, err = e.decide(&q)
	}
	switch {
	case (err != nil || e.attention.Load()) && e.thought.Err() != nil:
		return false
	case err != nil:
		e.fail(err)
		return true
	}
	e.decided = true
	e.decision.Elapsed = took
	if e.slow {
		e.memory[e.game.Moves()%memories] = e.decision
	}
	return true
}

func (e *Engine) fail(err error) {
	e.err, e.running, e.steps = err, false, 0
}

// step makes the next move: the one that was undone, or the player's.
func (e *Engine) step() {
	var before board.Board
	if e.slow {
		before = e.game.Board()
	}
	e.steps = max(e.steps-1, 0)
	redone := e.ahead > 0
	if redone {
		e.change(func() { e.game.Redo() })
		e.ahead--
	} else if err := e.move(e.decision.Move); err != nil {
		e.fail(fmt.Errorf("move %d: %w", e.game.Moves()+1, err))
		return
	}
	e.played++
	e.last = nil
	if e.slow && (e.pause >= slowPause || !e.running) {
		made, _ := e.game.LastStep()
		e.last = &Last{before, made.Move, made.Spawn}
	}
	if e.pause > 0 {
		e.next = e.next.Add(e.pause)
		if now := time.Now(); e.next.Before(now) {
			e.next = now // no hurry after a slow move
		}
	}
	e.arrived()
	if redone {
		e.recall()
	}
}

// arrived looks whether the tile to stop at is there.
func (e *Engine) arrived() {
	e.decided = false
	if e.until == 0 {
		return
	}
	b := e.game.Board()
	if e.reached = board.Tile(b.Largest()) >= e.until; e.reached {
		e.running, e.steps = false, 0
	}
}

// recall finds the decision about a board that the game has come back to.
func (e *Engine) recall() {
	if m := &e.memory[e.game.Moves()%memories]; e.player != nil && m.Board == e.game.Board() {
		e.decision, e.decided = *m, true
	}
}

// fresh begins to measure anew.
func (e *Engine) fresh() {
	e.slow = true
	e.batch.begin, e.batch.played = time.Now(), e.played
	e.next = e.batch.begin.Add(e.pause)
}

// publish lets others see the state.
func (e *Engine) publish() {
	e.want.Store(false)
	moves := e.played - e.batch.played
	if took := time.Since(e.batch.begin); moves >= measure || took > measure*slowMove && moves > 0 {
		e.slow = e.pause > 0 || took/time.Duration(moves) > slowMove
		e.batch.begin, e.batch.played = e.batch.begin.Add(took), e.played
	}
	e.mu.Lock()
	e.latest = Snapshot{
		Board: e.game.Board(), Score: e.game.Score(), Moves: e.game.Moves(),
		Decision: e.decision, Decided: e.decided, Last: e.last, Played: e.played,
		Running: e.running, Over: e.over(), Reached: e.reached, Hand: e.hand, Err: e.err,
	}
	e.mu.Unlock()
	select {
	case e.news <- struct{}{}:
	default:
	}
}
