package session

import (
	"context"
	"crypto/subtle"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/live"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

var watchMethods = []Method{
	on[protocol.WatchKey]("watch.start", Immediate, (*Client).startWatch),
	on[protocol.WatchList]("watch.list", Immediate, (*Client).listWatch),
	on[protocol.Empty]("watch.join", Immediate, lasting((*watchedGame).join)),
	on[protocol.Empty]("watch.leave", Immediate, lasting((*watchedGame).leave)),
	on[protocol.Empty]("watch.set", Immediate, steered((*Client).setWatch)),
	on[protocol.Empty]("watch.step", Immediate, pressed((*live.Game).Forward)),
	on[protocol.Empty]("watch.back", Immediate, pressed((*live.Game).Undo)),
	on[protocol.Empty]("watch.move", Immediate, steered((*Client).moveWatch)),
	on[protocol.GameRecord]("watch.record", Immediate, (*Client).recordWatch),
	on[protocol.WatchLinks]("watch.links", Immediate, (*Client).linkWatch),
}

func (c *Client) startWatch(_ context.Context, p *protocol.StartWatch) (any, error) {
	h := c.host
	g, err := h.newGame(p.Size, p.Start, p.Spawn, p.Seed, p.Game)
	if err != nil {
		return nil, err
	}
	start := g.Board()
	seated, spec, err := h.seated(p.Player, start.Size(), g.meta.Spawn)
	if err != nil {
		return nil, err
	}
	m := h.newWatched(g, seated, spec, p)
	if err := h.games.add(m); err != nil {
		_ = m.driver.Close()
		return nil, err
	}
	return protocol.WatchKey{ID: m.id, Key: m.key}, nil
}

// seated returns a player for a watched game on a board of this size under a spawn rule, and the
// player's spec. text is the spec from the request.
func (h *Host) seated(text string, size board.Size, spawn string) (player.Player, string, error) {
	maker, err := parse(text, h.player(), h.o.Capabilities)
	if err == nil && maker.Foresees && spawn != record.Random {
		err = fmt.Errorf("%s must know the coming spawns, so the spawn rule must be random, not %s", maker.Spec, spawn)
	}
	if err != nil {
		return nil, "", invalid("player", err)
	}
	seated := maker.New()
	if _, err := player.Ready(seated, size); err != nil {
		_ = player.Close(seated)
		return nil, "", err
	}
	return seated, maker.Spec, nil
}

func (c *Client) listWatch(_ context.Context, _ *none) (any, error) {
	list := protocol.WatchList{Games: []protocol.WatchInfo{}}
	for _, m := range c.host.games.list() {
		s := m.live.Snapshot()
		n, _ := m.audience()
		spec, _ := m.player()
		list.Games = append(list.Games, protocol.WatchInfo{
			ID: m.id, Player: spec, Size: s.Board.Size(), Score: s.Score, Board: s.Board, Over: s.Over, Watchers: n,
		})
	}
	return list, nil
}

// lasting returns a function that calls a method of the watched game with the client's connection.
// It fails without a connection.
func lasting(call func(*watchedGame, Connection)) func(*Client, context.Context, *protocol.WatchRef) (any, error) {
	return func(c *Client, _ context.Context, p *protocol.WatchRef) (any, error) {
		if c.conn == nil {
			return nil, errNeedsSocket
		}
		m, err := c.host.games.find(p.ID)
		if err == nil {
			call(m, c.conn)
		}
		return protocol.Empty{}, err
	}
}

// steered returns a function that calls answer with the watched game, provided that the request
// contains the game's key.
func steered[P any, Q interface {
	*P
	Steers() *protocol.WatchKey
}](answer func(*Client, *watchedGame, *P) error) func(*Client, context.Context, *P) (any, error) {
	return func(c *Client, _ context.Context, p *P) (any, error) {
		m, err := c.host.games.steered(Q(p).Steers())
		if err == nil {
			err = answer(c, m, p)
		}
		return protocol.Empty{}, err
	}
}

// pressed returns a function that controls the watched game by calling do.
func pressed(do func(*live.Game)) func(*Client, context.Context, *protocol.WatchKey) (any, error) {
	return steered(func(_ *Client, m *watchedGame, _ *protocol.WatchKey) error {
		do(m.live)
		return nil
	})
}

func (c *Client) linkWatch(_ context.Context, p *protocol.LinkWatch) (any, error) {
	m, err := c.host.games.find(p.ID)
	if err != nil {
		return nil, err
	}
	links := protocol.WatchLinks{Links: []protocol.WatchLink{}}
	if c.host.o.Links != nil {
		links.Links = append(links.Links, c.host.o.Links(p.Origin, "watch/"+m.id)...)
	}
	return links, nil
}

func (c *Client) setWatch(m *watchedGame, p *protocol.SetWatch) error {
	if p.Player != "" {
		b := m.live.Snapshot().Board
		seated, spec, err := c.host.seated(p.Player, b.Size(), m.meta.Spawn)
		if err != nil {
			return err
		}
		m.replace(seated, spec, c.host.o.SearchTime)
	}
	if p.Speed != nil {
		m.setSpeed(*p.Speed)
	}
	if p.Running != nil {
		m.live.SetRunning(*p.Running)
		m.refresh()
	}
	return nil
}

// moveWatch makes a manual move; the player pauses until watch.set resumes it.
func (c *Client) moveWatch(m *watchedGame, p *protocol.MoveWatch) error {
	m.live.SetRunning(false)
	m.live.Move(p.Move)
	return nil
}

// recordWatch returns the moves made so far, without waiting for a player that is thinking.
func (c *Client) recordWatch(_ context.Context, p *protocol.WatchRef) (any, error) {
	m, err := c.host.games.find(p.ID)
	if err != nil {
		return nil, err
	}
	var r record.Record
	_, meta := m.player()
	m.live.Inspect(func(g *game.Game) { r = record.Of(g, meta) })
	return recordLine(r)
}

const (
	// A game without viewers pauses after restAfter and ends after goAfter.
	restAfter = 20 * time.Second
	goAfter   = 15 * time.Minute
)

// watchedGames is the set of watched games.
type watchedGames struct {
	limit int

	mu     sync.Mutex
	all    map[string]*watchedGame
	closed bool
	ended  sync.WaitGroup // counts the goroutines of games
}

// add starts a game. At the limit it replaces the game that has been without viewers longest, and
// fails if all games have viewers.
func (g *watchedGames) add(m *watchedGame) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return protocol.Errorf(protocol.CodeBusy, "the server is shutting down")
	}
	if len(g.all) >= g.limit {
		oldest := g.oldest()
		if oldest == nil {
			return protocol.Errorf(protocol.CodeBusy, "%d games are being watched: leave one of them first", g.limit)
		}
		g.remove(oldest)
	}
	m.id, m.key = secret(), secret()
	g.all[m.id] = m
	g.ended.Go(m.playOut)
	g.ended.Go(func() { m.broadcast(); g.forget(m) })
	return nil
}

// oldest returns the game that has been without viewers longest, or nil if all games have viewers.
func (g *watchedGames) oldest() (oldest *watchedGame) {
	var since time.Time
	for _, m := range g.all {
		if n, left := m.audience(); n == 0 && (oldest == nil || left.Before(since)) {
			oldest, since = m, left
		}
	}
	return oldest
}

func (g *watchedGames) remove(m *watchedGame) {
	m.stop()
	delete(g.all, m.id)
}

func (g *watchedGames) forget(m *watchedGame) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.remove(m)
}

// find returns the game with this id.
func (g *watchedGames) find(id string) (*watchedGame, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	m := g.all[id]
	if m == nil {
		return nil, refusef(protocol.CodeInvalidParams, "id: no game is called %s: it has ended, or the server was restarted", protocol.Quote(id))
	}
	return m, nil
}

// steered returns the game with this id if the key matches.
func (g *watchedGames) steered(at *protocol.WatchKey) (*watchedGame, error) {
	m, err := g.find(at.ID)
	if err == nil && subtle.ConstantTimeCompare([]byte(at.Key), []byte(m.key)) != 1 {
		err = refusef(protocol.CodeInvalidParams, "key: must be the one that %s returned", "watch.start")
	}
	return m, err
}

// list returns the games in the order in which they started.
func (g *watchedGames) list() []*watchedGame {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.SortedFunc(maps.Values(g.all), func(a, b *watchedGame) int { return a.begun.Compare(b.begun) })
}

// close ends all games and waits for their goroutines.
func (g *watchedGames) close() {
	g.mu.Lock()
	g.closed = true
	for _, m := range g.all {
		m.stop()
	}
	g.mu.Unlock()
	g.ended.Wait()
}
