package cli

import (
	"io"
	"sync"

	"afterstate/player"
)

// seats hold the players of a command whose workers may still be busy when it
// ends, and let go of what they hold.
type seats struct{ all []*seat }

// seat is a player that is not closed while it decides.
type seat struct {
	sync.Mutex
	player.Driver
}

func (s *seats) add(p player.Player) *seat {
	taken := &seat{Driver: player.Driver{Player: p}}
	s.all = append(s.all, taken)
	return taken
}

// close waits for players that hold more than memory only; their context should
// have ended.
func (s *seats) close() {
	for _, taken := range s.all {
		if c, ok := player.As[io.Closer](taken.Player); ok {
			taken.Lock()
			_ = c.Close() // it has answered all that was asked
			taken.Unlock()
		}
	}
}
