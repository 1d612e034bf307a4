package session

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/afterstate2048/afterstate/internal/speed"
	"github.com/afterstate2048/afterstate/internal/workers"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/live"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/record"
)

// watchedGame is a game that a player plays and clients watch.
type watchedGame struct {
	id, key string
	*played
	driver  *player.Driver // drives the first player; after replace, live has another driver
	live    *live.Game
	begun   time.Time
	ctx     context.Context
	stop    context.CancelFunc
	changed chan struct{} // wakes broadcast: a viewer joined, or the speed was set

	mu        sync.Mutex
	spec      string // spec of the current player
	watchers  map[Connection]struct{}
	idleSince time.Time // when the last viewer left or, if there has been no viewer, when the game began
	idle      bool      // paused because there are no viewers
	speed     float64   // moves per second; 0: unlimited
	newest    []byte    // the last frame, encoded
	frame     protocol.Frame
}

const (
	frameEvery = time.Second / 30
	maxMoves   = 1_000_000 // maximum number of moves; each takes about 4 bytes
	sweepEvery = time.Second
)

// newWatched returns a watched game that has not started yet.
func (h *Host) newWatched(g *played, p player.Player, spec string, o *protocol.StartWatch) *watchedGame {
	m := &watchedGame{
		played: g, spec: spec, driver: &player.Driver{Player: LimitTime(p, h.o.SearchTime), Game: g.Game}, begun: time.Now(), idleSince: time.Now(), speed: o.Speed,
		changed: make(chan struct{}, 1), watchers: map[Connection]struct{}{},
	}
	m.meta.Player = spec
	g.KeepPlaying()
	m.ctx, m.stop = context.WithCancel(context.Background())
	m.live = live.New(g.Game, m.driver, o.Until, live.Pause(o.Speed))
	m.live.Gate, m.live.GateMoves = h.gate, g.searches
	if !o.Running {
		m.live.SetRunning(false)
	}
	return m
}

// playOut plays the game. A panic ends this game only.
func (m *watchedGame) playOut() {
	defer m.live.Close()
	defer func() {
		if cause := recover(); cause != nil {
			spec, _ := m.player()
			logPanic("a watched game of "+spec, cause)
			m.stop()
		}
	}()
	m.driver.Start(m.meta.Seed, m.meta.Game, m.driver.Game)
	m.live.Run(m.ctx)
}

// player returns the spec of the current player, and the game's metadata for a record.
func (m *watchedGame) player() (spec string, meta record.Meta) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.spec, m.meta
}

// replace replaces the player during the game.
func (m *watchedGame) replace(p player.Player, spec string, limit time.Duration) {
	m.mu.Lock()
	if m.spec = spec; m.meta.Player != spec {
		m.meta.Player = "several players"
	}
	m.mu.Unlock()
	m.live.Replace(&player.Driver{Player: LimitTime(p, limit), Game: m.Game}, m.meta.Seed, m.meta.Game)
}

// audience returns the number of viewers and, if it is 0, since when the game has had no viewers.
func (m *watchedGame) audience() (n int, left time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.watchers), m.idleSince
}

// join adds a viewer and sends it the newest frame.
func (m *watchedGame) join(v Connection) {
	m.mu.Lock()
	m.watchers[v] = struct{}{}
	m.frame.Watchers = len(m.watchers)
	idle := m.idle
	m.idle = false
	newest := m.newest
	m.mu.Unlock()
	if newest != nil {
		v.Offer(m.id, newest)
	}
	if idle {
		m.live.SetRunning(true)
	}
	m.refresh()
}

func (m *watchedGame) leave(v Connection) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, watching := m.watchers[v]; !watching {
		return
	}
	delete(m.watchers, v)
	v.Drop(m.id)
	if len(m.watchers) == 0 {
		m.idleSince = time.Now()
	}
}

// refresh makes broadcast publish a new frame, even while the game is paused.
func (m *watchedGame) refresh() { workers.Signal(m.changed) }

func (m *watchedGame) setSpeed(speed float64) {
	m.mu.Lock()
	m.speed = speed
	m.mu.Unlock()
	m.live.SetPause(live.Pause(speed))
	m.refresh()
}

// broadcast sends frames to all viewers until the game ends or has been without viewers too long.
func (m *watchedGame) broadcast() {
	around := time.NewTicker(sweepEvery)
	defer around.Stop()
	next := time.NewTimer(0)
	defer next.Stop()
	var meter speed.Meter
	for {
		select {
		case <-m.ctx.Done():
			<-m.live.Done()
			return
		case <-m.live.Updates():
		case <-m.changed:
		case <-around.C:
			if m.idleTooLong() {
				m.stop()
			}
			continue
		}
		s := m.live.Snapshot()
		if s.Moves >= maxMoves && s.Running {
			m.live.SetRunning(false)
		}
		m.publish(&s, &meter)
		next.Reset(frameEvery)
		select {
		case <-m.ctx.Done():
		case <-next.C:
			m.live.RequestSnapshot()
		}
	}
}

// idleTooLong pauses a game that has been without viewers for restAfter, and reports whether it
// should end.
func (m *watchedGame) idleTooLong() bool {
	m.mu.Lock()
	alone := time.Since(m.idleSince)
	watched := len(m.watchers) > 0
	rest := !watched && alone > restAfter && m.frame.Running && !m.idle
	m.idle = m.idle || rest
	m.mu.Unlock()
	if rest {
		m.live.SetRunning(false)
	}
	return !watched && alone > goAfter
}

// publish encodes a snapshot as a frame and sends it to all viewers.
func (m *watchedGame) publish(s *live.Snapshot, meter *speed.Meter) {
	if s.Running {
		meter.Add(time.Now(), s.MovesPlayed)
	} else {
		meter.Reset()
	}
	var perSecond *float64
	if x, ok := meter.PerSecond(); ok {
		perSecond = &x
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	f := protocol.Frame{
		ID: m.id, Player: m.spec, Spawn: m.meta.Spawn, Seed: m.meta.Seed,
		Board: s.Board, Score: s.Score, Moves: s.Moves, Running: s.Running, Over: s.Over, Reached: s.Reached,
		FirstManualMove: s.FirstManualMove, TargetSpeed: m.speed, Speed: perSecond, DecisionCurrent: s.DecisionCurrent,
		Watchers: len(m.watchers), PausedIdle: m.idle, Loading: s.Loading,
	}
	if s.Decision.Board == s.Board || s.Decision.OK {
		d := s.Decision.Wire()
		f.Decision = &d
	}
	if s.Last != nil {
		f.Step = step(&s.Last.Before, s.Last.Move, s.Last.Spawn)
	}
	switch {
	case s.Err != nil:
		f.Error = s.Err.Error()
	case s.Moves >= maxMoves:
		f.Error = fmt.Sprintf("the game has %d moves, which is the maximum", s.Moves)
	}
	line, err := protocol.AppendNotification(nil, protocol.MethodFrame, f)
	if err != nil {
		return
	}
	m.newest, m.frame = line, f
	for v := range m.watchers {
		v.Offer(m.id, line)
	}
}
