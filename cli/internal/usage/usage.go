// Package usage reports bad input: [Error] marks an error that ends the program with status 2, and
// [Args] checks the number of a command's arguments. [Plain] prepares the help of flags for the screen.
package usage

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Error marks bad input, which the user can correct.
type Error struct{ error }

func (e Error) Unwrap() error { return e.error }

// Wrap marks an error as bad input; nil stays nil.
func Wrap(err error) error {
	if err == nil {
		return nil
	}
	return Error{err}
}

// Errorf returns a formatted [Error].
func Errorf(format string, args ...any) error { return Error{fmt.Errorf(format, args...)} }

// RangeError is the error about the value of a flag that is too small or too large.
type RangeError struct{ Value, Want string }

func (e *RangeError) Error() string { return e.Value + ": want " + e.Want }

// Plain removes the backquotes that mark the name of a value in the help of flags, such as `FILE`, since
// --help and completions would show them.
func Plain(cmd *cobra.Command) {
	unquoted := func(f *pflag.Flag) { _, f.Usage = pflag.UnquoteUsage(f) }
	cmd.PersistentFlags().VisitAll(unquoted)
	cmd.Flags().VisitAll(unquoted)
	for _, c := range cmd.Commands() {
		Plain(c)
	}
}
