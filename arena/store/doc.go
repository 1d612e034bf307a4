// Package store keeps experiments in a file, a SQLite database: what was to be
// played, and every game that was, with its moves.
//
//	s, err := store.Open("experiments.db") // made if there is none
//	defer s.Close()
//	err = s.Create(ctx, &store.Experiment{Name: "first", Setup: setup, Games: 100, Players: players})
//	e, err := s.Experiment(ctx, "first")
//	fresh, err := s.Keep(ctx, e, &e.Players[0], games) // as they finish
//	games, err := s.Games(ctx, e, &e.Players[0])
//
// The package's example runs this.
//
// # What is promised
//
// When Keep returns, its games are on the disk: neither the end of the process nor a
// power cut takes them away (write-ahead log, synced at each commit). A game is known
// by its player and its number, and kept once: the same game brought again changes
// nothing. What was kept comes back as it was, or as an error that names it (Damage). An
// ID is never used again, so that games of an experiment that was removed reach no other
// one. A store that a newer version of the program has changed is refused; one
// of an older version is brought up to date when it is opened. Several processes may
// use a store at once; writers wait for each other up to [LockTimeout]. A store that cannot
// be written can be read (OpenExisting).
//
// # What is in the file
//
// Tables experiments, players, games, traces, forfeits and blocks; see schema.go. Rows
// carry CRC-32C sums (sums.go), which are checked whenever they are read. The view
// results shows a row a game for people who know SQL:
//
//	sqlite3 experiments.db "select player, avg(score) from results where experiment='first' group by player"
//
// A game's id is its player's id times 2^32, plus its number. Traces (package arena,
// Recorded) stand in the game's row as long as they are short; longer ones lie apart,
// so that figures of many games are read without them.
//
// Games never change once they are kept. So their figures are also kept in blocks of
// 4096 games, in table blocks, from which a million games are read in a fraction of a
// second. What is in blocks is in games too. A block is made of games whose sums were
// right and has a sum of its own; a damaged one is made anew. So figures of a block are
// right even where a game was changed since; AllRecorded checks every game.
//
// # Caveats
//
// SQLite's write-ahead log wants a local disk: a store on a network file system may be
// damaged. Copy a store while nobody writes to it, or with SQLite's own tools.
package store
