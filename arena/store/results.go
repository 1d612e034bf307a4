package store

import (
	"context"

	"afterstate/arena"
)

// Results returns the stored games of an experiment for reports.
func (s *Store) Results(ctx context.Context, e *arena.Experiment) (*arena.Results, error) {
	games, err := s.AllGames(ctx, e)
	if err != nil {
		return nil, err
	}
	return e.Results(games), nil
}

// UndamagedResults returns Results without damaged and missing games, which it counts.
func (s *Store) UndamagedResults(ctx context.Context, e *arena.Experiment) (*arena.Results, error) {
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
