// Package usage defines how a command is called, and reports bad input: [Flags] turns the fields of a struct into
// flags, [Args] checks the number of arguments, and [Error] marks an error that ends the program with status 2.
package usage

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/afterstate2048/afterstate/internal/option"
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

// UnknownCommand returns the error for an unknown subcommand of cmd.
func UnknownCommand(cmd *cobra.Command, word string) error {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return Errorf("no command is called %q: %s", word, Suggest(word, names))
}

// FlagHint replaces cobra's error about a flag with an error that names the flag and the problem with its value. For an
// unknown flag, the error names the nearest existing flag.
func FlagHint(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		name, cause := invalid.GetFlag().Name, errors.Unwrap(err)
		if refused := (*option.Error)(nil); errors.As(cause, &refused) {
			return refused.AsFlag()
		}
		if number := (*strconv.NumError)(nil); errors.As(cause, &number) {
			return fmt.Errorf("--%s: %q is not a whole number", name, number.Num)
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

// subject returns the name of the command, for the beginning of an error. It returns "" for the program itself,
// since every error begins with the program's name.
func subject(cmd *cobra.Command) string {
	if !cmd.HasParent() {
		return ""
	}
	return cmd.Name() + ": "
}

// Suggest returns a hint about an unknown word: a question with the nearest candidate or, if none
// is near, a list of all candidates.
func Suggest(word string, candidates []string) string { return spec.Suggest(word, candidates) }

// Args returns a function that checks the number of arguments. expected describes the arguments in its
// errors.
func Args(low, high int, expected string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < low:
			return Errorf("%smissing %s; see %s --help", subject(cmd), expected, cmd.CommandPath())
		case len(args) > high:
			return Errorf("%s%q is one argument too many: must be %s", subject(cmd), args[high], expected)
		}
		return nil
	}
}

// FlagNames returns the names of a command's flags, with their dashes.
func FlagNames(cmd *cobra.Command) (names []string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return names
}

// Command adds the fields of the struct options to cmd as flags (see [Flags]), makes cmd call run with options,
// and returns cmd.
func Command[F any](cmd *cobra.Command, options *F, run func(cmd *cobra.Command, args []string, options *F) error) *cobra.Command {
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return run(cmd, args, options) }
	Flags(cmd.Flags(), options)
	return cmd
}

// Flags adds a flag for each field that has the tag flag, in a struct and in the structs it contains. options points to
// the struct:
//
//	type options struct {
//		games int    `flag:"games,n" default:"100" range:"1:1000" help:"games of each player"`
//		out   string `flag:"out,o" help:"write to a <FILE> instead of stdout"`
//	}
//
// The tag flag contains the name and the shorthand letter; package option describes the other tags. In the help
// text, <FILE> names the value. If the field's type has a method Help, its text follows the text of the tag.
// The tag default gives the default, where "cores" stands for the number of processors; without that tag, the
// current value of the field is the default. A struct with flag:"-" is skipped.
func Flags(set *pflag.FlagSet, options any) {
	for f := range option.Of(options, "flag") {
		Add(set, f, f.Mark)
	}
}

// valueName matches the name of a value in the help text of a flag.
var valueName = regexp.MustCompile("<([^>]+)>")

// Var adds a flag for the value behind a pointer. Its current value is the default.
func Var(set *pflag.FlagSet, name, letter, help string, pointer any) {
	v := reflect.ValueOf(pointer).Elem()
	Add(set, option.Field{Option: option.New(v.Type(), name, reflect.StructTag("help:"+strconv.Quote(help))), Value: v}, letter)
}

// Add adds a flag for the option f. letter is its shorthand letter, or "".
func Add(set *pflag.FlagSet, f option.Field, letter string) {
	help, name := valueName.ReplaceAllString(f.Help, "`$1`"), strings.ReplaceAll(f.Name, "_", "-")
	pointer := f.Value.Addr().Interface()
	if typed, ok := pointer.(interface{ Help() string }); ok {
		help += typed.Help()
	}
	var flag *pflag.Flag
	switch v := pointer.(type) {
	case *[]string:
		set.StringSliceVarP(v, name, letter, *v, help)
		return
	case *[]int64:
		set.Int64SliceVarP(v, name, letter, *v, help)
		return
	case pflag.Value:
		flag = set.VarPF(v, name, letter, help)
	default:
		flag = set.VarPF(f, name, letter, help)
	}
	if f.Value.Kind() == reflect.Bool {
		flag.NoOptDefVal = "true"
	}
	switch text := f.Default; {
	case text == "" && f.Check() != nil: // an out-of-range current value means "not set", so help shows no default
		flag.DefValue = ""
	case text != "":
		if text == "cores" {
			text = strconv.Itoa(runtime.GOMAXPROCS(0))
		}
		if err := flag.Value.Set(text); err != nil {
			panic(fmt.Sprintf("--%s: %v", name, err))
		}
		flag.DefValue = flag.Value.String()
	}
}
