// Package output writes the output of commands. Results are text or JSON (AsJSON), on stdout or in a file that appears
// only when it is complete (File, Flags). The progress of long work is a block of lines that is redrawn on a terminal
// (Block, Progress), or plain lines elsewhere.
package output

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/internal/atomicfile"
	"github.com/afterstate2048/afterstate/internal/console"
	"github.com/afterstate2048/afterstate/internal/inputfile"
)

// File is an output file. Its content goes to a temporary file in the same folder, which is renamed
// when it is complete.
type File struct {
	path string // the path as the user wrote it
	real string // the path with links resolved
	Temp *atomicfile.File
}

// Create creates the temporary file for an output file, so that a command with an unwritable path fails before
// it starts its work. Only regular files are replaced. If path is a link to a file, that file is replaced and
// the link stays. For an empty path Create returns nil; the methods of a nil File do nothing.
func Create(path string) (*File, error) {
	if path == "" {
		return nil, nil
	}
	o := &File{path: path, real: path}
	mode := fs.FileMode(0)
	failed := func(err error) error { return usage.Errorf("%s cannot be written: %w", path, inputfile.Cause(err)) }
	switch info, err := os.Stat(path); {
	case err == nil && !info.Mode().IsRegular():
		return nil, usage.Errorf("%s is %s: must be a file", path, inputfile.Kind(info))
	case err == nil:
		mode = info.Mode().Perm()
		if o.real, err = filepath.EvalSymlinks(path); err != nil {
			return nil, failed(err)
		}
	}
	temp, err := atomicfile.Create(o.real, 0o666)
	if err != nil {
		return nil, failed(err)
	}
	o.Temp = temp
	if mode != 0 {
		if err := temp.Chmod(mode); err != nil {
			o.Discard()
			return nil, failed(err)
		}
	}
	return o, nil
}

// Commit calls write to write the content to the temporary file, and renames the file.
func (o *File) Commit(write func(io.Writer) error) error {
	if o == nil {
		return nil
	}
	err := write(o.Temp)
	if err == nil {
		err = o.Temp.Commit()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", o.path, err)
	}
	o.Temp = nil
	return nil
}

// Write creates or replaces the file at path with the content that the function write writes. The file appears only
// when it is complete.
func Write(path string, write func(io.Writer) error) error {
	file, err := Create(path)
	if err != nil {
		return err
	}
	defer file.Discard()
	return file.Commit(write)
}

// Discard removes the temporary file, unless it was committed. It may be called after Commit.
func (o *File) Discard() {
	if o != nil && o.Temp != nil {
		o.Temp.Discard()
	}
}

// Distinct returns an error if two paths name the same file. Empty paths are ignored.
func Distinct(paths ...string) error {
	seen := map[string]bool{}
	for _, path := range paths {
		if path == "" {
			continue
		}
		full, err := filepath.Abs(path)
		if err != nil {
			return usage.Wrap(err)
		}
		if real, err := filepath.EvalSymlinks(full); err == nil {
			full = real
		}
		if seen[full] {
			return usage.Errorf("%s is named twice: each output needs its own file", path)
		}
		seen[full] = true
	}
	return nil
}

// Flags are the flags --out and --format of a command.
type Flags struct{ format, Out string }

// Add adds the flags to a command; formats describes the accepted formats.
func (f *Flags) Add(flags *pflag.FlagSet, formats string) {
	flags.StringVarP(&f.format, "format", "f", "", "`FORMAT` to write: "+formats+" (default: by --out's extension, else the first)")
	flags.StringVarP(&f.Out, "out", "o", "", "write to a `FILE` instead of stdout")
}

// Choose returns the output format: the value of --format, or else the format that the file name in
// --out ends in, or else the first of formats.
func (f *Flags) Choose(formats []string) (string, error) {
	want := strings.Join(formats[:len(formats)-1], ", ") + " or " + formats[len(formats)-1]
	ending := strings.TrimPrefix(strings.ToLower(filepath.Ext(f.Out)), ".")
	switch {
	case slices.Contains(formats, f.format):
		return f.format, nil
	case f.format != "":
		return "", usage.Errorf("format %q: must be %s", f.format, want)
	case ending == "":
		return formats[0], nil
	case slices.Contains(formats, ending):
		return ending, nil
	}
	return "", usage.Errorf("%s: the name must end in %s, or use --format", f.Out, want)
}

// Write calls write with the file given by --out, or with stdout if that flag is not given.
func (f *Flags) Write(cmd *cobra.Command, write func(io.Writer) error) error {
	if f.Out == "" {
		return write(cmd.OutOrStdout())
	}
	// Escape control characters: the file may later be shown on a terminal.
	return Write(f.Out, func(w io.Writer) error { return write(console.NewWriter(w)) })
}

// JSON writes v as JSON on one line.
func JSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// AsJSON is the flag --json of a command.
type AsJSON bool

// Print writes v to stdout as one line of JSON if the flag is set; otherwise it calls text.
func (j AsJSON) Print(cmd *cobra.Command, v any, text func(io.Writer) error) error {
	if j {
		return JSON(cmd.OutOrStdout(), v)
	}
	return text(cmd.OutOrStdout())
}

// PrintEach writes the elements of a list to stdout as JSON, one per line, if the flag is set; otherwise it
// calls text.
func PrintEach[T any](cmd *cobra.Command, j AsJSON, all []T, text func(io.Writer, []T) error) error {
	if !j {
		return text(cmd.OutOrStdout(), all)
	}
	for _, v := range all {
		if err := JSON(cmd.OutOrStdout(), v); err != nil {
			return err
		}
	}
	return nil
}
