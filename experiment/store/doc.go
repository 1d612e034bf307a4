// Package store keeps experiments in a SQLite database: their setup, and every game with its moves.
//
//	s, err := store.Open("experiments.db") // creates the file if it does not exist
//	defer s.Close()
//	err = s.Create(ctx, &arena.Plan{Name: "first", Setup: setup, Games: 100, Players: players})
//	e, err := s.Experiment(ctx, "first")
//	added, err := s.Keep(ctx, e, &e.Players[0], games) // as they finish
//	games, err := s.Games(ctx, e, &e.Players[0])
//
// # Guarantees
//
// Durability: when Keep returns, its games survive the end of the process and a power cut (write-ahead log,
// synced at each commit). Idempotence: a game is identified by its player and number and stored once; storing
// it again changes nothing. IDs are never reused, so games of a removed experiment cannot appear in another
// one. A store with another schema version is refused. Several processes may use a store at once; writers
// wait for each other up to [LockTimeout]. A store that cannot be written can still be opened for reading
// ([OpenExisting]).
//
// # Schema
//
// The tables are experiments, players, games, traces, forfeits and luck (schema.sql). The view results has a row for
// each game:
//
//	sqlite3 experiments.db "select player, avg(score) from results where experiment='first' group by player"
//
// The id of a game is its player's id times 2^32 plus its number. Traces (arena.Recorded) of less than 512
// bytes are in the game's row; longer ones are in the table traces, so that the outcomes of many games can be
// read without them.
//
// # Limits
//
// SQLite's write-ahead log needs a local disk: a network file system may damage a store. Copy a
// store while no process writes to it, or with SQLite's own tools.
package store
