package runs

import (
	"errors"
	"fmt"

	"afterstate/internal/memory"
	"afterstate/learn"
)

// InputError is a request that cannot be met. Nothing was changed.
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

// Sentinels that an InputError may wrap, besides the types below.
var (
	ErrNoFolder = errors.New("no folder for runs") // there is no home; see Default
	ErrForeign  = errors.New("a file that no training run made")
	ErrLocked   = errors.New("the run is being trained by another process")
)

// sentinelError is an error with a text of its own that errors.Is matches with a sentinel.
type sentinelError struct {
	kind error
	text string
}

func (e *sentinelError) Error() string { return e.text }

func (e *sentinelError) Is(target error) bool { return target == e.kind }

func sentinelErrorf(kind error, format string, args ...any) error {
	return &InputError{&sentinelError{kind, fmt.Sprintf(format, args...)}}
}

// ExistsError is the error for a new run with the name of another one.
type ExistsError struct{ Name string }

func (e *ExistsError) Error() string { return fmt.Sprintf("there is a run %s already", e.Name) }

// NotFoundError is the error for a name that no run has.
type NotFoundError struct {
	Name, Folder string
	Others       []string // the runs that there are
}

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("no run is called %s in %s", e.Name, e.Folder)
}

func optionErrorf(option string, value any, format string, args ...any) error {
	return &InputError{&learn.OptionError{Option: option, Value: value, Reason: fmt.Sprintf(format, args...)}}
}

// SpaceError is the error for too little memory, or disk where Folder is set. Sizes are in bytes.
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
