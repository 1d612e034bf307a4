package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/rules/board"
)

// The columns that a row's sum is of.
const (
	experimentColumns = "id, name, created, size, spawn, spawn_identity, seed, stop, goal, starts, games, players"
	playerColumns     = "id, experiment, number, spec, identity, versions, foresees, time_limited, kept, signatures"
)

// Create adds an experiment, numbers its players and sets their IDs. Extend can add players later.
func (s *Store) Create(ctx context.Context, e *arena.Plan) error {
	return s.write(ctx, func(ctx context.Context, conn *sql.Conn) error { return s.create(ctx, conn, e) })
}

// Import adds an experiment with all of its games, those of each player, or nothing.
func (s *Store) Import(ctx context.Context, e *arena.Plan, games [][]arena.Recorded) error {
	return s.write(ctx, func(ctx context.Context, conn *sql.Conn) error {
		if err := s.create(ctx, conn, e); err != nil {
			return err
		}
		for i := range e.Players {
			if _, err := s.keepAll(ctx, conn, e, &e.Players[i], games[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Store) create(ctx context.Context, conn *sql.Conn, e *arena.Plan) error {
	all, err := s.readExperiments(ctx, conn)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(all, func(x arena.Plan) bool { return x.Name == e.Name }) {
		return &storeError{arena.ErrExists, fmt.Sprintf("there is an experiment %s in %s already", e.Name, s.path), nil}
	}
	e.Created = time.Now().UTC().Truncate(time.Second)
	done, err := conn.ExecContext(ctx, "INSERT INTO experiments (name, created, size, spawn, spawn_identity, seed, stop, goal, starts, games, players, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
		e.Name, e.Created.Format(time.RFC3339), e.Setup.Size.String(), e.Setup.Spawn, e.Setup.SpawnIdentity, strconv.FormatUint(e.Setup.Seed, 10), e.Setup.Stop.String(), e.Setup.Goal, e.Setup.Starts.String(), e.Games, len(e.Players))
	if err != nil {
		return err
	}
	if e.ID, err = done.LastInsertId(); err != nil {
		return err
	}
	if err := seal(ctx, conn, "experiments", experimentColumns, e.ID); err != nil {
		return err
	}
	for i := range e.Players {
		if err := insert(ctx, conn, e, &e.Players[i], i+1); err != nil {
			return err
		}
	}
	return countExperiments(ctx, conn, +1)
}

// countExperiments changes the stored number of experiments, unless it is damaged.
func countExperiments(ctx context.Context, conn *sql.Conn, by int) error {
	_, err := conn.ExecContext(ctx, "UPDATE contents SET experiments = experiments + ?1, sum = row_sum(1, experiments + ?1) WHERE sum = row_sum(1, experiments)", by)
	return err
}

// seal writes the sum of a row that was changed.
func seal(ctx context.Context, conn *sql.Conn, table, columns string, id int64) error {
	_, err := conn.ExecContext(ctx, "UPDATE "+table+" SET sum = row_sum("+columns+") WHERE id = ?", id)
	return err
}

// change changes a row of an experiment or of one of its players. A row that is missing or damaged
// is an error.
func (s *Store) change(ctx context.Context, conn *sql.Conn, e *arena.Plan, table, columns string, id int64, set string, args ...any) error {
	done, err := conn.ExecContext(ctx, "UPDATE "+table+" SET "+set+" WHERE id = ? AND sum = row_sum("+columns+")", append(args, id)...)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return cmp.Or(err, s.exists(ctx, conn, e), s.damagedEntry(e))
	}
	return seal(ctx, conn, table, columns, id)
}

// exists returns arena.ErrRemoved if the experiment was removed.
func (s *Store) exists(ctx context.Context, conn *sql.Conn, e *arena.Plan) error {
	var found int
	err := conn.QueryRowContext(ctx, "SELECT count(*) FROM experiments WHERE id = ?", e.ID).Scan(&found)
	if err == nil && found == 0 {
		return removed(e)
	}
	return err
}

func insert(ctx context.Context, conn *sql.Conn, e *arena.Plan, p *arena.Player, number int) error {
	pad(p)
	done, err := conn.ExecContext(ctx, "INSERT INTO players (experiment, number, spec, identity, versions, foresees, time_limited, kept, signatures, sum) VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, 0)",
		e.ID, number, p.Spec, p.Identity, strings.Join(p.Versions, ","), p.Foresees, p.TimeLimited, strings.Join(p.Signatures, ","))
	if err != nil {
		return err
	}
	p.Number = number
	if p.ID, err = done.LastInsertId(); err != nil {
		return err
	}
	return seal(ctx, conn, "players", playerColumns, p.ID)
}

// Extend raises an experiment's number of games to at least games, and adds players, whose numbers
// and IDs it sets.
func (s *Store) Extend(ctx context.Context, e *arena.Plan, games int, players []arena.Player) error {
	return s.write(ctx, func(ctx context.Context, conn *sql.Conn) error {
		e.Games = max(e.Games, games)
		if err := s.change(ctx, conn, e, "experiments", experimentColumns, e.ID, "games = max(games, ?), players = players + ?", games, len(players)); err != nil {
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

// RecordVersion stores that a version of the program plays for a player. An empty signature is
// unknown and adds nothing to a version that is recorded already.
func (s *Store) RecordVersion(ctx context.Context, e *arena.Plan, p *arena.Player, version, signature string) error {
	if p.Played(version, signature) {
		return nil
	}
	p.Versions, p.Signatures = append(p.Versions, version), append(p.Signatures, signature)
	return s.write(ctx, func(ctx context.Context, conn *sql.Conn) error {
		return s.change(ctx, conn, e, "players", playerColumns, p.ID, "versions = ?, signatures = ?",
			strings.Join(p.Versions, ","), strings.Join(p.Signatures, ","))
	})
}

// pad extends Signatures to the length of Versions.
func pad(p *arena.Player) {
	p.Signatures = p.Signatures[:min(len(p.Signatures), len(p.Versions))]
	for len(p.Signatures) < len(p.Versions) {
		p.Signatures = append(p.Signatures, "")
	}
}

// Experiment returns the experiment of this name, or arena.ErrUnknown.
func (s *Store) Experiment(ctx context.Context, name string) (e *arena.Plan, err error) {
	err = s.snapshot(ctx, func(conn *sql.Conn) error {
		all, err := s.readExperiments(ctx, conn)
		for i := range all {
			if all[i].Name == name { // damage of other experiments does not matter
				e = &all[i]
				e.Players, err = s.readPlayers(ctx, conn, e)
				return err
			}
		}
		return cmp.Or(err, error(&storeError{arena.ErrUnknown, fmt.Sprintf("no experiment is called %s in %s", name, s.path), nil}))
	})
	if err != nil {
		return nil, err
	}
	return e, nil
}

// Experiments returns all experiments, newest last.
func (s *Store) Experiments(ctx context.Context) (all []arena.Plan, err error) {
	err = s.snapshot(ctx, func(conn *sql.Conn) error {
		if all, err = s.readExperiments(ctx, conn); err != nil {
			return err
		}
		for i := range all {
			if all[i].Players, err = s.readPlayers(ctx, conn, &all[i]); err != nil {
				return err
			}
		}
		return nil
	})
	return all, err
}

// readExperiments returns the experiments with empty players. If entries are damaged it returns
// the others and an error.
func (s *Store) readExperiments(ctx context.Context, conn *sql.Conn) (all []arena.Plan, err error) {
	all, err = query(ctx, conn, func(rows *sql.Rows) (e arena.Plan, err error) {
		var players int
		var created, size, seed, stop, starts string
		if err := rows.Scan(&e.ID, &e.Name, &created, &size, &e.Setup.Spawn, &e.Setup.SpawnIdentity, &seed, &stop, &e.Setup.Goal, &starts, &e.Games, &players); err != nil {
			return e, err
		}
		if e.Created, err = time.Parse(time.RFC3339, created); err == nil {
			if e.Setup.Seed, err = strconv.ParseUint(seed, 10, 64); err == nil {
				e.Setup.Size, err = board.ParseSize(size)
			}
		}
		if err == nil {
			err = e.Setup.Stop.UnmarshalText([]byte(stop))
		}
		if err == nil && starts != "" {
			e.Setup.Starts = new(arena.Starts)
			err = e.Setup.Starts.UnmarshalText([]byte(starts))
		}
		if err != nil {
			return e, fmt.Errorf("experiment %s: %w", e.Name, err)
		}
		e.Players = make([]arena.Player, players)
		return e, nil
	}, "SELECT "+experimentColumns+" FROM experiments NOT INDEXED WHERE sum = row_sum("+experimentColumns+") ORDER BY id")
	if err != nil {
		return nil, err
	}
	var kept int
	if err := conn.QueryRowContext(ctx, "SELECT experiments FROM contents WHERE sum = row_sum(1, experiments)").Scan(&kept); err != nil || kept != len(all) {
		return all, &storeError{arena.ErrDamaged, fmt.Sprintf("%s is damaged: %d of its experiments are undamaged, and others were changed or are missing. Restore a backup", s.path, len(all)), nil}
	}
	return all, nil
}

// damagedEntry is the error for a damaged row of an experiment.
func (s *Store) damagedEntry(e *arena.Plan) error {
	return &storeError{arena.ErrDamaged, fmt.Sprintf("%s is damaged: its data on %s and the players were changed. Restore a backup", s.path, e.Name), nil}
}

// readPlayers reads the players of an experiment, whose number is known.
func (s *Store) readPlayers(ctx context.Context, conn *sql.Conn, e *arena.Plan) (all []arena.Player, err error) {
	all, err = query(ctx, conn, func(rows *sql.Rows) (p arena.Player, err error) {
		var versions, signatures string
		err = rows.Scan(&p.ID, &p.Number, &p.Spec, &p.Identity, &versions, &p.Foresees, &p.TimeLimited, &signatures)
		if versions != "" { // imported players have none
			p.Versions, p.Signatures = strings.Split(versions, ","), strings.Split(signatures, ",")
		}
		pad(&p)
		return p, err
	}, "SELECT id, number, spec, identity, versions, foresees, time_limited, signatures FROM players WHERE experiment = ? AND sum = row_sum("+playerColumns+") ORDER BY number", e.ID)
	if err == nil && len(all) != len(e.Players) {
		return nil, s.damagedEntry(e)
	}
	return all, err
}

// query returns what scan reads of each row of a query's result.
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
	err := s.snapshot(ctx, func(conn *sql.Conn) (err error) {
		for i := range e.Players {
			if counts[i], err = s.kept(ctx, conn, e, &e.Players[i]); err != nil {
				return err
			}
		}
		return nil
	})
	return counts, err
}

// kept returns the number of stored games of a player.
func (s *Store) kept(ctx context.Context, conn *sql.Conn, e *arena.Plan, p *arena.Player) (games int, err error) {
	err = conn.QueryRowContext(ctx, "SELECT kept FROM players WHERE id = ? AND sum = row_sum("+playerColumns+")", p.ID).Scan(&games)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, cmp.Or(s.exists(ctx, conn, e), s.damagedEntry(e))
	}
	return games, err
}
