package player

import (
	"io"
	"sync"
)

// Pool holds the players of concurrent workers, which may still be busy when their results are no
// longer wanted. Add all players before the workers start.
type Pool struct{ all []*Pooled }

// Pooled is a player with a mutex that its worker holds while it decides.
type Pooled struct {
	sync.Mutex
	Driver
}

// Add adds a player.
func (s *Pool) Add(p Player) *Pooled {
	added := &Pooled{Driver: Driver{Player: p}}
	s.all = append(s.all, added)
	return added
}

// Close closes the players that hold resources besides memory; it waits until each is idle. End
// their context first.
func (s *Pool) Close() {
	for _, p := range s.all {
		if c, ok := As[io.Closer](p.Player); ok {
			p.Lock()
			_ = c.Close() // its decisions have been reported
			p.Unlock()
		}
	}
}
