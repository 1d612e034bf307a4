package live

import (
	"context"
	"time"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// Gate limits how many games compute concurrently.
type Gate interface {
	Enter(context.Context) error // waits for a free slot; fails only when the context ends
	Leave()
}

// gated calls do once the gate, if there is one, admits it. It returns false if interrupted.
func (l *Game) gated(do func()) bool {
	if l.Gate != nil {
		if l.Gate.Enter(l.thought) != nil {
			return false
		}
		defer l.Gate.Leave()
	}
	do()
	return true
}

// decide queries the player, and measures a slow one's time.
func (l *Game) decide(q *search.Query) (took time.Duration, err error) {
	var start time.Time
	if l.slow {
		start = time.Now()
	}
	l.now.Decision, err = l.driver.Decide(l.thought, *q)
	if l.slow {
		took = time.Since(start)
	}
	return took, err
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
