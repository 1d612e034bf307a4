// Package usage reports bad input: [Error] marks an error that ends the program with status 2, and
// [Args] checks the number of a command's arguments.
package usage

import "fmt"

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
