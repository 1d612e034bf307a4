package tui

import (
	"time"

	"afterstate/board"
)

// The commands of the engine: called by the screen, they run in the engine's
// goroutine.

// setRunning lets the game go on, or rest.
func (e *engine) setRunning(on bool) {
	e.do(false, func() {
		e.running, e.steps = on, 0
		if on {
			e.resume()
		}
	})
}

// resume gets over what stopped the game; the tile to stop at does so only once.
func (e *engine) resume() {
	e.err = nil
	if e.reached {
		e.until, e.reached = 0, false
	}
}

// forward makes one move and rests.
func (e *engine) forward() {
	e.do(false, func() {
		e.running = false
		e.resume()
		if !e.over() {
			e.steps++
		}
	})
}

// back takes one move back and rests.
func (e *engine) back() {
	e.do(true, func() {
		e.running, e.steps, e.err, e.last = false, 0, nil, nil
		if e.game.Undo() {
			e.ahead++
			e.arrived()
			e.recall()
		}
	})
}

// again makes a move again that was taken back.
func (e *engine) again() {
	e.do(true, func() {
		if e.ahead > 0 {
			e.step()
		}
	})
}

// setPause sets the time between moves.
func (e *engine) setPause(pause time.Duration) {
	e.do(false, func() {
		e.pause = pause
		e.fresh()
	})
}

// move makes a move by hand, if it is legal.
func (e *engine) move(d board.Direction) {
	e.do(true, func() {
		before := e.game.Board()
		if e.game.Move(d) != nil {
			return
		}
		if e.hand == 0 || e.hand > e.game.Moves() {
			e.hand = e.game.Moves()
		}
		e.ahead, e.err = 0, nil
		e.last = &lastMove{before, d, e.game.LastSpawn()}
		e.arrived()
	})
}
