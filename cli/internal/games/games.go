// Package games reads files of games that a command names, in any format of package formats.
package games

import (
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/exchange/formats"
	"github.com/afterstate2048/afterstate/internal/inputfile"
)

// Format returns the format that a flag names, nil for "".
func Format(flag, name string) (*formats.Format, error) {
	f := formats.Named(name)
	if f == nil && name != "" {
		all := "want " + strings.Join(formats.Names(), ", ")
		if hint := usage.Suggest(name, formats.Names()); hint != all {
			all += "; " + hint
		}
		return nil, usage.Errorf("%s %q: %s", flag, name, all)
	}
	return f, nil
}

// Help has a line for each format.
func Help() string {
	var out strings.Builder
	for _, f := range formats.All() {
		fmt.Fprintf(&out, "%-14s %s\n", f.Name, f.Summary)
	}
	return out.String()
}

// Read yields the games of a file, or of stdin for "-". An error names the file and ends the
// sequence. format nil is recognized.
func Read(cmd *cobra.Command, path string, format *formats.Format) iter.Seq2[*formats.AnnotatedRecord, error] {
	return func(yield func(*formats.AnnotatedRecord, error) bool) {
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
		for g, err := range formats.Read(in, format) {
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
