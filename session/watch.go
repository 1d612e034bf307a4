package session

import (
	"context"
	"fmt"

	"afterstate/game"
	"afterstate/game/record"
	"afterstate/player"
	"afterstate/player/catalog"
	"afterstate/wire"
)

func (c *Client) startWatch(_ context.Context, params []byte) (any, error) {
	var p wire.StartWatch
	if err := p.ReadParams(params); err != nil {
		return nil, err
	}
	h := c.host
	maker := h.player()
	if p.Player != "" {
		m, err := catalog.Parse(p.Player, h.o.Capabilities)
		if err != nil {
			return nil, invalid(wire.MethodWatchStart, "player", err)
		}
		maker = m
	}
	g, rule, err := h.newGame(wire.MethodWatchStart, p.Size, p.Start, p.Spawn, p.Seed, p.Game)
	if err != nil {
		return nil, err
	}
	if maker.Foresees && !rule.Random {
		return nil, invalid(wire.MethodWatchStart, "player", fmt.Errorf("%s knows the coming spawns, which requires spawn random, not %s", maker.Spec, rule.Spec))
	}
	begun, seated := g.Board(), maker.New()
	if _, err := player.Ready(seated, begun.Size()); err != nil {
		_ = player.Close(seated)
		return nil, err
	}
	m := h.newWatched(g, seated, maker.Spec, &p)
	if err := h.games.add(m); err != nil {
		_ = m.driver.Close()
		return nil, err
	}
	return wire.WatchKey{ID: m.id, Key: m.key}, nil
}

func (c *Client) listWatch(_ context.Context, params []byte) (any, error) {
	if err := wire.ReadNone(wire.MethodWatchList, params); err != nil {
		return nil, err
	}
	list := wire.WatchList{Games: []wire.WatchInfo{}}
	for _, m := range c.host.games.list() {
		s := m.live.Snapshot()
		n, _ := m.audience()
		list.Games = append(list.Games, wire.WatchInfo{
			ID: m.id, Player: m.spec, Size: s.Board.Size(), Score: s.Score, Board: s.Board, Over: s.Over, Watchers: n,
		})
	}
	return list, nil
}

// watchedAt returns the game of a request that does not steer it.
func (c *Client) watchedAt(method string, params []byte, lasting bool) (*watchedGame, error) {
	var p wire.WatchRef
	if err := p.ReadParams(method, params, false); err != nil {
		return nil, err
	}
	if lasting && c.conn == nil {
		return nil, needsSocket(method)
	}
	return c.host.games.find(method, p.ID)
}

func (c *Client) joinWatch(_ context.Context, params []byte) (any, error) {
	m, err := c.watchedAt(wire.MethodWatchJoin, params, true)
	if err != nil {
		return nil, err
	}
	m.join(c.conn)
	return wire.Empty{}, nil
}

func (c *Client) leaveWatch(_ context.Context, params []byte) (any, error) {
	m, err := c.watchedAt(wire.MethodWatchLeave, params, true)
	if err != nil {
		return nil, err
	}
	m.leave(c.conn)
	return wire.Empty{}, nil
}

func (c *Client) setWatch(_ context.Context, params []byte) (any, error) {
	var p wire.SetWatch
	if err := p.ReadParams(params); err != nil {
		return nil, err
	}
	m, err := c.host.games.steered(wire.MethodWatchSet, p.WatchRef)
	if err != nil {
		return nil, err
	}
	if p.Speed != nil {
		m.setSpeed(*p.Speed)
	}
	if p.Running != nil {
		m.live.SetRunning(*p.Running)
		m.refresh()
	}
	return wire.Empty{}, nil
}

// steer reads the params of a method that steers a game and checks the key.
func (c *Client) steer(method string, params []byte) (*watchedGame, error) {
	var p wire.WatchRef
	if err := p.ReadParams(method, params, true); err != nil {
		return nil, err
	}
	return c.host.games.steered(method, p)
}

func (c *Client) stepWatch(_ context.Context, params []byte) (any, error) {
	m, err := c.steer(wire.MethodWatchStep, params)
	if err != nil {
		return nil, err
	}
	m.live.Forward()
	return wire.Empty{}, nil
}

func (c *Client) backWatch(_ context.Context, params []byte) (any, error) {
	m, err := c.steer(wire.MethodWatchBack, params)
	if err != nil {
		return nil, err
	}
	m.live.Back()
	return wire.Empty{}, nil
}

// moveWatch makes a manual move; the player pauses until watch.set resumes it.
func (c *Client) moveWatch(_ context.Context, params []byte) (any, error) {
	var p wire.MoveWatch
	if err := p.ReadParams(params); err != nil {
		return nil, err
	}
	m, err := c.host.games.steered(wire.MethodWatchMove, p.WatchRef)
	if err != nil {
		return nil, err
	}
	m.live.SetRunning(false)
	m.live.Move(p.Move)
	return wire.Empty{}, nil
}

// recordWatch returns the moves made so far, without waiting for a player that is thinking.
func (c *Client) recordWatch(_ context.Context, params []byte) (any, error) {
	m, err := c.watchedAt(wire.MethodWatchRecord, params, false)
	if err != nil {
		return nil, err
	}
	var r record.Record
	m.live.Inspect(func(g *game.Game) { r = record.Of(g, m.meta) })
	line, err := r.AppendJSON(nil)
	return wire.GameRecord{Record: string(line)}, err
}
