package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Remove removes an experiment with all its games, and gives the room back.
func (s *Store) Remove(ctx context.Context, e *Experiment) error {
	if err := s.erase(ctx, e); err != nil {
		if errors.Is(err, ErrFull) {
			err = &problem{ErrFull, fmt.Sprintf("%s: the disk is full, and removing takes some room until it is done: nothing was removed.\n"+
				"Free some megabytes on the same disk and try again", s.path), err}
		}
		return err
	}
	// A disk without room for this keeps the file as large as it is; new games take the
	// room of the removed ones.
	if err := s.shrink(ctx); !errors.Is(err, ErrFull) {
		return err
	}
	return nil
}

// erase removes the rows of an experiment.
func (s *Store) erase(ctx context.Context, e *Experiment) error {
	return s.write(ctx, func(ctx context.Context, conn *sql.Conn) error {
		players, err := playersOf(ctx, conn, e) // others may have added some
		if err != nil {
			return err
		}
		for _, p := range players {
			for _, table := range []string{"blocks", "forfeits", "traces", "games"} {
				if _, err := conn.ExecContext(ctx, "DELETE FROM "+table+" WHERE id >= ? AND id < ?", gameID(p, 0), gameID(p+1, 0)); err != nil {
					return err
				}
			}
		}
		if _, err := conn.ExecContext(ctx, "DELETE FROM players WHERE experiment = ?", e.id); err != nil {
			return err
		}
		done, err := conn.ExecContext(ctx, "DELETE FROM experiments WHERE id = ?", e.id)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return err // somebody else was faster
		}
		return countExperiments(ctx, conn, -1)
	})
}

// playersOf are the IDs of an experiment's players, damaged or not.
func playersOf(ctx context.Context, conn *sql.Conn, e *Experiment) (all []int64, err error) {
	rows, err := conn.QueryContext(ctx, "SELECT id FROM players WHERE experiment = ?", e.id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		all = append(all, id)
	}
	return all, rows.Err()
}

// shrink gives free pages back, few at a time, so that the write-ahead log stays small.
func (s *Store) shrink(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		var free int64
		if err := s.writer.QueryRowContext(ctx, "PRAGMA freelist_count").Scan(&free); err != nil || free == 0 {
			return s.named(err)
		}
		rows, err := s.writer.QueryContext(ctx, "PRAGMA incremental_vacuum(64)") // a step a page
		if err != nil {
			return s.named(err)
		}
		for rows.Next() {
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return s.named(err)
		}
	}
}

// lookEvery is how often WhileThere looks.
const lookEvery = time.Second

// WhileThere is a context that ends when an experiment is removed, by whatever process;
// its cause is an ErrRemoved then. The function that is returned ends it.
func (s *Store) WhileThere(ctx context.Context, e *Experiment) (context.Context, func()) {
	ctx, end := context.WithCancelCause(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(lookEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			// Other errors are for those to tell who read and write.
			err := s.snapshot(ctx, func(conn *sql.Conn) error { return s.there(ctx, conn, e) })
			if errors.Is(err, ErrRemoved) {
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

// Ended is why a play in a context of WhileThere ended: that the experiment was removed,
// if it was, and the play's own error otherwise.
func Ended(there context.Context, err error) error {
	if cause := context.Cause(there); err != nil && errors.Is(cause, ErrRemoved) {
		return cause
	}
	return err
}
