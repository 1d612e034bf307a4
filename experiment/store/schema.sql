CREATE TABLE experiments (
	id             INTEGER PRIMARY KEY AUTOINCREMENT,
	name           TEXT NOT NULL UNIQUE,
	created        TEXT NOT NULL,    -- UTC, RFC 3339
	size           TEXT NOT NULL,    -- RxC
	spawn          TEXT NOT NULL,    -- the spawn rule's spec
	spawn_identity TEXT NOT NULL,    -- with the contents' hashes of files
	seed           TEXT NOT NULL,    -- up to 2^64-1, which is no INTEGER
	stop           TEXT NOT NULL,    -- what ends a game: a tile, or sum=N
	goal           INTEGER NOT NULL, -- whether reports say how often that is reached
	starts         TEXT NOT NULL,    -- boards from which games begin, one a line
	games          INTEGER NOT NULL  -- wanted of each player
) STRICT;

CREATE TABLE players (
	id           INTEGER PRIMARY KEY AUTOINCREMENT,
	experiment   INTEGER NOT NULL REFERENCES experiments (id),
	number       INTEGER NOT NULL, -- from 1, in the order in which they were added
	spec         TEXT NOT NULL,
	identity     TEXT NOT NULL,
	versions     TEXT NOT NULL,    -- of the programs that played, with commas
	foresees     INTEGER NOT NULL,
	time_limited INTEGER NOT NULL,
	kept         INTEGER NOT NULL, -- how many games there are
	signatures   TEXT NOT NULL,    -- of the programs that played, with commas, one for each version; an empty one is unknown
	UNIQUE (experiment, identity)
) STRICT;

CREATE TABLE games (
	id         INTEGER PRIMARY KEY, -- players.id << 32 | number of the game
	score      INTEGER NOT NULL,
	tile       INTEGER NOT NULL,    -- exponent of the largest one
	moves      INTEGER NOT NULL,
	elapsed_us INTEGER NOT NULL,
	trace      BLOB,                -- NULL: in traces
	player     INTEGER NOT NULL GENERATED ALWAYS AS (id >> 32) VIRTUAL REFERENCES players (id)
) STRICT;

CREATE TABLE traces (
	id    INTEGER PRIMARY KEY REFERENCES games (id),
	trace BLOB NOT NULL
) STRICT;

CREATE TABLE forfeits (
	id     INTEGER PRIMARY KEY REFERENCES games (id),
	reason TEXT NOT NULL,
	detail TEXT NOT NULL
) STRICT;

CREATE TABLE luck (
	id          INTEGER NOT NULL REFERENCES games (id),
	values_hash TEXT NOT NULL, -- of the values that luck is in
	luck        INTEGER NOT NULL, -- of all new tiles, in thousandths
	PRIMARY KEY (id, values_hash)
) STRICT, WITHOUT ROWID;

CREATE VIEW results AS
	SELECT e.name AS experiment, p.number AS player_number, p.spec AS player, e.seed AS seed,
		g.id & 0xffffffff AS game, g.score AS score, 1 << g.tile AS max_tile, g.moves AS moves,
		g.elapsed_us AS elapsed_us, f.reason AS forfeit
	FROM experiments e
	JOIN players p ON p.experiment = e.ID
	JOIN games g ON g.id >= p.id << 32 AND g.id < (p.id + 1) << 32
	LEFT JOIN forfeits f ON f.id = g.id;
