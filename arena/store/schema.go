package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// applicationID marks a database file as a store: "Aft1".
const applicationID = 0x41667431

// migrations create a store, and bring an old one up to date: a store of version v needs those from
// index v on. A released migration never changes.
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
	// Checksums for every row, ids that are never used again, and foreign keys. Games
	// whose player is gone are left behind (see removeOrphans), and so are figures, which
	// are recomputed as blocks.
	`
DROP VIEW results;

CREATE TABLE contents (
	id          INTEGER PRIMARY KEY CHECK (id = 1),
	experiments INTEGER NOT NULL, -- how many there are
	sum         INTEGER NOT NULL
) STRICT;

CREATE TABLE experiments2 (
	id             INTEGER PRIMARY KEY AUTOINCREMENT,
	name           TEXT NOT NULL UNIQUE,
	created        TEXT NOT NULL,
	size           TEXT NOT NULL,
	spawn          TEXT NOT NULL,
	spawn_identity TEXT NOT NULL,
	seed           TEXT NOT NULL,
	until          INTEGER NOT NULL,
	games          INTEGER NOT NULL,
	players        INTEGER NOT NULL, -- how many there are
	sum            INTEGER NOT NULL  -- row_sum of the other columns
) STRICT;

CREATE TABLE players2 (
	id           INTEGER PRIMARY KEY AUTOINCREMENT,
	experiment   INTEGER NOT NULL REFERENCES experiments (id),
	number       INTEGER NOT NULL,
	spec         TEXT NOT NULL,
	identity     TEXT NOT NULL,
	versions     TEXT NOT NULL,
	foresees     INTEGER NOT NULL,
	time_limited INTEGER NOT NULL,
	kept         INTEGER NOT NULL, -- how many games there are
	sum          INTEGER NOT NULL, -- row_sum of the other columns
	UNIQUE (experiment, identity)
) STRICT;

CREATE TABLE games2 (
	id         INTEGER PRIMARY KEY, -- players.id << 32 | number of the game
	score      INTEGER NOT NULL,
	tile       INTEGER NOT NULL,    -- exponent of the largest one
	moves      INTEGER NOT NULL,
	elapsed_us INTEGER NOT NULL,
	sum        INTEGER NOT NULL,    -- game_sum
	trace      BLOB,                -- NULL: in traces
	player     INTEGER NOT NULL GENERATED ALWAYS AS (id >> 32) VIRTUAL REFERENCES players (id)
) STRICT;

CREATE TABLE traces2 (
	id    INTEGER PRIMARY KEY REFERENCES games (id),
	trace BLOB NOT NULL
) STRICT;

CREATE TABLE forfeits2 (
	id     INTEGER PRIMARY KEY REFERENCES games (id),
	reason TEXT NOT NULL,
	detail TEXT NOT NULL
) STRICT;

CREATE TABLE blocks (
	id    INTEGER PRIMARY KEY REFERENCES games (id), -- the block's first game
	block BLOB NOT NULL -- figures of 4096 games, and their sum
) STRICT;

INSERT INTO games2 (id, score, tile, moves, elapsed_us, sum, trace)
	SELECT g.id, score, tile, moves, elapsed_us, game_sum(g.id, score, tile, moves, elapsed_us, reason, detail, coalesce(g.trace, t.trace, x'')), g.trace
	FROM games g LEFT JOIN traces t ON t.id = g.id LEFT JOIN forfeits f ON f.id = g.id ORDER BY g.id;
INSERT INTO traces2 SELECT id, trace FROM traces ORDER BY id;
INSERT INTO forfeits2 SELECT id, reason, detail FROM forfeits ORDER BY id;
INSERT INTO players2 SELECT id, experiment, number, spec, identity, versions, foresees, time_limited,
	(SELECT count(*) FROM games g WHERE g.id >= p.id << 32 AND g.id < (p.id + 1) << 32), 0 FROM players p ORDER BY id;
INSERT INTO experiments2 SELECT id, name, created, size, spawn, spawn_identity, seed, until, games,
	(SELECT count(*) FROM players p WHERE p.experiment = e.id), 0 FROM experiments e ORDER BY id;
UPDATE experiments2 SET sum = row_sum(id, name, created, size, spawn, spawn_identity, seed, until, games, players);
UPDATE players2 SET sum = row_sum(id, experiment, number, spec, identity, versions, foresees, time_limited, kept);
INSERT INTO contents SELECT 1, count(*), row_sum(1, count(*)) FROM experiments;

DROP TABLE figures;
DROP TABLE traces;
DROP TABLE forfeits;
DROP TABLE games;
DROP TABLE players;
DROP TABLE experiments;
ALTER TABLE experiments2 RENAME TO experiments;
ALTER TABLE players2 RENAME TO players;
ALTER TABLE games2 RENAME TO games;
ALTER TABLE traces2 RENAME TO traces;
ALTER TABLE forfeits2 RENAME TO forfeits;

CREATE VIEW results AS
	SELECT e.name AS experiment, p.number AS player_number, p.spec AS player, e.seed AS seed,
		g.id & 0xffffffff AS game, g.score AS score, 1 << g.tile AS max_tile, g.moves AS moves,
		g.elapsed_us AS elapsed_us, f.reason AS forfeit
	FROM experiments e
	JOIN players p ON p.experiment = e.id
	JOIN games g ON g.id >= p.id << 32 AND g.id < (p.id + 1) << 32
	LEFT JOIN forfeits f ON f.id = g.id;
`,
	// Signatures of the programs that played, with commas, one for each version; an empty
	// one is not known. Rows that were damaged before keep a sum that is wrong.
	`
ALTER TABLE players ADD COLUMN signatures TEXT NOT NULL DEFAULT '';
UPDATE players SET sum = row_sum(id, experiment, number, spec, identity, versions, foresees, time_limited, kept, signatures)
	WHERE sum = row_sum(id, experiment, number, spec, identity, versions, foresees, time_limited, kept);
`,
	// Keys, values and evaluators of specs were renamed. Damaged rows are unchanged.
	`
UPDATE OR IGNORE players SET spec = current_spec(spec), identity = current_spec(identity),
	sum = row_sum(id, experiment, number, current_spec(spec), current_spec(identity), versions, foresees, time_limited, kept, signatures)
	WHERE sum = row_sum(id, experiment, number, spec, identity, versions, foresees, time_limited, kept, signatures);
UPDATE experiments SET spawn = current_spec(spawn), spawn_identity = current_spec(spawn_identity),
	sum = row_sum(id, name, created, size, current_spec(spawn), current_spec(spawn_identity), seed, until, games, players)
	WHERE sum = row_sum(id, name, created, size, spawn, spawn_identity, seed, until, games, players);
`,
}

// migrate applies missing migrations in one transaction. It returns whether there were any and how
// many games were removed because their player does not exist.
func migrate(ctx context.Context, conn *sql.Conn, steps []string) (changed bool, orphans int64, err error) {
	version, err := versionOf(ctx, conn, steps)
	if err != nil || version == len(steps) {
		return false, 0, err
	}
	// A step replaces tables that others refer to. This has no effect in a transaction.
	if _, err := conn.ExecContext(ctx, "PRAGMA foreign_keys = OFF"); err != nil {
		return false, 0, err
	}
	err = transact(ctx, conn, func() error {
		// Another process may have been faster.
		version, err := versionOf(ctx, conn, steps)
		if err != nil {
			return err
		}
		for n, step := range steps[version:] {
			if version+n == 1 {
				if orphans, err = removeOrphans(ctx, conn); err != nil {
					return err
				}
			}
			if _, err := conn.ExecContext(ctx, step); err != nil {
				return err
			}
		}
		_, err = conn.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, len(steps)))
		return err
	})
	if err == nil {
		_, err = conn.ExecContext(ctx, "PRAGMA foreign_keys = ON")
	}
	return err == nil, orphans, err
}

// versionOf returns the store's schema version; one newer than the steps is an error.
func versionOf(ctx context.Context, conn *sql.Conn, steps []string) (version int, err error) {
	if err := conn.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return 0, err
	}
	if version > len(steps) {
		return 0, &newerError{version, len(steps)}
	}
	return version, nil
}

// removeOrphans removes rows without a player from a store of version 1, which let an experiment be
// removed while it was played.
func removeOrphans(ctx context.Context, conn *sql.Conn) (games int64, err error) {
	for _, statement := range []string{
		"DELETE FROM players WHERE experiment NOT IN (SELECT id FROM experiments)",
		"DELETE FROM games WHERE id >> 32 NOT IN (SELECT id FROM players)",
		"DELETE FROM traces WHERE id NOT IN (SELECT id FROM games)",
		"DELETE FROM forfeits WHERE id NOT IN (SELECT id FROM games)",
	} {
		done, err := conn.ExecContext(ctx, statement)
		if err != nil {
			return 0, err
		}
		if n, err := done.RowsAffected(); err != nil {
			return 0, err
		} else if strings.HasPrefix(statement, "DELETE FROM games") {
			games = n
		}
	}
	return games, nil
}

// transact runs do in a transaction.
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
