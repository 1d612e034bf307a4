// Package experiment begins, extends and plays experiments that are kept in a store
// (arena/store). The commands of package cli and the server do it the same way through
// this package; flags, messages and progress displays are theirs.
//
//	c := experiment.Config{Identity: identity, Program: experiment.Program{Version: "1.0"}}
//	entrants, err := c.Entrants([]string{"greedy", "snake"})
//	x, err := c.Begin(ctx, s, &store.Experiment{Name: "first", Setup: setup, Games: 100}, entrants)
//	err = x.Play(ctx, experiment.PlayOptions{Workers: runtime.NumCPU()})
//	results, err := x.Results(ctx)
//
// The package's example runs this. [Config.Find] finds an experiment that was begun
// before, [Experiment.Extend] asks for more games or adds players. A [Match] ends as soon
// as it is clear who is better. A [Runner] plays experiments in the background.
//
// # Going on
//
// All games of a player must come from one player. So Extend refuses to go on with a
// player if a file that its spec names has other contents now, or if the program plays
// otherwise. A program is identified by what it does: its signature, a checksum over
// searches and training runs (bench.Signature). A program of the same version, built from
// the same commit without changes, is known to do the same, and its signature is not
// computed. Games of a program whose signature was not kept can only be extended by a
// program of the same version. Config.AnyVersion turns this check off.
//
// What a user can correct is a [Refusal].
//
// # Limits
//
// The signature covers search and training of the program's own players, not programs
// outside (exec). Two processes may play the same experiment at once; they do work twice
// and harm nothing.
package experiment
