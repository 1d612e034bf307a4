package session

import (
	"crypto/subtle"
	"slices"
	"sync"
	"time"

	"github.com/afterstate2048/afterstate/protocol"
)

const (
	// A game without viewers pauses after restAfter and ends after goAfter.
	restAfter = 20 * time.Second
	goAfter   = 15 * time.Minute
)

// games is the set of watched games.
type games struct {
	most int

	mu     sync.Mutex
	all    map[string]*watchedGame
	closed bool
	ended  sync.WaitGroup // the goroutines of games
}

func newGames(most int) *games { return &games{most: most, all: map[string]*watchedGame{}} }

// add starts a game. At the limit it replaces the game that has been without viewers longest.
func (g *games) add(m *watchedGame) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return protocol.Errorf(protocol.CodeBusy, "the server ends")
	}
	if len(g.all) >= g.most {
		oldest := g.oldest()
		if oldest == nil {
			return protocol.Errorf(protocol.CodeBusy, "%d games are being watched: leave one of them first", g.most)
		}
		g.remove(oldest)
	}
	m.id, m.key = secret(), secret()
	g.all[m.id] = m
	g.ended.Go(m.playOut)
	g.ended.Go(func() { m.broadcast(); g.forget(m) })
	return nil
}

// oldest returns the game that has been without viewers longest, or nil.
func (g *games) oldest() (oldest *watchedGame) {
	var since time.Time
	for _, m := range g.all {
		if n, left := m.audience(); n == 0 && (oldest == nil || left.Before(since)) {
			oldest, since = m, left
		}
	}
	return oldest
}

func (g *games) remove(m *watchedGame) {
	m.stop()
	delete(g.all, m.id)
}

func (g *games) forget(m *watchedGame) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.remove(m)
}

// find returns the game with an id.
func (g *games) find(id string) (*watchedGame, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	m := g.all[id]
	if m == nil {
		return nil, refusef(protocol.CodeInvalidParams, "id: no game is called %s: it has ended, or the server was restarted", protocol.Quote(id))
	}
	return m, nil
}

// steered returns the game with an id if the key matches.
func (g *games) steered(at *protocol.WatchKey) (*watchedGame, error) {
	m, err := g.find(at.ID)
	if err == nil && subtle.ConstantTimeCompare([]byte(at.Key), []byte(m.key)) != 1 {
		err = refusef(protocol.CodeInvalidParams, "key: want the one that %s returned", "watch.start")
	}
	return m, err
}

// list returns the games in the order in which they began.
func (g *games) list() []*watchedGame {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := make([]*watchedGame, 0, len(g.all))
	for _, m := range g.all {
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b *watchedGame) int { return a.begun.Compare(b.begun) })
	return all
}

func (g *games) leaveAll(v Connection) {
	for _, m := range g.list() {
		m.leave(v)
	}
}

// close ends all games and waits for their goroutines.
func (g *games) close() {
	g.mu.Lock()
	g.closed = true
	for _, m := range g.all {
		m.stop()
	}
	g.mu.Unlock()
	g.ended.Wait()
}
