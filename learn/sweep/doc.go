// Package sweep trains one network under many options and seeds, and says which options are best.
//
//	spec, err := sweep.ReadTOML(text) // or Read, of JSON
//	s, err := sweep.New("rates", folder, spec)
//	result, err := s.Run(ctx, sweep.RunOptions{Workers: 2})
//	fmt.Print(result.Text())
//
// A configuration is a choice of options. A trial is a configuration with a seed: an ordinary run of the folder, of one thread, which lists,
// comparisons, exports and the page find under its name, NAME-2-seed1001. The trials of a configuration are the group NAME-2 of package compare.
//
// # Methods
//
// Grid trains all combinations of the values. Random draws a number of them, from lists and from ranges. Halving (successive halving, Jamieson
// and Talwalkar 2016) trains all configurations for a few games, then the best 1/eta of them on to eta times as many, and so on. The mean over
// seeds of the last interval's mean score decides; of equal ones, the lower number continues.
//
// # Interruptions
//
// A sweep keeps no state besides its runs. Run resumes from their checkpoints, with the same decisions and, since trials have one thread, the same
// results. A run of the same name with other options is an error.
//
// # Statistics
//
// A seed is one observation. The best of many configurations looks better than it is, so its interval is simultaneous with those of all
// configurations tried, and its distances are simultaneous with those of all pairs (both by Bonferroni). Choosing by the
// training's scores favours lucky ones: RunOptions.Play measures the networks in games of their own.
//
// # Elsewhere
//
// RunOptions.Train replaces the training of this process: package experiment/training has one that uses workers on other machines.
package sweep
