package usage

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"afterstate/player/spec"
)

// UnknownCommand is the error about a word that no command of cmd is called.
func UnknownCommand(cmd *cobra.Command, word string) error {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return Errorf("no command is called %q: %s", word, Suggest(word, names))
}

// FlagHint turns cobra's complaint about a flag into ours: the flag's name with
// what is wrong with its value, or the nearest flag there is.
func FlagHint(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		name, cause := invalid.GetFlag().Name, errors.Unwrap(err)
		if number := (*strconv.NumError)(nil); errors.As(cause, &number) {
			return fmt.Errorf("--%s: %q: want a whole number that is not too large", name, number.Num)
		}
		return fmt.Errorf("--%s: %w", name, cause)
	}
	text := strings.Join(strings.Fields(err.Error()), " ")
	_, name, found := strings.Cut(text, "unknown flag: --")
	if !found {
		return fmt.Errorf("%s: %s; see afterstate %s --help", cmd.Name(), text, cmd.Name())
	}
	return fmt.Errorf("%s has no flag --%s: %s", cmd.Name(), name, Suggest("--"+name, FlagNames(cmd)))
}

// Suggest is the nearest candidate as a question, or all of them.
func Suggest(word string, candidates []string) string { return spec.Suggest(word, candidates) }

// Args wants a number of arguments and says which.
func Args(low, high int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < low:
			return Errorf("%s: missing %s; see afterstate %s --help", cmd.Name(), what, cmd.Name())
		case len(args) > high:
			return Errorf("%s: %q is one argument too many: want %s", cmd.Name(), args[high], what)
		}
		return nil
	}
}

// FlagNames are the names of a command's flags, with their dashes.
func FlagNames(cmd *cobra.Command) (names []string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return names
}
