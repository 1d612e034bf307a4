package store

import (
	"context"
	"database/sql"

	"afterstate/arena"
)

// Discard removes games of a player, so that they can be played again. Games that do not exist are
// skipped.
func (s *Store) Discard(ctx context.Context, e *Experiment, p *Player, games []arena.Range) error {
	return s.write(ctx, func(ctx context.Context, conn *sql.Conn) error {
		if _, err := s.kept(ctx, conn, e, p); err != nil {
			return err
		}
		// Blocks hold copies of many games; they are made again when they are needed.
		if _, err := conn.ExecContext(ctx, "DELETE FROM blocks WHERE id >= ? AND id < ?", gameID(p.ID, 0), gameID(p.ID+1, 0)); err != nil {
			return err
		}
		removed := int64(0)
		for _, r := range games {
			n, err := eraseGames(ctx, conn, gameID(p.ID, r.First), gameID(p.ID, r.First+uint64(r.Games)))
			if err != nil {
				return err
			}
			removed += n
		}
		if removed == 0 {
			return nil
		}
		return s.change(ctx, conn, e, "players", playerColumns, p.ID, "kept = kept - ?", removed)
	})
}
