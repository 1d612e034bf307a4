package live

import (
	"time"

	"afterstate/board"
	"afterstate/game"
)

// The commands: called by others, they run in Run's goroutine.

// SetRunning lets the game go on, or rest.
func (l *Game) SetRunning(on bool) {
	l.do(false, func() {
		l.running, l.steps = on, 0
		if on {
			l.resume()
		}
	})
}

// resume gets over what stopped the game; the tile to stop at does so only once.
func (l *Game) resume() {
	l.err = nil
	if l.reached {
		l.until, l.reached = 0, false
	}
}

// Forward makes one move and rests.
func (l *Game) Forward() {
	l.do(false, func() {
		l.running = false
		l.resume()
		if !l.over() {
			l.steps++
		}
	})
}

// Back takes one move back and rests.
func (l *Game) Back() {
	l.do(true, func() {
		l.running, l.steps, l.err, l.last = false, 0, nil, nil
		undone := false
		l.change(func() { undone = l.game.Undo() })
		if undone {
			l.ahead++
			l.arrived()
			l.recall()
		}
	})
}

// Again makes a move again that was taken back.
func (l *Game) Again() {
	l.do(true, func() {
		if l.ahead > 0 {
			l.step()
		}
	})
}

// SetPause sets the time between moves.
func (l *Game) SetPause(pause time.Duration) {
	l.do(false, func() {
		l.pause = pause
		l.fresh()
	})
}

// Move makes a move by hand, if it is legal.
func (l *Game) Move(d board.Direction) {
	l.do(true, func() {
		before := l.game.Board()
		if l.move(d) != nil {
			return
		}
		if l.hand == 0 || l.hand > l.game.Moves() {
			l.hand = l.game.Moves()
		}
		l.ahead, l.err = 0, nil
		l.last = &Last{before, d, l.game.LastSpawn()}
		l.arrived()
	})
}

// Inspect lets f read the game at once, in the caller's goroutine, also while the player
// thinks. No move is made before f returns.
func (l *Game) Inspect(f func(*game.Game)) {
	l.playing.Lock()
	defer l.playing.Unlock()
	f(l.game)
}
