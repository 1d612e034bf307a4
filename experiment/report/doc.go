// Package report writes the results of experiments for people: text for a terminal ([Text]),
// one HTML page with plots ([HTML]), Markdown ([Markdown]), tables within a document
// ([UpdateTables]), and a plot of the highest tiles ([TilesSVG]).
//
//	err := report.Text(os.Stdout, results, 80)
//
// The figures come from [arena.Results.Statistics]; this package only presents them.
package report
