package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"iter"
	"time"

	"afterstate/arena"
)

// longTrace is the size from which on a trace lies apart from its game, in bytes.
const longTrace = 512

const insertGame = "INSERT INTO games (id, score, tile, moves, elapsed_us, trace) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING"

// gameID is the id of a player's game.
func gameID(player int64, index uint64) int64 { return player<<32 | int64(index) }

// Keep keeps finished games of a player, all or none, and tells how many of them are
// new. Games that are there already stay as they are. When it returns they are on the
// disk.
func (s *Store) Keep(ctx context.Context, player int64, games []arena.Recorded) (fresh int, err error) {
	err = s.write(ctx, func(ctx context.Context, conn *sql.Conn) error {
		for i := range games {
			is, err := s.keep(ctx, conn, player, &games[i])
			if err != nil {
				return err
			}
			if is {
				fresh++
			}
		}
		return nil
	})
	return fresh, err
}

// keep keeps a game, unless it is there.
func (s *Store) keep(ctx context.Context, conn *sql.Conn, player int64, g *arena.Recorded) (fresh bool, err error) {
	if g.Index >= MaxGames {
		return false, fmt.Errorf("game %d: want numbers below %d", g.Index, int64(MaxGames))
	}
	id := gameID(player, g.Index)
	var trace any = g.Trace
	apart := len(g.Trace) >= longTrace
	if apart {
		trace = nil
	}
	done, err := s.insert.exec(ctx, conn, id, g.Score, int64(g.Largest), int64(g.Moves), g.Elapsed.Microseconds(), trace)
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

// statement is a prepared statement of one connection. It goes around database/sql,
// whose conversions would take half the time of an insertion.
type statement struct {
	prepared driver.Stmt
	args     []driver.NamedValue
}

func prepareStatement(ctx context.Context, conn *sql.Conn, text string) (st *statement, err error) {
	err = conn.Raw(func(c any) error {
		prepared, err := c.(driver.ConnPrepareContext).PrepareContext(ctx, text)
		if err != nil {
			return err
		}
		st = &statement{prepared: prepared}
		return nil
	})
	return st, err
}

// exec executes the statement, on the connection that it was prepared on. Values are
// int64, []byte or nil.
func (st *statement) exec(ctx context.Context, conn *sql.Conn, values ...any) (done driver.Result, err error) {
	err = conn.Raw(func(any) error {
		st.args = st.args[:0]
		for i, v := range values {
			st.args = append(st.args, driver.NamedValue{Ordinal: i + 1, Value: v})
		}
		done, err = st.prepared.(driver.StmtExecContext).ExecContext(ctx, st.args)
		return err
	})
	return done, err
}

// Recorded is one game, with its trace.
func (s *Store) Recorded(ctx context.Context, e *Experiment, player *Player, index uint64) (*arena.Recorded, error) {
	if index < MaxGames {
		for r, err := range s.recorded(ctx, e, player.ID, index, index+1) {
			return r, err
		}
	}
	return nil, &problem{ErrUnknown, fmt.Sprintf("%s of %s has no game %d in %s", player.Spec, e.Name, index, s.path), nil}
}

// AllRecorded are all games of a player with their traces, ascending. After an error
// there are no more.
func (s *Store) AllRecorded(ctx context.Context, e *Experiment, player *Player) iter.Seq2[*arena.Recorded, error] {
	return s.recorded(ctx, e, player.ID, 0, MaxGames)
}

func (s *Store) recorded(ctx context.Context, e *Experiment, player int64, from, to uint64) iter.Seq2[*arena.Recorded, error] {
	return func(yield func(*arena.Recorded, error) bool) {
		rows, err := s.db.QueryContext(ctx, `
			SELECT g.id & 0xffffffff, score, tile, moves, elapsed_us, coalesce(g.trace, t.trace), reason, detail
			FROM games g LEFT JOIN traces t ON t.id = g.id LEFT JOIN forfeits f ON f.id = g.id
			WHERE g.id >= ? AND g.id < ? ORDER BY g.id`, gameID(player, 0)+int64(from), gameID(player, 0)+int64(to))
		if err != nil {
			yield(nil, s.named(err))
			return
		}
		defer rows.Close()
		for rows.Next() {
			r := &arena.Recorded{Game: arena.Game{Seed: e.Setup.Seed}}
			var us int64
			var reason, detail sql.NullString
			if err := rows.Scan(&r.Index, &r.Score, &r.Largest, &r.Moves, &us, &r.Trace, &reason, &detail); err != nil {
				yield(nil, s.named(err))
				return
			}
			r.Elapsed = time.Duration(us) * time.Microsecond
			r.Forfeit.Reason, r.Forfeit.Detail = reason.String, detail.String
			if !yield(r, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(nil, s.named(err))
		}
	}
}
