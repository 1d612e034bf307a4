package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Create adds an experiment, numbers its players and sets their IDs. Extend can add players later.
func (s *Store) Create(ctx context.Context, e *arena.Plan) error {
	return s.write(ctx, func(ctx context.Context, conn *sql.Conn) error { return s.create(ctx, conn, e) })
}

func (s *Store) create(ctx context.Context, conn *sql.Conn, e *arena.Plan) error {
	e.Created = time.Now().UTC().Truncate(time.Second)
	done, err := conn.ExecContext(ctx, "INSERT INTO experiments (name, created, size, spawn, spawn_identity, seed, stop, goal, starts, games) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO NOTHING",
		e.Name, e.Created.Format(time.RFC3339), e.Setup.Size.String(), e.Setup.Spawn, e.Setup.SpawnIdentity, strconv.FormatUint(e.Setup.Seed, 10), e.Setup.Stop.String(), e.Setup.Goal, e.Setup.Starts.String(), e.Games)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, &storeError{arena.ErrExists, fmt.Sprintf("experiment %s already exists in %s", e.Name, s.path), nil})
	}
	if e.ID, err = done.LastInsertId(); err != nil {
		return err
	}
	for i := range e.Players {
		if err := insert(ctx, conn, e, &e.Players[i], i+1); err != nil {
			return err
		}
	}
	return nil
}

// change executes a statement that changes rows of an experiment. If no row changes, the experiment was removed,
// and the error is arena.ErrRemoved.
func change(ctx context.Context, conn *sql.Conn, e *arena.Plan, statement string, args ...any) error {
	done, err := conn.ExecContext(ctx, statement, args...)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n > 0 {
		return err
	}
	return removed(e)
}

// exists returns arena.ErrRemoved if the experiment was removed, and nil if it exists.
func exists(ctx context.Context, conn *sql.Conn, e *arena.Plan) error {
	var found int
	err := conn.QueryRowContext(ctx, "SELECT count(*) FROM experiments WHERE id = ?", e.ID).Scan(&found)
	if err == nil && found == 0 {
		return removed(e)
	}
	return err
}

func insert(ctx context.Context, conn *sql.Conn, e *arena.Plan, p *arena.Player, number int) error {
	done, err := conn.ExecContext(ctx, "INSERT INTO players (experiment, number, spec, identity, versions, foresees, time_limited, kept, signatures) VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?)",
		e.ID, number, p.Spec, p.Identity, strings.Join(p.Versions, ","), p.Foresees, p.TimeLimited, strings.Join(p.Signatures, ","))
	if err != nil {
		return err
	}
	p.Number = number
	p.ID, err = done.LastInsertId()
	return err
}

// Extend raises an experiment's number of games to at least games, and adds players, whose numbers
// and IDs it sets.
func (s *Store) Extend(ctx context.Context, e *arena.Plan, games int, players []arena.Player) error {
	return s.write(ctx, func(ctx context.Context, conn *sql.Conn) error {
		e.Games = max(e.Games, games)
		if err := change(ctx, conn, e, "UPDATE experiments SET games = max(games, ?) WHERE id = ?", games, e.ID); err != nil {
			return err
		}
		for _, p := range players {
			if err := insert(ctx, conn, e, &p, len(e.Players)+1); err != nil {
				return err
			}
			e.Players = append(e.Players, p)
		}
		return nil
	})
}

// RecordVersion stores that a version of the program plays games for a player.
func (s *Store) RecordVersion(ctx context.Context, e *arena.Plan, p *arena.Player, version, signature string) error {
	if p.Played(version, signature) {
		return nil
	}
	p.Versions, p.Signatures = append(p.Versions, version), append(p.Signatures, signature)
	return s.write(ctx, func(ctx context.Context, conn *sql.Conn) error {
		return change(ctx, conn, e, "UPDATE players SET versions = ?, signatures = ? WHERE id = ?", strings.Join(p.Versions, ","), strings.Join(p.Signatures, ","), p.ID)
	})
}

// Experiment returns the experiment with this name. If there is none, the error is arena.ErrUnknown.
func (s *Store) Experiment(ctx context.Context, name string) (*arena.Plan, error) {
	all, err := s.experiments(ctx, "WHERE name = ?", name)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, &storeError{arena.ErrUnknown, fmt.Sprintf("no experiment is called %s in %s", name, s.path), nil}
	}
	return &all[0], nil
}

// Experiments returns all experiments, newest last.
func (s *Store) Experiments(ctx context.Context) (all []arena.Plan, err error) {
	return s.experiments(ctx, "")
}

// experiments returns the experiments that the SQL clause where selects.
func (s *Store) experiments(ctx context.Context, where string, args ...any) (all []arena.Plan, err error) {
	err = s.snapshot(ctx, func(conn *sql.Conn) error {
		all, err = query(ctx, conn, readExperiment, "SELECT id, name, created, size, spawn, spawn_identity, seed, stop, goal, starts, games FROM experiments "+where+" ORDER BY id", args...)
		for i := range all {
			if err == nil {
				all[i].Players, err = query(ctx, conn, readPlayer, "SELECT id, number, spec, identity, versions, foresees, time_limited, signatures FROM players WHERE experiment = ? ORDER BY number", all[i].ID)
			}
		}
		return err
	})
	return all, err
}

func readExperiment(rows *sql.Rows) (e arena.Plan, err error) {
	var created, size, seed, stop, starts string
	if err := rows.Scan(&e.ID, &e.Name, &created, &size, &e.Setup.Spawn, &e.Setup.SpawnIdentity, &seed, &stop, &e.Setup.Goal, &starts, &e.Games); err != nil {
		return e, err
	}
	var wrong [4]error
	e.Created, wrong[0] = time.Parse(time.RFC3339, created)
	e.Setup.Seed, wrong[1] = strconv.ParseUint(seed, 10, 64)
	e.Setup.Size, wrong[2] = board.ParseSize(size)
	wrong[3] = e.Setup.Stop.UnmarshalText([]byte(stop))
	if err = errors.Join(wrong[:]...); err == nil && starts != "" {
		e.Setup.Starts = new(arena.Starts)
		err = e.Setup.Starts.UnmarshalText([]byte(starts))
	}
	if err != nil {
		return e, fmt.Errorf("experiment %s: %w", e.Name, err)
	}
	return e, nil
}

func readPlayer(rows *sql.Rows) (p arena.Player, err error) {
	var versions, signatures string
	err = rows.Scan(&p.ID, &p.Number, &p.Spec, &p.Identity, &versions, &p.Foresees, &p.TimeLimited, &signatures)
	p.Versions, p.Signatures = strings.Split(versions, ","), strings.Split(signatures, ",")
	return p, err
}

// query runs a query and returns the result of scan for each row.
func query[T any](ctx context.Context, conn *sql.Conn, scan func(*sql.Rows) (T, error), text string, args ...any) (all []T, err error) {
	rows, err := conn.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, rows.Err()
}

// Count returns the number of stored games of each player.
func (s *Store) Count(ctx context.Context, e *arena.Plan) ([]int, error) {
	counts := make([]int, len(e.Players))
	err := s.snapshot(ctx, func(conn *sql.Conn) error {
		for i := range e.Players {
			err := conn.QueryRowContext(ctx, "SELECT kept FROM players WHERE id = ?", e.Players[i].ID).Scan(&counts[i])
			if errors.Is(err, sql.ErrNoRows) {
				return removed(e)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return counts, err
}

// Remove removes an experiment with all its games, and frees the space.
func (s *Store) Remove(ctx context.Context, e *arena.Plan) error {
	err := s.write(ctx, func(ctx context.Context, conn *sql.Conn) error {
		// Games go before their players: to delete a player, SQLite searches all games for references to it.
		for _, table := range []string{"luck", "forfeits", "traces", "games"} {
			_, err := conn.ExecContext(ctx, "DELETE FROM "+table+" WHERE id IN (SELECT g.id FROM games g JOIN players p ON g.id >= p.id << 32 AND g.id < (p.id + 1) << 32 WHERE p.experiment = ?)", e.ID)
			if err != nil {
				return err
			}
		}
		if _, err := conn.ExecContext(ctx, "DELETE FROM players WHERE experiment = ?", e.ID); err != nil {
			return err
		}
		_, err := conn.ExecContext(ctx, "DELETE FROM experiments WHERE id = ?", e.ID)
		return err
	})
	if errors.Is(err, ErrFull) {
		return &storeError{ErrFull, s.path + ": the disk is full, and removing needs some temporary space: free some on the same disk, and try again", err}
	}
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	// If the disk lacks space for the vacuum, the file keeps its size, and new games use the freed pages.
	rows, err := s.writer.QueryContext(ctx, "PRAGMA incremental_vacuum") // each row of the result frees one page
	if err != nil {
		return s.named(err)
	}
	for rows.Next() {
	}
	if err := s.named(errors.Join(rows.Err(), rows.Close())); !errors.Is(err, ErrFull) {
		return err
	}
	return nil
}

// removalPollInterval is the interval at which UntilRemoved checks whether the experiment exists.
const removalPollInterval = time.Second

// UntilRemoved returns a context that is cancelled when any process removes the experiment; its cause is then
// arena.ErrRemoved. Call the returned function to release the context.
func (s *Store) UntilRemoved(ctx context.Context, e *arena.Plan) (context.Context, func()) {
	ctx, end := context.WithCancelCause(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(removalPollInterval)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			// Other errors are ignored here: later reads and writes report them.
			err := s.snapshot(ctx, func(conn *sql.Conn) error { return exists(ctx, conn, e) })
			if errors.Is(err, arena.ErrRemoved) {
				end(err)
				return
			}
		}
	}()
	return ctx, func() {
		end(nil)
		<-ended
	}
}
