package serve

import (
	"context"
	"fmt"

	"afterstate/game"
	"afterstate/game/record"
	"afterstate/player"
	"afterstate/player/catalog"
	"afterstate/wire"
)

func (t *talk) startWatch(ctx context.Context, params []byte) (any, error) {
	var p wire.StartWatch
	if err := p.ReadParams(params); err != nil {
		return nil, err
	}
	s := t.server
	maker := s.o.Player
	if p.Player != "" {
		m, err := catalog.Parse(p.Player, s.o.Capabilities)
		if err != nil {
			return nil, invalid(wire.MethodWatchStart, "player", err)
		}
		maker = m
	}
	g, rule, err := s.newGame(wire.MethodWatchStart, p.Size, p.Spawn, p.Seed, p.Game)
	if err != nil {
		return nil, err
	}
	if maker.Foresees && !rule.Random {
		return nil, invalid(wire.MethodWatchStart, "player", fmt.Errorf("%s knows the tiles to come, which takes spawn random, not %s", maker.Spec, rule.Spec))
	}
	begun, seated := g.Board(), maker.New()
	if err := fits(ctx, seated, begun.Size(), s.o.SearchTime); err != nil {
		_ = player.Close(seated)
		return nil, err
	}
	m := s.newMatch(g, seated, maker.Spec, &p)
	if err := s.games.add(m); err != nil {
		_ = m.driver.Close()
		return nil, err
	}
	return wire.WatchKey{ID: m.id, Key: m.key}, nil
}

func (t *talk) listWatch(_ context.Context, params []byte) (any, error) {
	if err := wire.ReadNone(wire.MethodWatchList, params); err != nil {
		return nil, err
	}
	list := wire.WatchList{Games: []wire.WatchInfo{}}
	for _, m := range t.server.games.list() {
		s := m.live.Look()
		n, _ := m.audience()
		list.Games = append(list.Games, wire.WatchInfo{
			ID: m.id, Player: m.spec, Size: s.Board.Size(), Score: s.Score, Board: s.Board, Over: s.Over, Watchers: n,
		})
	}
	return list, nil
}

// watchedAt is the game of a request that only looks.
func (t *talk) watchedAt(method string, params []byte, lasting bool) (*match, error) {
	var p wire.WatchAt
	if err := p.ReadParams(method, params, false); err != nil {
		return nil, err
	}
	if lasting && t.viewer == nil {
		return nil, needsSocket(method)
	}
	return t.server.games.find(method, p.ID)
}

func (t *talk) joinWatch(_ context.Context, params []byte) (any, error) {
	m, err := t.watchedAt(wire.MethodWatchJoin, params, true)
	if err != nil {
		return nil, err
	}
	m.join(t.viewer)
	return wire.Done{}, nil
}

func (t *talk) leaveWatch(_ context.Context, params []byte) (any, error) {
	m, err := t.watchedAt(wire.MethodWatchLeave, params, true)
	if err != nil {
		return nil, err
	}
	m.leave(t.viewer)
	return wire.Done{}, nil
}

func (t *talk) setWatch(_ context.Context, params []byte) (any, error) {
	var p wire.SetWatch
	if err := p.ReadParams(params); err != nil {
		return nil, err
	}
	m, err := t.server.games.steered(wire.MethodWatchSet, p.WatchAt)
	if err != nil {
		return nil, err
	}
	if p.Speed != nil {
		m.setSpeed(*p.Speed)
	}
	if p.Running != nil {
		m.live.SetRunning(*p.Running)
		m.look()
	}
	return wire.Done{}, nil
}

// steer reads the params of a method that steers a game.
func (t *talk) steer(method string, params []byte) (*match, error) {
	var p wire.WatchAt
	if err := p.ReadParams(method, params, true); err != nil {
		return nil, err
	}
	return t.server.games.steered(method, p)
}

func (t *talk) stepWatch(_ context.Context, params []byte) (any, error) {
	m, err := t.steer(wire.MethodWatchStep, params)
	if err != nil {
		return nil, err
	}
	m.live.Forward()
	return wire.Done{}, nil
}

func (t *talk) backWatch(_ context.Context, params []byte) (any, error) {
	m, err := t.steer(wire.MethodWatchBack, params)
	if err != nil {
		return nil, err
	}
	m.live.Back()
	return wire.Done{}, nil
}

// moveWatch makes a move by hand; the player rests until watch.set lets it go on.
func (t *talk) moveWatch(_ context.Context, params []byte) (any, error) {
	var p wire.MoveWatch
	if err := p.ReadParams(params); err != nil {
		return nil, err
	}
	m, err := t.server.games.steered(wire.MethodWatchMove, p.WatchAt)
	if err != nil {
		return nil, err
	}
	m.live.SetRunning(false)
	m.live.Move(p.Move)
	return wire.Done{}, nil
}

// recordWatch does not wait for a player that thinks: it answers what was played so far.
func (t *talk) recordWatch(_ context.Context, params []byte) (any, error) {
	m, err := t.watchedAt(wire.MethodWatchRecord, params, false)
	if err != nil {
		return nil, err
	}
	var r record.Record
	m.live.Inspect(func(g *game.Game) { r = record.Of(g, m.meta) })
	line, err := r.AppendJSON(nil)
	return wire.Recorded{Record: string(line)}, err
}
