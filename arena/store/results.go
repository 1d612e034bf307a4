package store

import (
	"context"

	"afterstate/arena"
)

// Results returns the stored games of an experiment for reports.
func (s *Store) Results(ctx context.Context, e *Experiment) (*arena.Results, error) {
	games, err := s.AllGames(ctx, e)
	if err != nil {
		return nil, err
	}
	return e.Results(games), nil
}

// UndamagedResults returns Results without damaged and missing games, which it counts.
func (s *Store) UndamagedResults(ctx context.Context, e *Experiment) (*arena.Results, error) {
	games, leftOut, err := s.allGames(ctx, e, true)
	if err != nil {
		return nil, err
	}
	r := e.Results(games)
	for i := range r.Players {
		r.Players[i].Damaged = leftOut[i]
	}
	return r, nil
}

// Results combines each player's games into results.
func (e *Experiment) Results(games [][]arena.Game) *arena.Results {
	r := &arena.Results{
		Name: e.Name, Spawn: e.Setup.Spawn, Size: e.Setup.Size, Seed: e.Setup.Seed, Games: e.Games, Until: e.Setup.Until,
	}
	names := e.Names()
	for i, p := range e.Players {
		spec := p.Spec
		if names[i] == spec {
			spec = ""
		}
		r.Players = append(r.Players, arena.PlayerResults{Name: names[i], Spec: spec, Identity: p.Identity, Foresees: p.Foresees, TimeLimited: p.TimeLimited, Games: games[i]})
		if e.Games == 0 { // there were matches only, which ask for no number of games
			r.Games = max(r.Games, len(games[i]))
		}
	}
	return r
}
