// Package usage defines how a command is called, and reports bad input: [Flags] makes flags of the fields of a struct,
// [Args] checks the number of arguments, and [Error] marks an error that ends the program with status 2.
package usage

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/afterstate2048/afterstate/player/spec"
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

// UnknownCommand returns the error about an unknown subcommand of cmd.
func UnknownCommand(cmd *cobra.Command, word string) error {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return Errorf("no command is called %q: %s", word, Suggest(word, names))
}

// FlagHint replaces cobra's error about a flag: it names the flag and the problem with its value,
// or the nearest existing flag.
func FlagHint(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		name, cause := invalid.GetFlag().Name, errors.Unwrap(err)
		if limits := (*RangeError)(nil); errors.As(cause, &limits) {
			return fmt.Errorf("--%s %w", name, limits)
		}
		if number := (*strconv.NumError)(nil); errors.As(cause, &number) {
			return fmt.Errorf("--%s: %q: want a whole number that is not too large", name, number.Num)
		}
		return fmt.Errorf("--%s: %w", name, cause)
	}
	text := strings.Join(strings.Fields(err.Error()), " ")
	_, name, found := strings.Cut(text, "unknown flag: --")
	if !found {
		return fmt.Errorf("%s%s; see %s --help", subject(cmd), text, cmd.CommandPath())
	}
	suggestion := Suggest("--"+name, FlagNames(cmd))
	if !cmd.HasParent() {
		return fmt.Errorf("no flag is called --%s: %s", name, suggestion)
	}
	return fmt.Errorf("%s has no flag --%s: %s", cmd.Name(), name, suggestion)
}

// subject names the command at the beginning of an error. The program itself is not named: every error
// begins with its name.
func subject(cmd *cobra.Command) string {
	if !cmd.HasParent() {
		return ""
	}
	return cmd.Name() + ": "
}

// Suggest returns a question with the nearest candidate, or a list of all.
func Suggest(word string, candidates []string) string { return spec.Suggest(word, candidates) }

// Args checks the number of arguments; what describes them in the error.
func Args(low, high int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < low:
			return Errorf("%smissing %s; see %s --help", subject(cmd), what, cmd.CommandPath())
		case len(args) > high:
			return Errorf("%s%q is one argument too many: want %s", subject(cmd), args[high], what)
		}
		return nil
	}
}

// FlagNames returns the names of a command's flags, with their dashes.
func FlagNames(cmd *cobra.Command) (names []string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return names
}
