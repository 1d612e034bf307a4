// Package sweep trains networks with many combinations of options and seeds, and reports which options are best.
//
//	spec, err := sweep.ReadTOML(text) // or sweep.Read for JSON
//	s, err := sweep.New("rates", folder, spec, nil)
//	result, err := s.Run(ctx, &sweep.RunOptions{Workers: 2})
//	fmt.Print(result.Text())
//
// A configuration is a combination of options. A trial is a configuration with a seed. Each trial is an
// ordinary training run with one thread, stored in the folder under a name such as NAME-2-seed1001, so the
// web page and the commands that list, compare and export runs can use it. The trials of a configuration form
// a group of package compare, such as NAME-2.
//
// A sweep trains all combinations of the values, and ranks them by the mean score of the last interval, averaged
// over the seeds.
//
// # Interruptions
//
// A sweep keeps no state besides its runs. Run continues from their checkpoints and makes the same decisions.
// Since trials use one thread, the results are the same too. If a run of the same name exists with other
// options, Run returns an error.
//
// # Statistics
//
// Each seed is one observation. The best of many configurations looks better than it is, so the corrected intervals
// of all configurations hold simultaneously, and so do the intervals of all differences between two configurations
// (both by Bonferroni). A choice by training scores favours lucky runs; RunOptions.Play measures the networks in
// separate games.
//
// # Training on other machines
//
// RunOptions.Train replaces the training in this process. Package experiment/training has an implementation that uses
// workers on other machines.
package sweep
