package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"iter"
	"time"

	"afterstate/arena"
)

// longTrace is the size in bytes above which a trace has a row of its own.
const longTrace = 512

const insertGame = "INSERT INTO games (id, score, tile, moves, elapsed_us, sum, trace) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING"

// gameID is the id of a player's game.
func gameID(player int64, index uint64) int64 { return player<<32 | int64(index) }

// Keep stores finished games of a player, all or none, and returns how many of them are new. Games
// that exist already are unchanged. When it returns they are durable. It fails with arena.ErrRemoved
// if the experiment was removed.
func (s *Store) Keep(ctx context.Context, e *arena.Experiment, p *arena.Player, games []arena.Recorded) (fresh int, err error) {
	err = s.write(ctx, func(ctx context.Context, conn *sql.Conn) (err error) {
		fresh, err = s.keepAll(ctx, conn, e, p, games)
		return err
	})
	return fresh, err
}

func (s *Store) keepAll(ctx context.Context, conn *sql.Conn, e *arena.Experiment, p *arena.Player, games []arena.Recorded) (fresh int, err error) {
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
		return false, fmt.Errorf("game %d: want numbers below %d", g.Index, int64(arena.MaxGames))
	}
	id := gameID(player, g.Index)
	trace := g.Trace
	if trace == nil {
		trace = []byte{}
	}
	values := [8]driver.Value{id, g.Score, int64(g.Largest), int64(g.Moves), g.Elapsed.Microseconds(), nil, nil, trace}
	if g.Forfeit.Reason != "" {
		values[5], values[6] = g.Forfeit.Reason, g.Forfeit.Detail
	}
	sum, err := gameSum(values[:])
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

// Recorded returns one game with its trace. A changed one is a Damage.
func (s *Store) Recorded(ctx context.Context, e *arena.Experiment, player *arena.Player, index uint64) (r *arena.Recorded, err error) {
	err = s.snapshot(ctx, func(conn *sql.Conn) error {
		if _, err := s.kept(ctx, conn, e, player); err != nil {
			return err
		}
		if index < arena.MaxGames {
			for game, err := range recorded(ctx, conn, e, player, index, index+1) {
				r = game
				return err
			}
		}
		return &problem{arena.ErrUnknown, fmt.Sprintf("%s of %s has no game %d in %s", player.Spec, e.Name, index, s.path), nil}
	})
	return r, err
}

// AllRecorded yields all games of a player with their traces, ascending. A changed game is a
// Damage, and so are missing ones at the end, unless LeftOut is set. Another error ends the sequence.
func (s *Store) AllRecorded(ctx context.Context, e *arena.Experiment, player *arena.Player) iter.Seq2[*arena.Recorded, error] {
	return func(yield func(*arena.Recorded, error) bool) {
		found, leftOut, stopped := 0, 0, false
		err := s.snapshot(ctx, func(conn *sql.Conn) error {
			kept, err := s.kept(ctx, conn, e, player)
			if err != nil {
				return err
			}
			for r, err := range recorded(ctx, conn, e, player, 0, arena.MaxGames) {
				var damage *arena.Damage
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
			return &arena.Damage{Experiment: e.Name, Player: player.Spec, Kept: kept, Found: found}
		})
		s.leftOut(player, leftOut)
		if err != nil && !stopped {
			yield(nil, err)
		}
	}
}

// recorded yields the games from-to. An error that is no arena.Damage ends the sequence.
func recorded(ctx context.Context, conn *sql.Conn, e *arena.Experiment, player *arena.Player, from, to uint64) iter.Seq2[*arena.Recorded, error] {
	return func(yield func(*arena.Recorded, error) bool) {
		first := gameID(player.ID, 0)
		rows, err := conn.QueryContext(ctx, `
			SELECT g.id, score, tile, moves, elapsed_us, reason, detail, coalesce(g.trace, t.trace, x''), sum
			FROM games g LEFT JOIN traces t ON t.id = g.id LEFT JOIN forfeits f ON f.id = g.id
			WHERE g.id >= ? AND g.id < ? ORDER BY g.id`, first+int64(from), first+int64(to))
		if err != nil {
			yield(nil, err)
			return
		}
		defer rows.Close()
		last := first + int64(from) - 1
		for rows.Next() {
			var a [9]any
			if err := rows.Scan(&a[0], &a[1], &a[2], &a[3], &a[4], &a[5], &a[6], &a[7], &a[8]); err != nil {
				yield(nil, err)
				return
			}
			var v [9]driver.Value
			for i := range a {
				v[i] = a[i]
			}
			id := asInt(v[0])
			if sum, err := gameSum(v[:8]); err != nil || sum != v[8] || id <= last {
				if !yield(nil, &arena.Damage{Experiment: e.Name, Player: player.Spec, Game: uint64(id) & (arena.MaxGames - 1)}) {
					return
				}
				continue
			}
			last = id
			r := &arena.Recorded{Game: arena.Game{
				Seed: e.Setup.Seed, Index: uint64(id - first), Score: asInt(v[1]), Largest: uint8(asInt(v[2])), Moves: int(asInt(v[3])), Elapsed: time.Duration(asInt(v[4])) * time.Microsecond,
			}}
			r.Trace, _ = v[7].([]byte)
			r.Forfeit.Reason, _ = v[5].(string)
			r.Forfeit.Detail, _ = v[6].(string)
			if !yield(r, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(nil, err)
		}
	}
}
