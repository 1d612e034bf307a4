package store

import (
	"context"
	"database/sql"
	"fmt"
)

// applicationID marks a database file as a store: "Aft1".
const applicationID = 0x41667431

// migrations make a new store, and bring an old one up to date: a store of version v
// wants those from number v on. What has been released is never changed.
var migrations = []string{
	`
CREATE TABLE experiments (
	id             INTEGER PRIMARY KEY,
	name           TEXT NOT NULL UNIQUE,
	created        TEXT NOT NULL,    -- UTC, RFC 3339
	size           TEXT NOT NULL,    -- RxC
	spawn          TEXT NOT NULL,    -- the spawn rule's spec
	spawn_identity TEXT NOT NULL,    -- with the contents' hashes of files
	seed           TEXT NOT NULL,    -- up to 2^64-1, which is no INTEGER
	until          INTEGER NOT NULL, -- the tile that ends a game; 0: none
	games          INTEGER NOT NULL  -- wanted of each player
) STRICT;

CREATE TABLE players (
	id           INTEGER PRIMARY KEY,
	experiment   INTEGER NOT NULL REFERENCES experiments (id),
	number       INTEGER NOT NULL, -- from 1, in the order in which they were added
	spec         TEXT NOT NULL,
	identity     TEXT NOT NULL,
	versions     TEXT NOT NULL,    -- of the programs that played, with commas
	foresees     INTEGER NOT NULL,
	time_limited INTEGER NOT NULL,
	UNIQUE (experiment, identity)
) STRICT;

CREATE TABLE games (
	id         INTEGER PRIMARY KEY, -- players.id << 32 | number of the game
	score      INTEGER NOT NULL,
	tile       INTEGER NOT NULL,    -- exponent of the largest one
	moves      INTEGER NOT NULL,
	elapsed_us INTEGER NOT NULL,
	trace      BLOB                 -- NULL: in traces
) STRICT;

CREATE TABLE traces (
	id    INTEGER PRIMARY KEY, -- games.id
	trace BLOB NOT NULL
) STRICT;

CREATE TABLE forfeits (
	id     INTEGER PRIMARY KEY, -- games.id
	reason TEXT NOT NULL,
	detail TEXT NOT NULL
) STRICT;

CREATE TABLE figures (
	id    INTEGER PRIMARY KEY, -- games.id of a block's first game
	block BLOB NOT NULL
) STRICT;

CREATE VIEW results AS
	SELECT e.name AS experiment, p.number AS player_number, p.spec AS player, e.seed AS seed,
		g.id & 0xffffffff AS game, g.score AS score, 1 << g.tile AS max_tile, g.moves AS moves,
		g.elapsed_us AS elapsed_us, f.reason AS forfeit
	FROM experiments e
	JOIN players p ON p.experiment = e.id
	JOIN games g ON g.id >= p.id << 32 AND g.id < (p.id + 1) << 32
	LEFT JOIN forfeits f ON f.id = g.id;
`,
}

// migrate brings the store up to date, in one transaction.
func migrate(ctx context.Context, conn *sql.Conn, steps []string) error {
	var version int
	if err := conn.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	switch {
	case version == len(steps):
		return nil
	case version > len(steps):
		return &newerError{version, len(steps)}
	}
	return transact(ctx, conn, func() error {
		// Another process may have been faster.
		if err := conn.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
			return err
		}
		if version > len(steps) {
			return &newerError{version, len(steps)}
		}
		for _, step := range steps[version:] {
			if _, err := conn.ExecContext(ctx, step); err != nil {
				return err
			}
		}
		_, err := conn.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, len(steps)))
		return err
	})
}

// transact does what do does as a whole or not at all.
func transact(ctx context.Context, conn *sql.Conn, do func() error) error {
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	err := do()
	if err == nil {
		_, err = conn.ExecContext(ctx, "COMMIT")
	}
	if err != nil {
		// The error that matters is the first one; after some of them there is nothing
		// to roll back any more.
		_, _ = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	}
	return err
}
