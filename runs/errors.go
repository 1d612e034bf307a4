package runs

import (
	"errors"
	"fmt"

	"afterstate/internal/memory"
)

// InputError means that the caller asked for something that cannot be done. Nothing was changed.
type InputError struct{ Err error }

func (e *InputError) Error() string { return e.Err.Error() }

func (e *InputError) Unwrap() error { return e.Err }

func inputError(err error) error {
	if err == nil {
		return nil
	}
	return &InputError{err}
}

func inputErrorf(format string, args ...any) error { return &InputError{fmt.Errorf(format, args...)} }

// What an InputError may wrap, besides the types below.
var (
	ErrNoPlace = errors.New("no place for runs") // there is no home; see Default
	ErrForeign = errors.New("a file that no training run made")
	ErrLocked  = errors.New("the run is being trained by another process")
)

// caseError is an error with a text of its own that errors.Is finds by its kind.
type caseError struct {
	kind error
	text string
}

func (e *caseError) Error() string { return e.text }

func (e *caseError) Is(target error) bool { return target == e.kind }

func casef(kind error, format string, args ...any) error {
	return &InputError{&caseError{kind, fmt.Sprintf(format, args...)}}
}

// ExistsError means that a new run cannot have the name of another one.
type ExistsError struct{ Name string }

func (e *ExistsError) Error() string { return fmt.Sprintf("there is a run %s already", e.Name) }

// NotFoundError means that a folder has no run of a name.
type NotFoundError struct {
	Name, Folder string
	Others       []string // the runs that there are
}

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("no run is called %s in %s", e.Name, e.Folder)
}

// OptionError means that an option has a value that cannot be. Option is its name in words
// joined by hyphens, the same as the flag of the command train: checkpoint-every.
type OptionError struct {
	Option  string
	Value   any
	Without string // another option that this one needs, if that is what is wrong
	Reason  string
}

func (e *OptionError) Error() string { return e.Text("") }

// Text is the error with a prefix before the names of options, such as "--".
func (e *OptionError) Text(prefix string) string {
	reason := e.Reason
	if e.Without != "" {
		reason = "without " + prefix + e.Without + " " + reason
	}
	return fmt.Sprintf("%s%s %v: %s", prefix, e.Option, e.Value, reason)
}

func optionErrorf(option string, value any, format string, args ...any) error {
	return &InputError{&OptionError{Option: option, Value: value, Reason: fmt.Sprintf(format, args...)}}
}

// SpaceError means that there is not enough memory, or disk where Folder is set, in bytes.
type SpaceError struct {
	Needed, Free int64
	Folder       string
}

func (e *SpaceError) Error() string {
	if e.Folder == "" {
		return fmt.Sprintf("%s of memory are needed, %s are free", memory.Words(e.Needed), memory.Words(e.Free))
	}
	return fmt.Sprintf("%s of disk are needed, %s are free in %s", memory.Words(e.Needed), memory.Words(e.Free), e.Folder)
}
