package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
)

// longTrace is the size in bytes above which a trace has a row of its own.
const longTrace = 512

const insertGame = "INSERT INTO games (id, score, tile, moves, elapsed_us, sum, trace) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING"

// gameID is the id of a player's game.
func gameID(player int64, index uint64) int64 { return player<<32 | int64(index) }

// Keep stores finished games of a player, all or none, and returns how many of them are new. Games
// that exist already are unchanged. When it returns they are durable. It fails with arena.ErrRemoved
// if the experiment was removed.
func (s *Store) Keep(ctx context.Context, e *arena.Plan, p *arena.Player, games []arena.Recorded) (fresh int, err error) {
	err = s.write(ctx, func(ctx context.Context, conn *sql.Conn) (err error) {
		fresh, err = s.keepAll(ctx, conn, e, p, games)
		return err
	})
	return fresh, err
}

func (s *Store) keepAll(ctx context.Context, conn *sql.Conn, e *arena.Plan, p *arena.Player, games []arena.Recorded) (fresh int, err error) {
	if _, err := s.kept(ctx, conn, e, p); err != nil {
		return 0, err
	}
	for i := range games {
		is, err := s.keep(ctx, conn, p.ID, &games[i])
		if err != nil {
			return fresh, err
		}
		if is {
			fresh++
		}
	}
	if fresh == 0 {
		return 0, nil
	}
	return fresh, s.change(ctx, conn, e, "players", playerColumns, p.ID, "kept = kept + ?", fresh)
}

// keep stores a game unless it exists.
func (s *Store) keep(ctx context.Context, conn *sql.Conn, player int64, g *arena.Recorded) (fresh bool, err error) {
	if g.Index >= arena.MaxGames {
		return false, fmt.Errorf("game %d: must be numbers below %d", g.Index, int64(arena.MaxGames))
	}
	id := gameID(player, g.Index)
	trace := g.Trace
	if trace == nil {
		trace = []byte{}
	}
	values := []driver.Value{id, g.Score, int64(g.Largest), int64(g.Moves), g.Elapsed.Microseconds(), nil, nil}
	if g.Forfeit.Reason != "" {
		values[5], values[6] = g.Forfeit.Reason, g.Forfeit.Detail
	}
	sum, err := gameSum(values, trace)
	if err != nil {
		return false, err
	}
	var near any = trace
	apart := len(trace) >= longTrace
	if apart {
		near = nil
	}
	done, err := s.insert.exec(ctx, conn, id, g.Score, int64(g.Largest), int64(g.Moves), g.Elapsed.Microseconds(), sum, near)
	if err != nil {
		return false, err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return false, err
	}
	if apart {
		if _, err := conn.ExecContext(ctx, "INSERT INTO traces VALUES (?, ?)", id, trace); err != nil {
			return false, err
		}
	}
	if g.Forfeit.Reason != "" {
		_, err = conn.ExecContext(ctx, "INSERT INTO forfeits VALUES (?, ?, ?)", id, g.Forfeit.Reason, g.Forfeit.Detail)
	}
	return true, err
}

// statement is a prepared statement of one connection. It bypasses database/sql, whose conversions
// would take half the time of an insertion.
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

// exec executes the statement on the connection that prepared it. Values are int64, []byte or nil.
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

// Games returns the stored games of a player, ascending by number. Missing or changed games are a
// [arena.DamageError], unless LeftOut is set.
func (s *Store) Games(ctx context.Context, e *arena.Plan, p *arena.Player) (games []arena.Outcome, err error) {
	for r, err := range s.all(ctx, e, p, withoutTraces) {
		if err != nil {
			return nil, err
		}
		games = append(games, r.Outcome)
	}
	return games, nil
}

// Recorded returns one game with its trace. A changed one is an [arena.DamageError].
func (s *Store) Recorded(ctx context.Context, e *arena.Plan, p *arena.Player, index uint64) (r *arena.Recorded, err error) {
	err = s.snapshot(ctx, func(conn *sql.Conn) error {
		if _, err := s.kept(ctx, conn, e, p); err != nil {
			return err
		}
		if index < arena.MaxGames {
			for game, err := range read(ctx, conn, e, p, index, index+1, withTraces) {
				r = game
				return err
			}
		}
		return &storeError{arena.ErrUnknown, fmt.Sprintf("%s of %s has no game %d in %s", p.Spec, e.Name, index, s.path), nil}
	})
	return r, err
}

// AllRecorded yields all games of a player with their traces, ascending. A changed game is a
// [arena.DamageError], and so are missing ones at the end, unless LeftOut is set. Another error ends the sequence.
func (s *Store) AllRecorded(ctx context.Context, e *arena.Plan, p *arena.Player) iter.Seq2[*arena.Recorded, error] {
	return s.all(ctx, e, p, withTraces)
}

// all is AllRecorded by one of the queries.
func (s *Store) all(ctx context.Context, e *arena.Plan, p *arena.Player, query string) iter.Seq2[*arena.Recorded, error] {
	return func(yield func(*arena.Recorded, error) bool) {
		found, leftOut, stopped := 0, 0, false
		err := s.snapshot(ctx, func(conn *sql.Conn) error {
			kept, err := s.kept(ctx, conn, e, p)
			if err != nil {
				return err
			}
			for r, err := range read(ctx, conn, e, p, 0, arena.MaxGames, query) {
				var damage *arena.DamageError
				if err != nil && !errors.As(err, &damage) {
					return err
				}
				found++
				if err != nil && s.LeftOut != nil {
					leftOut++
					continue
				}
				if stopped = !yield(r, s.named(err)); stopped {
					return nil
				}
			}
			if found == kept {
				return nil
			}
			if s.LeftOut != nil {
				leftOut += max(1, kept-found)
				return nil
			}
			return &arena.DamageError{Experiment: e.Name, Player: p.Spec, Kept: kept, Found: found}
		})
		if leftOut > 0 {
			s.LeftOut(p, leftOut)
		}
		if err != nil && !stopped {
			yield(nil, err)
		}
	}
}

// The queries of read. Pages with traces are not read where they are not needed.
const (
	withTraces = `
		SELECT g.id, score, tile, moves, elapsed_us, reason, detail, sum, coalesce(g.trace, t.trace, x'')
		FROM games g LEFT JOIN forfeits f ON f.id = g.id LEFT JOIN traces t ON t.id = g.id
		WHERE g.id >= ? AND g.id < ? ORDER BY g.id`
	withoutTraces = `
		SELECT g.id, score, tile, moves, elapsed_us, reason, detail, sum
		FROM games g LEFT JOIN forfeits f ON f.id = g.id
		WHERE g.id >= ? AND g.id < ? ORDER BY g.id`
)

// read yields the games from-to. An error that is no arena.DamageError ends the sequence. It bypasses database/sql,
// whose conversions take more time than SQLite.
func read(ctx context.Context, conn *sql.Conn, e *arena.Plan, p *arena.Player, from, to uint64, query string) iter.Seq2[*arena.Recorded, error] {
	return func(yield func(*arena.Recorded, error) bool) {
		err := conn.Raw(func(c any) error {
			first := gameID(p.ID, 0)
			rows, err := c.(driver.QueryerContext).QueryContext(ctx, query,
				[]driver.NamedValue{{Ordinal: 1, Value: first + int64(from)}, {Ordinal: 2, Value: first + int64(to)}})
			if err != nil {
				return err
			}
			defer rows.Close()
			last := first + int64(from) - 1
			v := make([]driver.Value, len(rows.Columns()))
			for {
				if err := rows.Next(v); err == io.EOF {
					return nil
				} else if err != nil {
					return err
				}
				id := asInt(v[0])
				if id <= last || !intact(v) {
					if !yield(nil, &arena.DamageError{Experiment: e.Name, Player: p.Spec, Game: uint64(id) & (arena.MaxGames - 1)}) {
						return nil
					}
					continue
				}
				last = id
				r := &arena.Recorded{Outcome: arena.Outcome{
					Seed: e.Setup.Seed, Index: uint64(id - first), Score: asInt(v[1]), Largest: uint8(asInt(v[2])), Moves: int(asInt(v[3])), Elapsed: time.Duration(asInt(v[4])) * time.Microsecond,
				}}
				r.Forfeit.Reason, _ = v[5].(string)
				r.Forfeit.Detail, _ = v[6].(string)
				if len(v) > 8 {
					r.Trace, _ = v[8].([]byte)
				}
				if !yield(r, nil) {
					return nil
				}
			}
		})
		if err != nil {
			yield(nil, err)
		}
	}
}
