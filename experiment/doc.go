// Package experiment creates, extends and plays experiments. In an experiment, several players play the same
// seeded games, and a store (experiment/store) keeps the games. The commands of package cli and the server
// use this package; they add flags, messages and progress displays.
//
//	c := experiment.Config{Identity: identity, Program: experiment.Program{Version: "1.0"}}
//	entrants, err := c.Entrants(ctx, []string{"greedy", "snake"}, board.Size{Rows: 4, Cols: 4})
//	x, err := c.Begin(ctx, s, &arena.Plan{Name: "first", Setup: setup, Games: 100}, entrants)
//	err = x.Play(ctx, experiment.PlayOptions{Workers: runtime.NumCPU()})
//	results, err := x.Results(ctx)
//
// The package's example runs this. [Config.Find] finds an existing experiment, [Experiment.Extend]
// requests more games or adds players. A [Ranking] plays until sequential tests (stats.Match) have
// ranked the players. A [Runner] plays experiments in the background.
//
// # Resuming
//
// All stored games of a player must have been played by the same files and program. So Extend
// refuses a player if a file that its spec names has changed, or if this program plays differently
// from the one that played the stored games. A program is identified by its signature, a checksum
// over the results of fixed searches and training runs (bench.Signature). In a browser, which
// computes none, it is identified by its version. Config.AnyVersion turns this check of the program
// off.
//
// An error that a user can correct is a [RefusalError].
//
// # Limits
//
// The signature covers search and training of the program's own players, not external programs (exec). Two
// processes may play the same experiment at once. They then play some games twice, but each game is stored
// once.
package experiment
