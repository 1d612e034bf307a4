package experiment

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"afterstate/arena"
	"afterstate/game/record"
	"afterstate/wire"
)

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
	return arena.Extremes(e.NameOf(p), games, q.Worst), nil
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
	var text bytes.Buffer
	if err := writePublic(&text, e, p, found, public); err != nil {
		return nil, err
	}
	return &wire.GameRecord{Record: text.String()}, nil
}

// writePublic writes the record of a game, for specs that public returns.
func writePublic(to io.Writer, e *arena.Experiment, p *arena.Player, r *arena.Recorded, public func(spec string) string) error {
	line, err := r.Record(e.Setup, public(p.Spec))
	if err != nil {
		return err
	}
	line.Spawn = public(line.Spawn)
	return record.Write(to, line)
}

// recordsAtOnce is the number of games in an answer of Records.
const recordsAtOnce = 100

// Records returns the records of a player's next games by their number, for specs that public returns.
func (r *Runner) Records(ctx context.Context, q *wire.FindRecords, public func(spec string) string) (*wire.ExperimentRecords, error) {
	s, e, p, err := r.player(ctx, q.Name, q.Player)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	n := 0
	for found, err := range s.AllRecorded(ctx, e, p) {
		switch n++; {
		case err != nil:
			return nil, err
		case n <= q.From:
			continue
		case n > q.From+recordsAtOnce:
			return &wire.ExperimentRecords{Records: text.String(), Next: n - 1}, nil
		}
		if err := writePublic(&text, e, p, found, public); err != nil {
			return nil, err
		}
	}
	return &wire.ExperimentRecords{Records: text.String()}, nil
}

// Report returns the report on an experiment as a page. public changes the results first.
func (r *Runner) Report(ctx context.Context, name string, public func(*arena.Results)) (*wire.ExperimentReport, error) {
	if r.o.Report == nil {
		return nil, errors.New("a browser writes no reports: want afterstate arena run and afterstate arena report")
	}
	s, e, err := r.find(ctx, name)
	if err != nil {
		return nil, err
	}
	results, err := Results(ctx, s, e)
	if err != nil {
		return nil, err
	}
	public(results)
	var page bytes.Buffer
	if err := r.o.Report(&page, e, results); err != nil {
		return nil, err
	}
	return &wire.ExperimentReport{HTML: page.String()}, nil
}

// player returns a player of an experiment by its number.
func (r *Runner) player(ctx context.Context, name string, number int) (Store, *arena.Experiment, *arena.Player, error) {
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
