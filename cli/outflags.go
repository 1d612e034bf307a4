package cli

import (
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"afterstate/internal/console"
)

// outFlags say where a command's result goes and in which format.
type outFlags struct{ format, out string }

func (f *outFlags) add(flags *pflag.FlagSet, formats string) {
	flags.StringVarP(&f.format, "format", "f", "", formats+" (default: --out's ending, else the first)")
	flags.StringVarP(&f.out, "out", "o", "", "write to a `FILE` instead of stdout")
}

// choose is the format: --format, or the file's ending, or the first one.
func (f *outFlags) choose(formats []string) (string, error) {
	want := strings.Join(formats[:len(formats)-1], ", ") + " or " + formats[len(formats)-1]
	ending := strings.TrimPrefix(strings.ToLower(filepath.Ext(f.out)), ".")
	switch {
	case slices.Contains(formats, f.format):
		return f.format, nil
	case f.format != "":
		return "", usagef("format %q: want %s", f.format, want)
	case f.out == "":
		return formats[0], nil
	case slices.Contains(formats, ending):
		return ending, nil
	}
	return "", usagef("%s: want an ending of %s, or --format", f.out, want)
}

// write writes to the file, or to stdout.
func (f *outFlags) write(cmd *cobra.Command, write func(io.Writer) error) error {
	if f.out == "" {
		return write(cmd.OutOrStdout())
	}
	file, err := newOutput(f.out)
	if err != nil {
		return err
	}
	defer file.discard()
	// A report or a table may be shown on a terminal later.
	return file.commit(func(w io.Writer) error { return write(console.NewWriter(w)) })
}
