// Package usage is about what a user types: [Error] marks bad input, which ends the program with
// status 2, and [Args] checks how many arguments a command gets.
package usage

import "fmt"

// Error marks bad input: the user's to mend.
type Error struct{ error }

func (e Error) Unwrap() error { return e.error }

// Wrap marks an error as bad input; nil stays nil.
func Wrap(err error) error {
	if err == nil {
		return nil
	}
	return Error{err}
}

// Errorf is bad input, in words.
func Errorf(format string, args ...any) error { return Error{fmt.Errorf(format, args...)} }
