package live

import (
	"time"

	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// The methods below may be called from any goroutine. Most of them queue a command, which the
// goroutine of Run executes.

// SetRunning resumes or pauses the game.
func (l *Game) SetRunning(on bool) {
	l.do(false, func() {
		l.now.Running, l.steps = on, 0
		if on {
			l.resume()
		}
	})
}

// resume clears the error or the reached tile that stopped the game. The game does not stop at that tile again.
func (l *Game) resume() {
	l.now.Err = nil
	if l.now.Reached {
		l.stopTile, l.now.Reached = 0, false
	}
}

// Forward makes one move and pauses.
func (l *Game) Forward() {
	l.do(false, func() {
		l.now.Running = false
		l.resume()
		if !l.over() {
			l.steps++
		}
	})
}

// Undo undoes the last move and pauses.
func (l *Game) Undo() {
	l.do(true, func() {
		l.now.Running, l.steps, l.now.Err, l.now.Last = false, 0, nil, nil
		undone := false
		l.Inspect(func(g *game.Game) { undone = g.Undo() })
		if undone {
			l.ahead++
			l.arrived()
		}
	})
}

// Pause returns the time between moves at a speed in moves per second. It returns 0, which means no
// limit, if speed is 0 or less.
func Pause(speed float64) time.Duration {
	if speed <= 0 {
		return 0
	}
	return time.Duration(float64(time.Second) / speed)
}

// SetPause sets the time between moves.
func (l *Game) SetPause(pause time.Duration) {
	l.do(false, func() {
		l.pause = pause
		l.fresh()
	})
}

// Move makes a manual move if it is legal.
func (l *Game) Move(d board.Direction) {
	l.do(true, func() {
		before := l.game.Board()
		if l.move(d) != nil {
			return
		}
		if l.now.FirstManualMove == 0 || l.now.FirstManualMove > l.game.Moves() {
			l.now.FirstManualMove = l.game.Moves()
		}
		l.ahead, l.now.Err = 0, nil
		l.now.Last = &Last{before, d, l.game.LastSpawn()}
		l.arrived()
	})
}

// Replace closes the current driver, starts d on the game that seed and index identify, and lets it continue from the
// current board.
func (l *Game) Replace(d *player.Driver, seed, index uint64) {
	l.do(true, func() {
		_ = l.driver.Close()
		l.driver, l.ahead, l.now.Err, l.now.Decision, l.now.DecisionCurrent = d, 0, nil, player.Decision{}, false
		d.Start(seed, index, l.game)
		l.fresh()
	})
}

// Close closes the current driver. Call it after Run.
func (l *Game) Close() error { return l.driver.Close() }

// Inspect calls f with the game in the caller's goroutine, even while the player is thinking. No
// move is made before f returns. f must not modify the game.
func (l *Game) Inspect(f func(*game.Game)) {
	l.playing.Lock()
	defer l.playing.Unlock()
	f(l.game)
}
