package live

import (
	"context"
	"time"

	"afterstate/board"
	"afterstate/search"
)

// Gate limits how many games compute at a time.
type Gate interface {
	Enter(context.Context) error // waits for a place; fails only when the context ends
	Leave()
}

// decide lets the player think when there is a place, and measures a slow player's time.
func (l *Game) decide(q *search.Query) (took time.Duration, err error) {
	if l.Gate != nil {
		if err := l.Gate.Enter(l.thought); err != nil {
			return 0, err
		}
		defer l.Gate.Leave()
	}
	if !l.slow {
		l.decision, err = l.driver.Decide(l.thought, *q)
		return 0, err
	}
	start := time.Now()
	l.decision, err = l.driver.Decide(l.thought, *q)
	return time.Since(start), err
}

// gatedStep is step when there is a place. It is false when it was interrupted.
func (l *Game) gatedStep() bool {
	if l.Gate.Enter(l.thought) != nil {
		return false
	}
	defer l.Gate.Leave()
	l.step()
	return true
}

// change lets f change the game while nobody reads it.
func (l *Game) change(f func()) {
	l.playing.Lock()
	defer l.playing.Unlock()
	f()
}

func (l *Game) move(d board.Direction) error {
	l.playing.Lock()
	defer l.playing.Unlock()
	return l.game.Move(d)
}
