package engine

import (
	"time"

	"afterstate/board"
	"afterstate/game"
)

// The commands of the engine: called by others, they run in the engine's goroutine.

// SetRunning lets the game go on, or rest.
func (e *Engine) SetRunning(on bool) {
	e.do(false, func() {
		e.running, e.steps = on, 0
		if on {
			e.resume()
		}
	})
}

// resume gets over what stopped the game; the tile to stop at does so only once.
func (e *Engine) resume() {
	e.err = nil
	if e.reached {
		e.until, e.reached = 0, false
	}
}

// Forward makes one move and rests.
func (e *Engine) Forward() {
	e.do(false, func() {
		e.running = false
		e.resume()
		if !e.over() {
			e.steps++
		}
	})
}

// Back takes one move back and rests.
func (e *Engine) Back() {
	e.do(true, func() {
		e.running, e.steps, e.err, e.last = false, 0, nil, nil
		undone := false
		e.change(func() { undone = e.game.Undo() })
		if undone {
			e.ahead++
			e.arrived()
			e.recall()
		}
	})
}

// Again makes a move again that was taken back.
func (e *Engine) Again() {
	e.do(true, func() {
		if e.ahead > 0 {
			e.step()
		}
	})
}

// SetPause sets the time between moves.
func (e *Engine) SetPause(pause time.Duration) {
	e.do(false, func() {
		e.pause = pause
		e.fresh()
	})
}

// Move makes a move by hand, if it is legal.
func (e *Engine) Move(d board.Direction) {
	e.do(true, func() {
		before := e.game.Board()
		if e.move(d) != nil {
			return
		}
		if e.hand == 0 || e.hand > e.game.Moves() {
			e.hand = e.game.Moves()
		}
		e.ahead, e.err = 0, nil
		e.last = &Last{before, d, e.game.LastSpawn()}
		e.arrived()
	})
}

// Inspect lets f read the game at once, in the caller's goroutine, also while the player
// thinks. No move is made before f returns.
func (e *Engine) Inspect(f func(*game.Game)) {
	e.playing.Lock()
	defer e.playing.Unlock()
	f(e.game)
}
