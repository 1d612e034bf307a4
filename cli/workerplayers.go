package cli

import (
	"io"
	"sync"

	"afterstate/player"
)

// workerPlayers are the players of a command's workers, which may still be busy when the command
// ends.
type workerPlayers struct{ all []*workerPlayer }

// workerPlayer is a player with a mutex that is held while it decides.
type workerPlayer struct {
	sync.Mutex
	player.Driver
}

func (s *workerPlayers) add(p player.Player) *workerPlayer {
	taken := &workerPlayer{Driver: player.Driver{Player: p}}
	s.all = append(s.all, taken)
	return taken
}

// close closes the players that hold resources besides memory and waits until they are idle. Their
// context should have ended.
func (s *workerPlayers) close() {
	for _, taken := range s.all {
		if c, ok := player.As[io.Closer](taken.Player); ok {
			taken.Lock()
			_ = c.Close() // its decisions have been reported
			taken.Unlock()
		}
	}
}
