package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
)

// Remove removes an experiment with all its games, and frees the space.
func (s *Store) Remove(ctx context.Context, e *arena.Plan) error {
	err := s.write(ctx, func(ctx context.Context, conn *sql.Conn) error {
		// SQLite looks through all games for those of a player that goes.
		for _, table := range []string{"luck", "forfeits", "traces", "games"} {
			_, err := conn.ExecContext(ctx, "DELETE FROM "+table+" WHERE id IN (SELECT g.id FROM games g JOIN players p ON g.id >= p.id << 32 AND g.id < (p.id + 1) << 32 WHERE p.experiment = ?)", e.ID)
			if err != nil {
				return err
			}
		}
		if _, err := conn.ExecContext(ctx, "DELETE FROM players WHERE experiment = ?", e.ID); err != nil {
			return err
		}
		_, err := conn.ExecContext(ctx, "DELETE FROM experiments WHERE id = ?", e.ID)
		return err
	})
	if errors.Is(err, ErrFull) {
		return &storeError{ErrFull, s.path + ": the disk is full, and removing needs some temporary space: free some on the same disk, and try again", err}
	}
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	// A disk without room for this keeps the file's size; new games take the room of the removed ones.
	rows, err := s.writer.QueryContext(ctx, "PRAGMA incremental_vacuum") // a step a page
	if err != nil {
		return s.named(err)
	}
	for rows.Next() {
	}
	if err := s.named(errors.Join(rows.Err(), rows.Close())); !errors.Is(err, ErrFull) {
		return err
	}
	return nil
}

// removalPollInterval is how often UntilRemoved looks.
const removalPollInterval = time.Second

// UntilRemoved returns a context that is cancelled when any process removes the experiment; its
// cause is then an arena.ErrRemoved. Call the returned function to release it.
func (s *Store) UntilRemoved(ctx context.Context, e *arena.Plan) (context.Context, func()) {
	ctx, end := context.WithCancelCause(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(removalPollInterval)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			// Other errors are reported by later reads and writes.
			err := s.snapshot(ctx, func(conn *sql.Conn) error { return exists(ctx, conn, e) })
			if errors.Is(err, arena.ErrRemoved) {
				end(err)
				return
			}
		}
	}()
	return ctx, func() {
		end(nil)
		<-ended
	}
}
