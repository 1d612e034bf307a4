// Package compare compares training runs: their learning curves at equal numbers of games, and
// the strength of their final networks.
//
//	a, err := compare.Open(folder, "4x6-1")     // one run
//	b, err := compare.Open(folder, "downgrade") // downgrade-seed1000, downgrade-seed1001, ...: one training with several seeds
//	table, err := compare.Curves([]*compare.Group{a, b}, 10)
//	err = table.Play(ctx, compare.PlayOptions{Games: 1000, Open: open})
//	err = table.WriteText(os.Stdout)
//
// # Statistics
//
// The runs of a group differ only in their seeds, so each run is one observation: a group's mean has
// Student's t interval over its runs. A group of one run has no interval in its curve, since the
// metrics do not contain the variance of scores. Two groups with the same seeds are compared seed by
// seed, other groups as independent samples by Welch's test. The interval over several runs shows how
// much the results of equal options vary.
//
// [Table.Play] measures the networks themselves. If each group has one run, each game is one
// observation, and games with equal seeds are paired. Otherwise each run is one observation.
package compare
