// Package usage defines how a command is called, and reports bad input: [Flags] makes flags of the fields of a struct,
// [Args] checks the number of arguments, and [Error] marks an error that ends the program with status 2.
package usage

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

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

func (e *RangeError) Error() string { return e.Value + ": must be " + e.Want }

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
			return fmt.Errorf("--%s: %q: must be a whole number that is not too large", name, number.Num)
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
			return Errorf("%s%q is one argument too many: must be %s", subject(cmd), args[high], what)
		}
		return nil
	}
}

// FlagNames returns the names of a command's flags, with their dashes.
func FlagNames(cmd *cobra.Command) (names []string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return names
}

// Command completes a command whose flags are the fields of a struct, with their defaults (see [Flags]).
func Command[F any](cmd *cobra.Command, options *F, run func(cmd *cobra.Command, args []string, options *F) error) *cobra.Command {
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return run(cmd, args, options) }
	Flags(cmd.Flags(), options)
	return cmd
}

// Flags adds a flag for each field of a struct that has the tag flag, and for those of the structs in the struct, so that
// each flag is stated once. options points to the struct:
//
//	type options struct {
//		games int    `flag:"games,n" default:"100" range:"1:1000" help:"games of each player"`
//		out   string `flag:"out,o" help:"write to a <FILE> instead of stdout"`
//	}
//
// Tag flag has the name and the letter. In help, <FILE> is the name of the value. The text of a type that has a method
// Help follows that of the tag. Tag default is written as a user would, "cores" for the number of processors; without
// it the default is the value of the field. Tag range has the smallest and the largest value that a user may give; the
// largest may be missing. A struct with flag:"-" is left out.
func Flags(set *pflag.FlagSet, options any) { fields(set, reflect.ValueOf(options).Elem()) }

func fields(set *pflag.FlagSet, of reflect.Value) {
	for i := range of.NumField() {
		f := of.Type().Field(i)
		value := reflect.NewAt(f.Type, of.Field(i).Addr().UnsafePointer()) // also of a field that is not exported
		switch words, tagged := f.Tag.Lookup("flag"); {
		case words == "-":
		case tagged:
			name, letter, _ := strings.Cut(words, ",")
			Var(set, name, letter, f.Tag.Get("help"), value.Interface())
			refine(set.Lookup(name), f.Tag)
		case f.Type.Kind() == reflect.Struct:
			fields(set, value.Elem())
		}
	}
}

// valueName is the name of a value in the text of a flag.
var valueName = regexp.MustCompile("<([^>]+)>")

// Var adds a flag for the value behind a pointer, whose default is the present value.
func Var(set *pflag.FlagSet, name, letter, help string, pointer any) {
	help = valueName.ReplaceAllString(help, "`$1`")
	if typed, ok := pointer.(interface{ Help() string }); ok {
		help += typed.Help()
	}
	switch v := pointer.(type) {
	case pflag.Value:
		set.VarP(v, name, letter, help)
	case *time.Duration:
		set.DurationVarP(v, name, letter, *v, help)
	case *int:
		set.IntVarP(v, name, letter, *v, help)
	case *int64:
		set.Int64VarP(v, name, letter, *v, help)
	case *uint64:
		set.Uint64VarP(v, name, letter, *v, help)
	case *float64:
		set.Float64VarP(v, name, letter, *v, help)
	case *[]string:
		set.StringSliceVarP(v, name, letter, *v, help)
	case *[]int64:
		set.Int64SliceVarP(v, name, letter, *v, help)
	default: // of a type of its own
		switch v := reflect.ValueOf(pointer); v.Elem().Kind() {
		case reflect.Bool:
			set.BoolVarP(v.Convert(reflect.TypeFor[*bool]()).Interface().(*bool), name, letter, v.Elem().Bool(), help)
		case reflect.String:
			set.StringVarP(v.Convert(reflect.TypeFor[*string]()).Interface().(*string), name, letter, v.Elem().String(), help)
		default:
			panic(fmt.Sprintf("--%s has a type without a flag: %T", name, pointer))
		}
	}
}

// refine gives a flag the default and the range of its tags.
func refine(f *pflag.Flag, tag reflect.StructTag) {
	if text, given := tag.Lookup("default"); given {
		if text == "cores" {
			text = strconv.Itoa(runtime.GOMAXPROCS(0))
		}
		if err := f.Value.Set(text); err != nil {
			panic(fmt.Sprintf("--%s: %v", f.Name, err))
		}
		f.DefValue = f.Value.String()
	}
	if text, given := tag.Lookup("range"); given {
		low, high, _ := strings.Cut(text, ":")
		f.Value = limited{f.Value, low, high}
	}
}

// limited is a number or a time in a range.
type limited struct {
	pflag.Value
	low, high string
}

func (l limited) Set(text string) error {
	if err := l.Value.Set(text); err != nil {
		return err
	}
	x, want := number(l.String()), l.low+" or more"
	if l.high != "" {
		want = "from " + l.low + " to " + l.high
	}
	if x >= number(l.low) && (l.high == "" || x <= number(l.high)) {
		return nil
	}
	return &RangeError{Value: l.String(), Want: want}
}

// number is the value of a number or a time.
func number(text string) float64 {
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return x
	}
	d, _ := time.ParseDuration(text)
	return float64(d)
}
