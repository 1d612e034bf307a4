package output

import (
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/internal/console"
)

// Flags are the output file and format of a command.
type Flags struct{ format, Out string }

// Add adds the flags to a command; formats describes the accepted formats.
func (f *Flags) Add(flags *pflag.FlagSet, formats string) {
	flags.StringVarP(&f.format, "format", "f", "", formats+" (default: --out's ending, else the first)")
	flags.StringVarP(&f.Out, "out", "o", "", "write to a `FILE` instead of stdout")
}

// Choose returns the format: --format, or the file's ending, or without an ending the first one.
func (f *Flags) Choose(formats []string) (string, error) {
	want := strings.Join(formats[:len(formats)-1], ", ") + " or " + formats[len(formats)-1]
	ending := strings.TrimPrefix(strings.ToLower(filepath.Ext(f.Out)), ".")
	switch {
	case slices.Contains(formats, f.format):
		return f.format, nil
	case f.format != "":
		return "", usage.Errorf("format %q: want %s", f.format, want)
	case ending == "":
		return formats[0], nil
	case slices.Contains(formats, ending):
		return ending, nil
	}
	return "", usage.Errorf("%s: want an ending of %s, or --format", f.Out, want)
}

// Write writes to the file, or to stdout.
func (f *Flags) Write(cmd *cobra.Command, write func(io.Writer) error) error {
	if f.Out == "" {
		return write(cmd.OutOrStdout())
	}
	// The file may later be shown on a terminal.
	return Write(f.Out, func(w io.Writer) error { return write(console.NewWriter(w)) })
}
