package live

import (
	"context"
	"time"

	"afterstate/board"
	"afterstate/search"
)

// Gate limits how many games compute concurrently.
type Gate interface {
	Enter(context.Context) error // waits for a free slot; fails only when the context ends
	Leave()
}

// decide queries the player once the gate admits it, and measures a slow player's time.
func (l *Game) decide(q *search.Query) (took time.Duration, err error) {
	if l.Gate != nil {
		if err := l.Gate.Enter(l.thought); err != nil {
			return 0, err
		}
		defer l.Gate.Leave()
	}
	if !l.slow {
		l.now.Decision, err = l.driver.Decide(l.thought, *q)
		return 0, err
	}
	start := time.Now()
	l.now.Decision, err = l.driver.Decide(l.thought, *q)
	return time.Since(start), err
}

// gatedStep calls step once the gate admits it. It returns false if interrupted.
func (l *Game) gatedStep() bool {
	if l.Gate.Enter(l.thought) != nil {
		return false
	}
	defer l.Gate.Leave()
	l.step()
	return true
}

// change calls f, which modifies the game, while Inspect is excluded.
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
