package experiment

import (
	"context"
	"fmt"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/stats"
)

// matchChunkTime is the duration of a match's chunks. It is short since games beyond the end of a
// match are wasted.
const matchChunkTime = 300 * time.Millisecond

// Match is a sequential test between two players of an experiment, who play until it decides.
type Match struct {
	*stats.Match

	experiment *Experiment
	players    []arena.Player
}

// Match begins a match between two players, by identity, with their stored games.
func (x *Experiment) Match(ctx context.Context, a, b string, confidence float64) (*Match, error) {
	m := &Match{Match: stats.NewMatch(confidence), experiment: x}
	for i, identity := range []string{a, b} {
		p := x.Player(identity)
		m.players = append(m.players, *p)
		games, err := x.load(ctx, p)
		if err != nil {
			return nil, err
		}
		for k := range games {
			m.Add(i, games[k].Index, games[k].Score)
		}
	}
	m.Name, m.A, m.B = x.Stored.Name, x.Stored.NameOf(&m.players[0]), x.Stored.NameOf(&m.players[1])
	return m, nil
}

// Players are the two players.
func (m *Match) Players() []arena.Player { return m.players }

// Play plays until there is a winner or each player has played o.Games.
func (m *Match) Play(ctx context.Context, o PlayOptions) error {
	if m.Winner() != 0 {
		return nil
	}
	observe := o.OnGames
	o.Players, o.ChunkTime = m.players, matchChunkTime
	o.onResume = func(p *arena.Player, games []arena.Recorded) error {
		for i := range m.players {
			if m.players[i].Number == p.Number {
				for k := range games {
					m.Add(i, games[k].Index, games[k].Score)
				}
			}
		}
		if m.Winner() != 0 {
			return arena.ErrStop
		}
		return nil
	}
	o.OnGames = func(p *arena.Player, games []arena.Recorded) error {
		stop := o.onResume(p, games)
		if observe != nil {
			if err := observe(p, games); err != nil {
				return err
			}
		}
		return stop
	}
	o.onFalse = func(worker, reason string, games int) error {
		return fmt.Errorf("%s: worker %s delivered a false game (%s); %d of its games had been counted and are removed: begin the match again to play them", m.Name, worker, reason, games)
	}
	return m.experiment.Play(ctx, o)
}
