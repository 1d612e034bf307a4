// Package experiment begins, extends and plays experiments in a store (experiment/store). The commands
// of package cli and the server share it, and add flags, messages and progress displays.
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
// All games of a player must come from the same player. So Extend refuses a player if a file that its
// spec names has changed, or if the program plays differently. A program is identified by its
// signature, a checksum over the results of fixed searches and training runs (bench.Signature). A
// program of the same version, built from the same unmodified commit, is known to be the same, and
// its signature is not computed. Games of a program without a recorded signature can only be extended
// by a program of the same version. Config.AnyVersion turns the check of the program off.
//
// An error that a user can correct is a [RefusalError].
//
// # Limits
//
// The signature covers search and training of the program's own players, not external programs
// (exec). Two processes may play the same experiment at once; they duplicate work and do no harm.
package experiment
