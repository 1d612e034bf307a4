package engine

import (
	"context"
	"time"

	"afterstate/board"
	"afterstate/search"
)

// Gate limits how many engines compute at a time.
type Gate interface {
	Enter(context.Context) error // waits for a place; fails only when the context ends
	Leave()
}

// decide lets the player think when there is a place, and measures a slow player's time.
func (e *Engine) decide(q *search.Query) (took time.Duration, err error) {
	if e.Gate != nil {
		if err := e.Gate.Enter(e.thought); err != nil {
			return 0, err
		}
		defer e.Gate.Leave()
	}
	if !e.slow {
		e.decision, err = e.player.Decide(e.thought, *q)
		return 0, err
	}
	start := time.Now()
	e.decision, err = e.player.Decide(e.thought, *q)
	return time.Since(start), err
}

// gatedStep is step when there is a place. It is false when it was interrupted.
func (e *Engine) gatedStep() bool {
	if e.Gate.Enter(e.thought) != nil {
		return false
	}
	defer e.Gate.Leave()
	e.step()
	return true
}

// change lets f change the game while nobody reads it.
func (e *Engine) change(f func()) {
	e.playing.Lock()
	defer e.playing.Unlock()
	f()
}

func (e *Engine) move(d board.Direction) error {
	e.playing.Lock()
	defer e.playing.Unlock()
	return e.game.Move(d)
}
