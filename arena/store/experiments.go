package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"afterstate/arena"
	"afterstate/board"
)

// CheckName tells what is wrong with the name of an experiment.
func CheckName(name string) error {
	if !experimentName.MatchString(name) {
		return fmt.Errorf("experiment %.100q: want up to 100 letters, digits, '.', '_' and '-', a letter or digit first", name)
	}
	return nil
}

var experimentName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

// MaxGames is the largest number of games of a player.
const MaxGames = 1 << 32

// Experiment is what was to be played.
type Experiment struct {
	Name    string
	Created time.Time
	Setup   arena.Setup
	Games   int // wanted of each player
	Players []Player

	id int64
}

// Player takes part in an experiment.
type Player struct {
	ID       int64 // in the store
	Number   int   // in the experiment, from 1
	Spec     string
	Identity string   // see arena.Identity
	Versions []string // of the programs that played, in their order
	Foresees bool
	// TimeLimited players may play another game from the same seed.
	TimeLimited bool
}

// Create adds an experiment. It numbers the players and gives them their IDs; they
// may be added later too.
func (s *Store) Create(ctx context.Context, e *Experiment) error {
	return s.write(ctx, func(ctx context.Context, conn *sql.Conn) error {
		if err := conn.QueryRowContext(ctx, "SELECT id FROM experiments WHERE name = ?", e.Name).Scan(&e.id); !errors.Is(err, sql.ErrNoRows) {
			if err == nil {
				err = &problem{ErrExists, fmt.Sprintf("there is an experiment %s in %s already", e.Name, s.path), nil}
			}
			return err
		}
		e.Created = time.Now().UTC().Truncate(time.Second)
		done, err := conn.ExecContext(ctx, "INSERT INTO experiments (name, created, size, spawn, spawn_identity, seed, until, games) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
			e.Name, e.Created.Format(time.RFC3339), e.Setup.Size.String(), e.Setup.Spawn, e.Setup.SpawnIdentity, strconv.FormatUint(e.Setup.Seed, 10), e.Setup.Until, e.Games)
		if err != nil {
			return err
		}
		if e.id, err = done.LastInsertId(); err != nil {
			return err
		}
		for i := range e.Players {
			if err := e.insert(ctx, conn, &e.Players[i], i+1); err != nil {
				return err
			}
		}
		return nil
	})
}

func (e *Experiment) insert(ctx context.Context, conn *sql.Conn, p *Player, number int) error {
	done, err := conn.ExecContext(ctx, "INSERT INTO players (experiment, number, spec, identity, versions, foresees, time_limited) VALUES (?, ?, ?, ?, ?, ?, ?)",
		e.id, number, p.Spec, p.Identity, strings.Join(p.Versions, ","), p.Foresees, p.TimeLimited)
	if err != nil {
		return err
	}
	p.Number = number
	p.ID, err = done.LastInsertId()
	return err
}

// Extend wants more games of an experiment, if games is more than before, and adds
// players, which are given numbers and IDs.
func (s *Store) Extend(ctx context.Context, e *Experiment, games int, players []Player) error {
	return s.write(ctx, func(ctx context.Context, conn *sql.Conn) error {
		e.Games = max(e.Games, games)
		if _, err := conn.ExecContext(ctx, "UPDATE experiments SET games = max(games, ?) WHERE id = ?", games, e.id); err != nil {
			return err
		}
		for _, p := range players {
			if err := e.insert(ctx, conn, &p, len(e.Players)+1); err != nil {
				return err
			}
			e.Players = append(e.Players, p)
		}
		return nil
	})
}

// Played notes that a version of the program plays for a player.
func (s *Store) Played(ctx context.Context, p *Player, version string) error {
	if slices.Contains(p.Versions, version) {
		return nil
	}
	p.Versions = append(p.Versions, version)
	return s.write(ctx, func(ctx context.Context, conn *sql.Conn) error {
		_, err := conn.ExecContext(ctx, "UPDATE players SET versions = ? WHERE id = ?", strings.Join(p.Versions, ","), p.ID)
		return err
	})
}

// Experiment is the experiment of a name.
func (s *Store) Experiment(ctx context.Context, name string) (*Experiment, error) {
	all, err := s.experiments(ctx, "WHERE name = ?", name)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, &problem{ErrUnknown, fmt.Sprintf("no experiment is called %s in %s", name, s.path), nil}
	}
	return &all[0], nil
}

// Experiments are all experiments, the newest last.
func (s *Store) Experiments(ctx context.Context) ([]Experiment, error) {
	return s.experiments(ctx, "ORDER BY id")
}

func (s *Store) experiments(ctx context.Context, which string, args ...any) ([]Experiment, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT id, name, created, size, spawn, spawn_identity, seed, until, games FROM experiments "+which, args...)
	if err != nil {
		return nil, s.named(err)
	}
	defer rows.Close()
	var all []Experiment
	for rows.Next() {
		var e Experiment
		var created, size, seed string
		if err := rows.Scan(&e.id, &e.Name, &created, &size, &e.Setup.Spawn, &e.Setup.SpawnIdentity, &seed, &e.Setup.Until, &e.Games); err != nil {
			return nil, s.named(err)
		}
		if e.Created, err = time.Parse(time.RFC3339, created); err == nil {
			if e.Setup.Seed, err = strconv.ParseUint(seed, 10, 64); err == nil {
				e.Setup.Size, err = board.ParseSize(size)
			}
		}
		if err != nil {
			return nil, s.named(fmt.Errorf("experiment %s: %w", e.Name, err))
		}
		all = append(all, e)
	}
	if err := rows.Err(); err != nil {
		return nil, s.named(err)
	}
	for i := range all {
		if all[i].Players, err = s.players(ctx, all[i].id); err != nil {
			return nil, s.named(err)
		}
	}
	return all, nil
}

func (s *Store) players(ctx context.Context, experiment int64) ([]Player, error) {
	rows, err := s.db.QueryContext(ctx, `
		SELECT id, number, spec, identity, versions, foresees, time_limited
		FROM players WHERE experiment = ? ORDER BY number`, experiment)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []Player
	for rows.Next() {
		var p Player
		var versions string
		if err := rows.Scan(&p.ID, &p.Number, &p.Spec, &p.Identity, &versions, &p.Foresees, &p.TimeLimited); err != nil {
			return nil, err
		}
		p.Versions = strings.Split(versions, ",")
		all = append(all, p)
	}
	return all, rows.Err()
}

// Count tells how many games of each player are kept.
func (s *Store) Count(ctx context.Context, e *Experiment) ([]int, error) {
	counts := make([]int, len(e.Players))
	for i, p := range e.Players {
		if err := s.db.QueryRowContext(ctx, "SELECT count(*) FROM games WHERE id >= ? AND id < ?", gameID(p.ID, 0), gameID(p.ID+1, 0)).Scan(&counts[i]); err != nil {
			return nil, s.named(err)
		}
	}
	return counts, nil
}

// Remove removes an experiment with all its games, and gives the room back.
func (s *Store) Remove(ctx context.Context, e *Experiment) error {
	err := s.write(ctx, func(ctx context.Context, conn *sql.Conn) error {
		for _, p := range e.Players {
			for _, table := range []string{"games", "traces", "forfeits", "figures"} {
				if _, err := conn.ExecContext(ctx, "DELETE FROM "+table+" WHERE id >= ? AND id < ?", gameID(p.ID, 0), gameID(p.ID+1, 0)); err != nil {
					return err
				}
			}
		}
		if _, err := conn.ExecContext(ctx, "DELETE FROM players WHERE experiment = ?", e.id); err != nil {
			return err
		}
		_, err := conn.ExecContext(ctx, "DELETE FROM experiments WHERE id = ?", e.id)
		return err
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	rows, err := s.writer.QueryContext(ctx, "PRAGMA incremental_vacuum") // a step a page
	if err != nil {
		return s.named(err)
	}
	for rows.Next() {
	}
	return s.named(errors.Join(rows.Err(), rows.Close()))
}
