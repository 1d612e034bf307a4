package experiment

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"afterstate/arena"
	"afterstate/arena/report"
	"afterstate/arena/store"
	"afterstate/board"
	"afterstate/game/record"
	"afterstate/wire"
)

// listed is the number of games in the result of Games.
const listed = 20

// Document returns the report on an experiment with these results.
func Document(e *store.Experiment, r *arena.Results) *report.Document {
	d := &report.Document{Results: r, Created: e.Created}
	for _, p := range e.Players {
		d.Versions = append(d.Versions, p.Versions)
	}
	return d
}

// Games returns the games of a player with the highest or lowest scores.
func (r *Runner) Games(ctx context.Context, q *wire.FindGames) (*wire.ExperimentGames, error) {
	s, e, p, err := r.player(ctx, q.Name, q.Player)
	if err != nil {
		return nil, err
	}
	games, err := s.Games(ctx, e, p)
	if err != nil {
		return nil, err
	}
	sign := -1
	if q.Worst {
		sign = 1
	}
	slices.SortFunc(games, func(a, b arena.Game) int {
		return cmp.Or(sign*cmp.Compare(a.Score, b.Score), cmp.Compare(a.Index, b.Index))
	})
	found := &wire.ExperimentGames{Player: e.NameOf(p), Total: len(games), Games: []wire.StoredGame{}}
	for _, g := range games[:min(listed, len(games))] {
		found.Games = append(found.Games, wire.StoredGame{
			Game: g.Index, Score: g.Score, MaxTile: board.Tile(g.Largest), Moves: g.Moves, Forfeit: g.Forfeit.Reason,
		})
	}
	return found, nil
}

// Record returns a game as a record, for the player of a spec that public returns.
func (r *Runner) Record(ctx context.Context, q *wire.FindGame, public func(spec string) string) (*wire.GameRecord, error) {
	s, e, p, err := r.player(ctx, q.Name, q.Player)
	if err != nil {
		return nil, err
	}
	found, err := s.Recorded(ctx, e, p, uint64(q.Game))
	if err != nil {
		return nil, err
	}
	g, err := found.Replay(e.Setup)
	if err != nil {
		return nil, err
	}
	meta := e.Setup.Meta(found.Index, public(p.Spec))
	meta.Spawn = public(meta.Spawn)
	var text bytes.Buffer
	if err := record.Write(&text, record.Of(g, meta)); err != nil {
		return nil, err
	}
	return &wire.GameRecord{Record: text.String()}, nil
}

// Report returns the report on an experiment as a page. public changes the results first.
func (r *Runner) Report(ctx context.Context, name string, public func(*arena.Results)) (*wire.ExperimentReport, error) {
	s, e, err := r.find(ctx, name)
	if err != nil {
		return nil, err
	}
	results, err := s.Results(ctx, e)
	if err != nil {
		return nil, err
	}
	public(results)
	var page bytes.Buffer
	if err := report.HTML(&page, name+" - Afterstate", []*report.Document{Document(e, results)}); err != nil {
		return nil, err
	}
	return &wire.ExperimentReport{HTML: page.String()}, nil
}

// player returns a player of an experiment by its number.
func (r *Runner) player(ctx context.Context, name string, number int) (*store.Store, *store.Experiment, *store.Player, error) {
	s, e, err := r.find(ctx, name)
	if err != nil {
		return nil, nil, nil, err
	}
	for i := range e.Players {
		if e.Players[i].Number == number {
			return s, e, &e.Players[i], nil
		}
	}
	return nil, nil, nil, fmt.Errorf("%s has no player %d: want 1 to %d", name, number, len(e.Players))
}
