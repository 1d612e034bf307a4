// Package report writes the results of experiments for people: text for a terminal ([Text]),
// one HTML page with charts ([HTML]), and tables in Markdown ([Markdown]) and LaTeX ([LaTeX]).
//
//	err := report.Text(os.Stdout, results, 80)
//
// The figures come from [arena.Results.Statistics]; this package only presents them.
package report
