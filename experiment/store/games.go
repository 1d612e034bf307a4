package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"math"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
)

// longTrace is the size in bytes from which a trace is stored in the table traces.
const longTrace = 512

const insertGame = "INSERT INTO games (id, score, tile, moves, elapsed_us, trace) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING"

// gameID returns the id of a game in the table games.
func gameID(player int64, index uint64) int64 { return player<<32 | int64(index) }

// Keep stores finished games of a player, all or none, and returns how many of them are new. Games
// that exist already are unchanged. When Keep returns, the games are durable. It fails with
// arena.ErrRemoved if the experiment was removed.
func (s *Store) Keep(ctx context.Context, e *arena.Plan, p *arena.Player, games []arena.Recorded) (fresh int, err error) {
	err = s.write(ctx, func(ctx context.Context, conn *sql.Conn) (err error) {
		fresh, err = s.keepAll(ctx, conn, e, p, games)
		return err
	})
	return fresh, err
}

func (s *Store) keepAll(ctx context.Context, conn *sql.Conn, e *arena.Plan, p *arena.Player, games []arena.Recorded) (fresh int, err error) {
	if err := exists(ctx, conn, e); err != nil {
		return 0, err
	}
	for i := range games {
		isNew, err := s.keep(ctx, conn, p.ID, &games[i])
		if err != nil {
			return fresh, err
		}
		if isNew {
			fresh++
		}
	}
	if fresh == 0 {
		return 0, nil
	}
	return fresh, change(ctx, conn, e, "UPDATE players SET kept = kept + ? WHERE id = ?", fresh, p.ID)
}

// keep stores a game and reports whether it is new. A game that exists already is unchanged.
func (s *Store) keep(ctx context.Context, conn *sql.Conn, player int64, g *arena.Recorded) (fresh bool, err error) {
	if g.Index >= arena.MaxGames {
		return false, fmt.Errorf("game %d: its number must be below %d", g.Index, int64(arena.MaxGames))
	}
	id := gameID(player, g.Index)
	var trace any // stays nil if the trace goes into the table traces
	apart := len(g.Trace) >= longTrace
	if !apart {
		trace = append([]byte{}, g.Trace...)
	}
	done, err := s.insert.ExecContext(ctx, id, g.Score, int64(g.Largest), int64(g.Moves), g.Elapsed.Microseconds(), trace)
	if err != nil {
		return false, err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return false, err
	}
	if apart {
		if _, err := conn.ExecContext(ctx, "INSERT INTO traces VALUES (?, ?)", id, g.Trace); err != nil {
			return false, err
		}
	}
	if g.Forfeit.Reason != "" {
		_, err = conn.ExecContext(ctx, "INSERT INTO forfeits VALUES (?, ?, ?)", id, g.Forfeit.Reason, g.Forfeit.Detail)
	}
	return true, err
}

// Games returns the stored games of a player, ascending by number.
func (s *Store) Games(ctx context.Context, e *arena.Plan, p *arena.Player) (games []arena.Outcome, err error) {
	for r, err := range s.read(ctx, e, p, 0, arena.MaxGames, withoutTraces) {
		if err != nil {
			return nil, err
		}
		games = append(games, r.Outcome)
	}
	return games, nil
}

// Recorded returns one game with its trace.
func (s *Store) Recorded(ctx context.Context, e *arena.Plan, p *arena.Player, index uint64) (*arena.Recorded, error) {
	if index < arena.MaxGames {
		for r, err := range s.read(ctx, e, p, index, index+1, withTraces) {
			return r, err
		}
	}
	return nil, &storeError{arena.ErrUnknown, fmt.Sprintf("%s of %s has no game %d in %s", p.Spec, e.Name, index, s.path), nil}
}

// AllRecorded yields all games of a player with their traces, ascending by number. An error ends the sequence.
func (s *Store) AllRecorded(ctx context.Context, e *arena.Plan, p *arena.Player) iter.Seq2[*arena.Recorded, error] {
	return s.read(ctx, e, p, 0, arena.MaxGames, withTraces)
}

// Queries for the method read. withoutTraces does not read the table traces.
const (
	withTraces = `
		SELECT g.id, score, tile, moves, elapsed_us, reason, detail, coalesce(g.trace, t.trace)
		FROM games g LEFT JOIN forfeits f ON f.id = g.id LEFT JOIN traces t ON t.id = g.id
		WHERE g.id >= ? AND g.id < ? ORDER BY g.id`
	withoutTraces = `
		SELECT g.id, score, tile, moves, elapsed_us, reason, detail, NULL
		FROM games g LEFT JOIN forfeits f ON f.id = g.id
		WHERE g.id >= ? AND g.id < ? ORDER BY g.id`
)

// read yields the games of a player whose numbers are at least from and less than to. An error ends the
// sequence.
func (s *Store) read(ctx context.Context, e *arena.Plan, p *arena.Player, from, to uint64, query string) iter.Seq2[*arena.Recorded, error] {
	return func(yield func(*arena.Recorded, error) bool) {
		first := gameID(p.ID, 0)
		err := s.snapshot(ctx, func(conn *sql.Conn) error {
			if err := exists(ctx, conn, e); err != nil {
				return err
			}
			rows, err := conn.QueryContext(ctx, query, first+int64(from), first+int64(to))
			if err != nil {
				return err
			}
			defer rows.Close()
			for rows.Next() {
				r := &arena.Recorded{Outcome: arena.Outcome{Seed: e.Setup.Seed}}
				var id, elapsed int64
				var reason, detail sql.NullString
				into := []any{&id, &r.Score, &r.Largest, &r.Moves, &elapsed, &reason, &detail, &r.Trace}
				if err := rows.Scan(into...); err != nil {
					return err
				}
				r.Index, r.Elapsed = uint64(id-first), time.Duration(elapsed)*time.Microsecond
				r.Forfeit.Reason, r.Forfeit.Detail = reason.String, detail.String
				if !yield(r, nil) {
					return errStopped
				}
			}
			return rows.Err()
		})
		if err != nil && !errors.Is(err, errStopped) {
			yield(nil, err)
		}
	}
}

// errStopped ends a read when the caller stops iterating.
var errStopped = errors.New("stopped")

// KeepLuck stores the luck of games of a player. The keys of luck are game numbers. valuesHash is the hash of
// the values by which the luck was measured. Games that are not in the store are left out. In a read-only
// store, KeepLuck does nothing. It fails with arena.ErrRemoved if the experiment was removed.
func (s *Store) KeepLuck(ctx context.Context, e *arena.Plan, p *arena.Player, valuesHash string, luck map[uint64]float64) error {
	if s.unwritable != nil {
		return nil
	}
	return s.write(ctx, func(ctx context.Context, conn *sql.Conn) error {
		if err := exists(ctx, conn, e); err != nil {
			return err
		}
		for index, points := range luck {
			_, err := conn.ExecContext(ctx, `INSERT OR REPLACE INTO luck SELECT id, ?, ? FROM games WHERE id = ?`,
				valuesHash, int64(math.Round(1000*points)), gameID(p.ID, index))
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// LuckValues returns the hash of the values by which most of the stored luck of an experiment was measured; "" if none
// is stored.
func (s *Store) LuckValues(ctx context.Context, e *arena.Plan) (hash string, err error) {
	err = s.snapshot(ctx, func(conn *sql.Conn) error {
		all, err := query(ctx, conn, func(rows *sql.Rows) (hash string, err error) {
			err = rows.Scan(&hash)
			return hash, err
		}, `SELECT values_hash FROM players p JOIN luck l ON l.id >= p.id << 32 AND l.id < (p.id + 1) << 32 WHERE p.experiment = ?
			GROUP BY values_hash ORDER BY COUNT(*) DESC, values_hash LIMIT 1`, e.ID)
		if len(all) > 0 {
			hash = all[0]
		}
		return err
	})
	return hash, err
}

// Luck returns the luck that KeepLuck has stored for a player and a hash of values, by game number.
func (s *Store) Luck(ctx context.Context, e *arena.Plan, p *arena.Player, valuesHash string) (map[uint64]float64, error) {
	luck := map[uint64]float64{}
	err := s.snapshot(ctx, func(conn *sql.Conn) error {
		if err := exists(ctx, conn, e); err != nil {
			return err
		}
		first := gameID(p.ID, 0)
		_, err := query(ctx, conn, func(rows *sql.Rows) (none struct{}, err error) {
			var id, milli int64
			err = rows.Scan(&id, &milli)
			luck[uint64(id-first)] = float64(milli) / 1000
			return none, err
		}, "SELECT id, luck FROM luck WHERE id >= ? AND id < ? AND values_hash = ?", first, gameID(p.ID+1, 0), valuesHash)
		return err
	})
	return luck, err
}
