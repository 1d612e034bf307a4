package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
)

// Steps of Remove where there is little room, in games and pages.
const (
	fewGames  = 1000
	fewPages  = 8
	manyPages = 64
)

// Remove removes an experiment with all its games, and frees the space. On a full disk it works in
// small steps, which take less than a megabyte; if these fail, the experiment is left with fewer
// games.
func (s *Store) Remove(ctx context.Context, e *arena.Plan) error {
	err := s.erase(ctx, e)
	pages := manyPages
	if diskFull(err) {
		pages = fewPages
		if err = s.eraseInSteps(ctx, e); err == nil {
			err = s.erase(ctx, e)
		}
	}
	if diskFull(err) {
		return &storeError{ErrFull, fmt.Sprintf("%s: the disk is full, and removing needs some temporary space.\n"+
			"Free one megabyte on the same disk, by removing another file or moving the store to another disk, and try again", s.path), err}
	}
	if err != nil {
		return err
	}
	// A disk without room for this keeps the file's size; new games take the
	// room of the removed ones.
	if err := s.shrink(ctx, pages); !diskFull(err) {
		return err
	}
	return nil
}

// diskFull reports whether an error is due to lack of space. Limits on file size look like disk
// failures.
func diskFull(err error) bool { return errors.Is(err, ErrFull) || errors.Is(err, errDisk) }

// erase removes the rows of an experiment.
func (s *Store) erase(ctx context.Context, e *arena.Plan) error {
	return s.write(ctx, func(ctx context.Context, conn *sql.Conn) error {
		players, err := playersOf(ctx, conn, e) // others may have added some
		if err != nil {
			return err
		}
		for _, p := range players {
			if _, err := eraseGames(ctx, conn, gameID(p, 0), gameID(p+1, 0)); err != nil {
				return err
			}
		}
		// SQLite looks through all games for those of a player that goes.
		if _, err := conn.ExecContext(ctx, "DELETE FROM players WHERE experiment = ?", e.ID); err != nil {
			return err
		}
		done, err := conn.ExecContext(ctx, "DELETE FROM experiments WHERE id = ?", e.ID)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return err // another process was faster
		}
		return countExperiments(ctx, conn, -1)
	})
}

// eraseGames removes the games with IDs from-to and returns their number.
func eraseGames(ctx context.Context, conn *sql.Conn, from, to int64) (games int64, err error) {
	for _, table := range []string{"luck", "forfeits", "traces", "games"} {
		done, err := conn.ExecContext(ctx, "DELETE FROM "+table+" WHERE id >= ? AND id < ?", from, to)
		if err != nil {
			return 0, err
		}
		if games, err = done.RowsAffected(); err != nil {
			return 0, err
		}
	}
	return games, nil
}

// eraseInSteps removes an experiment's games by small transactions and keeps the write-ahead log
// short.
func (s *Store) eraseInSteps(ctx context.Context, e *arena.Plan) error {
	var players []int64
	err := s.snapshot(ctx, func(conn *sql.Conn) (err error) {
		players, err = playersOf(ctx, conn, e)
		return err
	})
	for len(players) > 0 && err == nil {
		if err = s.shorten(ctx); err != nil {
			break
		}
		p, games := players[0], int64(0)
		err = s.write(ctx, func(ctx context.Context, conn *sql.Conn) error {
			from, to := gameID(p, 0), gameID(p+1, 0)
			err := conn.QueryRowContext(ctx, "SELECT id FROM games WHERE id >= ? AND id < ? ORDER BY id LIMIT 1 OFFSET ?", from, to, fewGames).Scan(&to)
			if err != nil && !errors.Is(err, sql.ErrNoRows) {
				return err
			}
			if games, err = eraseGames(ctx, conn, from, to); err != nil || games == 0 {
				return err
			}
			return s.change(ctx, conn, e, "players", playerColumns, p, "kept = kept - ?", games)
		})
		if err == nil && games == 0 {
			players = players[1:]
		}
	}
	return err
}

// shorten truncates the write-ahead log.
func (s *Store) shorten(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := s.writer.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return s.named(err)
}

// playersOf returns the IDs of an experiment's players, damaged or not.
func playersOf(ctx context.Context, conn *sql.Conn, e *arena.Plan) (all []int64, err error) {
	return query(ctx, conn, func(rows *sql.Rows) (id int64, err error) {
		err = rows.Scan(&id)
		return id, err
	}, "SELECT id FROM players WHERE experiment = ?", e.ID)
}

// shrink frees empty pages, this many at a time, so that the write-ahead log stays short.
func (s *Store) shrink(ctx context.Context, pages int) error {
	for {
		more, err := s.vacuum(ctx, pages)
		if err != nil || !more {
			return err
		}
		if pages < manyPages {
			if err := s.shorten(ctx); err != nil {
				return err
			}
		}
	}
}

// vacuum frees some pages and reports whether there are more.
func (s *Store) vacuum(ctx context.Context, pages int) (more bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	free := func() (n int64, err error) {
		err = s.writer.QueryRowContext(ctx, "PRAGMA freelist_count").Scan(&n)
		return n, err
	}
	before, err := free()
	if err != nil || before == 0 {
		return false, s.named(err)
	}
	rows, err := s.writer.QueryContext(ctx, fmt.Sprintf("PRAGMA incremental_vacuum(%d)", pages)) // a step a page
	if err != nil {
		return false, s.named(err)
	}
	for rows.Next() {
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return false, s.named(err)
	}
	after, err := free()
	return after > 0 && after < before, s.named(err)
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
			err := s.snapshot(ctx, func(conn *sql.Conn) error { return s.exists(ctx, conn, e) })
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
