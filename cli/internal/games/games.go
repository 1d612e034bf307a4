// Package games reads files of games that a command names, in any format of package exchange.
package games

import (
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/spf13/cobra"

	"afterstate/cli/internal/usage"
	"afterstate/exchange"
	"afterstate/internal/inputfile"
)

// Format returns the format that a flag names, nil for "".
func Format(flag, name string) (*exchange.Format, error) {
	f := exchange.Named(name)
	if f == nil && name != "" {
		all := "want " + strings.Join(exchange.Names(), ", ")
		if hint := usage.Suggest(name, exchange.Names()); hint != all {
			all += "; " + hint
		}
		return nil, usage.Errorf("%s %q: %s", flag, name, all)
	}
	return f, nil
}

// Help has a line for each format.
func Help() string {
	var out strings.Builder
	for _, f := range exchange.All() {
		fmt.Fprintf(&out, "%-14s %s\n", f.Name, f.Summary)
	}
	return out.String()
}

// Read yields the games of a file, or of stdin for "-". An error names the file and ends the
// sequence. format nil is recognized.
func Read(cmd *cobra.Command, path string, format *exchange.Format) iter.Seq2[*exchange.Game, error] {
	return func(yield func(*exchange.Game, error) bool) {
		in, name := cmd.InOrStdin(), "stdin"
		if path != "-" {
			file, err := inputfile.Open(path)
			if err != nil {
				yield(nil, usage.Wrap(err))
				return
			}
			defer file.Close()
			in, name = io.Reader(file), path
		}
		for g, err := range exchange.Read(in, format) {
			if err == nil {
				err = cmd.Context().Err()
			} else {
				err = usage.Errorf("%s: %w", name, err)
			}
			if !yield(g, err) || err != nil {
				return
			}
		}
	}
}

// Warn prints what a conversion did not keep to stderr.
func Warn(cmd *cobra.Command, format string, dropped, lost []string) {
	if len(lost) > 0 {
		cmd.PrintErrf("not read: %s\n", strings.Join(lost, ", "))
	}
	if len(dropped) > 0 {
		cmd.PrintErrf("%s cannot hold: %s\n", format, strings.Join(dropped, ", "))
	}
}
