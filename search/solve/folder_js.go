package solve

import (
	"context"
	"errors"
)

// Folder is the path of a folder of tables. A browser has no folders: its methods fail or find nothing.
type Folder string

var errNoFolder = errors.New("tables of solved boards cannot be stored in a browser")

// DefaultFolder fails.
func DefaultFolder() (Folder, error) { return "", errNoFolder }

// Path returns "".
func (f Folder) Path(Problem) string { return "" }

// Has returns false.
func (f Folder) Has(Problem) bool { return false }

// Solve fails.
func (f Folder) Solve(context.Context, Problem, Options) (*Table, error) { return nil, errNoFolder }

func (f Folder) open(p Problem) (opened, error) { return opened{}, &MissingError{p} }

func (f Folder) endings(bool) []Problem { return nil }

func (f Folder) checkSpace(*Problem) error { return errNoFolder }
