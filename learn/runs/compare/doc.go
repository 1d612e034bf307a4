// Package compare compares training runs: their curves at equal numbers of games or equal time, and
// how strong their networks are in the end.
//
//	a, err := compare.Open(folder, "4x6-1")     // one run
//	b, err := compare.Open(folder, "downgrade") // downgrade-seed1000, downgrade-seed1001, ...: one training with several seeds
//	table, err := compare.Curves([]*compare.Group{a, b}, compare.Options{})
//	err = table.Play(ctx, compare.PlayOptions{Games: 1000, Open: open})
//	err = table.WriteText(os.Stdout)
//
// # Statistics
//
// The runs of a group differ in their seeds alone, so a run is one observation: a group's mean has
// Student's interval over its runs. A group of one run has no interval in its curve, since the
// metrics have no variance of games. Two groups with the same seeds are compared seed by seed,
// others as independent samples by Welch's test. How little one run says about its options, the
// interval of several shows.
//
// [Table.Play] measures the networks themselves. With one run a group, its games are the observations,
// paired by their seeds; with several, the runs. Luck adjusts those of single runs (control variates, as in advice/luck).
package compare
