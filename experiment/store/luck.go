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

// Luck returns what KeepLuck stored for a player.
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
