package store

import (
	"context"
	"database/sql"

	"github.com/afterstate2048/afterstate/experiment/arena"
)

// Discard removes games of a player, so that they can be played again, and returns how many there were.
// Games that do not exist are skipped.
func (s *Store) Discard(ctx context.Context, e *arena.Plan, p *arena.Player, games []arena.Range) (removed int, err error) {
	err = s.write(ctx, func(ctx context.Context, conn *sql.Conn) error {
		if _, err := s.kept(ctx, conn, e, p); err != nil {
			return err
		}
		removed = 0
		for _, r := range games {
			first, end := gameID(p.ID, r.First), gameID(p.ID, r.First+uint64(r.Games))
			n, err := eraseGames(ctx, conn, first, end)
			if err != nil {
				return err
			}
			removed += int(n)
		}
		if removed == 0 {
			return nil
		}
		return s.change(ctx, conn, e, "players", playerColumns, p.ID, "kept = kept - ?", removed)
	})
	return removed, err
}
