package store

import (
	"context"
	"database/sql"
	"math"

	"github.com/afterstate2048/afterstate/experiment/arena"
)

// KeepLuck stores the luck of games of a player by their numbers, in values of this hash. Games that the store does not have
// are left out, and a store that may only be read keeps none. It fails with arena.ErrRemoved if the experiment was removed.
func (s *Store) KeepLuck(ctx context.Context, e *arena.Plan, p *arena.Player, valuesHash string, luck map[uint64]float64) error {
	if s.unwritable != nil {
		return nil
	}
	return s.write(ctx, func(ctx context.Context, conn *sql.Conn) error {
		if _, err := s.kept(ctx, conn, e, p); err != nil {
			return err
		}
		for index, points := range luck {
			id, milli := gameID(p.ID, index), int64(math.Round(1000*points))
			_, err := conn.ExecContext(ctx, `INSERT OR REPLACE INTO luck SELECT id, ?, ?, row_sum(id, ?, ?) FROM games WHERE id = ?`,
				valuesHash, milli, valuesHash, milli, id)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// LuckValues returns the hash of the values that most of the stored luck of an experiment is in, "" without any.
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

// Luck returns what KeepLuck stored for a player. Damaged entries are missing, since they can be computed again.
func (s *Store) Luck(ctx context.Context, e *arena.Plan, p *arena.Player, valuesHash string) (map[uint64]float64, error) {
	luck := map[uint64]float64{}
	err := s.snapshot(ctx, func(conn *sql.Conn) error {
		if _, err := s.kept(ctx, conn, e, p); err != nil {
			return err
		}
		first := gameID(p.ID, 0)
		type entry struct{ id, milli, sum, right int64 }
		all, err := query(ctx, conn, func(rows *sql.Rows) (x entry, err error) {
			err = rows.Scan(&x.id, &x.milli, &x.sum, &x.right)
			return x, err
		}, "SELECT id, luck, sum, row_sum(id, values_hash, luck) FROM luck WHERE id >= ? AND id < ? AND values_hash = ?", first, gameID(p.ID+1, 0), valuesHash)
		for _, x := range all {
			if x.sum == x.right {
				luck[uint64(x.id-first)] = float64(x.milli) / 1000
			}
		}
		return err
	})
	return luck, err
}
