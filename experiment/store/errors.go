package store

import (
	"errors"
	"fmt"
	"github.com/afterstate2048/afterstate/experiment/arena"

	"modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"
)

// Sentinels for errors.Is; the errors themselves say more.
var (
	ErrNoStore = errors.New("no store of experiments")   // the file is something else
	ErrVersion = errors.New("made by another version")   // of the program
	ErrFull    = errors.New("the disk is full")          // or a limit was reached
	ErrLocked  = errors.New("another program writes it") // for longer than LockTimeout

	errNotWritable = errors.New("the store cannot be written")
	errNoIndex     = errors.New("not enough space for SQLite's files beside the store")
	errDisk        = errors.New("the disk fails, or a limit on files was reached")
)

func removed(e *arena.Plan) error {
	return &storeError{arena.ErrRemoved, fmt.Sprintf("experiment %s was removed", e.Name), nil}
}

func notWritable(path string, cause error) error {
	return &storeError{errNotWritable, path + " cannot be written: the file, its folder or its disk is read-only", cause}
}

// storeError is an error with the store's path and what the user can do.
type storeError struct {
	kind  error
	text  string
	cause error
}

func (e *storeError) Error() string        { return e.text }
func (e *storeError) Is(target error) bool { return target == e.kind }
func (e *storeError) Unwrap() error        { return e.cause }

// named adds the store's path to an error, and explains SQLite's errors.
func (s *Store) named(err error) error { return named(s.path, err) }

func named(path string, err error) error {
	var told *storeError
	if err == nil || errors.As(err, &told) {
		return err
	}
	fail := func(kind error, text string) error { return &storeError{kind, path + " " + text, err} }
	var s *sqlite.Error
	if !errors.As(err, &s) {
		return fmt.Errorf("%s: %w", path, err)
	}
	switch s.Code() & 0xff { // the rest of the code says where
	case codes.SQLITE_FULL:
		return fail(ErrFull, "cannot grow: the disk is full. Finished games are stored; free space and resume")
	case codes.SQLITE_BUSY, codes.SQLITE_LOCKED:
		return fail(ErrLocked, fmt.Sprintf("is locked: another program has been writing to it for %v. Try again when it has ended", LockTimeout))
	case codes.SQLITE_CORRUPT:
		return fail(arena.ErrDamaged, "is damaged: keep a copy of it, and take a copy from before; sqlite3's .recover may save a part")
	case codes.SQLITE_ERROR: // a table or column is not there
		return fail(arena.ErrDamaged, "is damaged: it does not hold what a store does ("+s.Error()+")")
	case codes.SQLITE_NOTADB:
		return fail(ErrNoStore, "is not a store of experiments: want a file made by afterstate arena run, or a new one")
	case codes.SQLITE_READONLY, codes.SQLITE_PERM:
		return notWritable(path, err)
	case codes.SQLITE_CANTOPEN:
		return fail(errNotWritable, "cannot be opened: want an existing folder with write permission ("+s.Error()+")")
	case codes.SQLITE_IOERR:
		switch s.Code() {
		case codes.SQLITE_IOERR_SHMSIZE, codes.SQLITE_IOERR_SHMOPEN, codes.SQLITE_IOERR_SHMMAP:
			return fail(errNoIndex, "cannot be opened for writing: the disk is full. Free one megabyte on it")
		}
		return fail(errDisk, "cannot be read or written: "+s.Error()+". Finished games are stored")
	}
	return fmt.Errorf("%s: %w", path, err)
}
