package store

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"github.com/afterstate2048/afterstate/experiment/arena"
)

// LockTimeout is how long a writer waits for another writer.
const LockTimeout = 10 * time.Second

// Store is an open store of experiments. It is safe for concurrent use.
type Store struct {
	path string
	db   *sql.DB

	unwritable error // why the store is read-only; nil if it is writable

	mu     sync.Mutex // guards the fields below: one goroutine writes at a time
	writer *sql.Conn  // nil if the store is read-only
	insert *sql.Stmt  // inserts into games
}

// Open opens the store in a file, and creates the file if it does not exist.
func Open(path string) (*Store, error) { return open(path, "FULL") }

// OpenExisting opens the store in an existing file. If there is no file, the error is fs.ErrNotExist. A store
// that is not writable is opened read-only.
func OpenExisting(path string) (*Store, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	s, err := Open(path)
	if errors.Is(err, errNotWritable) {
		return openReadOnly(path, err)
	}
	return s, err
}

// newDatabase configures a new database. The order of the statements matters. Large pages hold many games each, so
// little space at the ends of pages is unused.
const newDatabase = "PRAGMA page_size = 32768; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL"

func open(path, synchronous string) (*Store, error) {
	db, err := connect(path, "", "synchronous("+synchronous+")", "foreign_keys(ON)", "wal_autocheckpoint(128)")
	if err != nil {
		return nil, named(path, err)
	}
	s := &Store{path: path, db: db}
	ctx := context.Background()
	if s.writer, err = db.Conn(ctx); err == nil {
		err = create(ctx, s.writer, path)
	}
	if err == nil {
		s.insert, err = s.writer.PrepareContext(ctx, insertGame)
	}
	if err != nil {
		if s.writer != nil {
			_ = s.writer.Close() // deletes auxiliary files; an error is harmless, since nothing was written
		}
		return nil, named(path, errors.Join(err, db.Close()))
	}
	return s, nil
}

// connect opens a database. pragmas are executed on each connection; options are further options for the
// database's URI.
func connect(path, options string, pragmas ...string) (*sql.DB, error) {
	query := fmt.Sprintf("?_pragma=busy_timeout(%d)%s", LockTimeout.Milliseconds(), options)
	for _, p := range pragmas {
		query += "&_pragma=" + p
	}
	return sql.Open("sqlite", location(path)+query)
}

// applicationID marks a database file as a store: "Aft1".
const applicationID = 0x41667431

// schemaVersion is the version of the schema. A store with another version is refused.
const schemaVersion = 3

// schema creates the tables of a store. IDs are never reused (AUTOINCREMENT).
//
//go:embed schema.sql
var schema string

// create creates the tables of an empty database.
func create(ctx context.Context, conn *sql.Conn, path string) error {
	if empty, err := inspect(ctx, conn, path); err != nil || !empty {
		return err
	}
	if _, err := conn.ExecContext(ctx, newDatabase); err != nil {
		return err
	}
	return transact(ctx, conn, func() error {
		// Another process may have created the tables meanwhile.
		if empty, err := inspect(ctx, conn, path); err != nil || !empty {
			return err
		}
		_, err := conn.ExecContext(ctx, schema+fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, schemaVersion))
		return err
	})
}

// inspect reports whether a database is empty. It fails if the database belongs to another program or has
// another schema version.
func inspect(ctx context.Context, conn *sql.Conn, path string) (empty bool, err error) {
	var id, version, tables int64
	err = conn.QueryRowContext(ctx, "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema) FROM pragma_application_id, pragma_user_version").Scan(&id, &version, &tables)
	switch {
	case err != nil:
		return false, err
	case id == 0 && tables == 0:
		return true, nil
	case id != applicationID:
		return false, &storeError{ErrNoStore, path + " is a database of another program: must be a store of experiments, or a new file", nil}
	case version != schemaVersion:
		return false, &storeError{ErrVersion, fmt.Sprintf("%s was made by another version of Afterstate (schema %d, this one reads %d): use that version", path, version, schemaVersion), nil}
	}
	return false, nil
}

// transact calls the function do within a transaction.
func transact(ctx context.Context, conn *sql.Conn, do func() error) error {
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	err := do()
	if err == nil {
		_, err = conn.ExecContext(ctx, "COMMIT")
	}
	if err != nil {
		// Only the first error matters: after some errors SQLite has rolled back already, and
		// ROLLBACK fails.
		_, _ = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	}
	return err
}

// location converts a path to a SQLite URI.
func location(path string) string {
	path = filepath.ToSlash(path)
	if filepath.VolumeName(path) != "" && !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return "file:" + (&url.URL{Path: path}).EscapedPath()
}

// Path returns the path of the store's file.
func (s *Store) Path() string { return s.path }

// Close closes the store. All stored games are durable already.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.writer == nil {
		return s.named(s.db.Close())
	}
	return s.named(errors.Join(s.insert.Close(), s.writer.Close(), s.db.Close()))
}

// write runs do in one transaction. The end of ctx does not interrupt a transaction that has begun:
// watching a context costs more than most statements.
func (s *Store) write(ctx context.Context, do func(ctx context.Context, conn *sql.Conn) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.writer == nil {
		return s.unwritable
	}
	ctx = context.WithoutCancel(ctx)
	return s.named(transact(ctx, s.writer, func() error { return do(ctx, s.writer) }))
}

// snapshot runs read on a consistent snapshot of the store.
func (s *Store) snapshot(ctx context.Context, read func(conn *sql.Conn) error) error {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return s.named(err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		return s.named(err)
	}
	err = read(conn)
	// End the transaction before the connection goes back to the pool. ROLLBACK undoes nothing,
	// because read does not write.
	if _, ended := conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK"); err == nil {
		err = ended
	}
	return s.named(err)
}

// openReadOnly opens a store whose file or folder cannot be written; why is the error from the attempt to
// open it for writing. SQLite needs auxiliary files to share a database with writers. If they neither exist
// nor can be created, there is no writer, and the database is opened as immutable.
func openReadOnly(path string, why error) (s *Store, err error) {
	for _, options := range []string{"&mode=ro", "&mode=ro&immutable=1"} {
		db, failed := connect(path, options)
		if failed != nil {
			return nil, named(path, failed)
		}
		s = &Store{path: path, db: db, unwritable: why}
		if err = s.snapshot(context.Background(), func(conn *sql.Conn) error {
			_, err := inspect(context.Background(), conn, path)
			return err
		}); err == nil {
			return s, nil
		}
		_ = db.Close() // nothing was written
		if wal, missing := os.Stat(path + "-wal"); missing == nil && wal.Size() > 0 {
			return nil, &storeError{errNotWritable, fmt.Sprintf("%s cannot be read here: its last games are in %s-wal, and the folder is read-only. Copy both files to a writable folder", path, path), nil}
		}
	}
	return nil, err
}

// Errors to be tested with errors.Is. The texts of the returned errors give details.
var (
	ErrNoStore = errors.New("no store of experiments")                 // the file is not a store
	ErrVersion = errors.New("made by another version")                 // written by another version of Afterstate
	ErrFull    = errors.New("the disk is full")                        // or the file has reached a size limit
	ErrLocked  = errors.New("another program is writing to the store") // after waiting for LockTimeout

	ErrDamaged = errors.New("the store is damaged")

	errNotWritable = errors.New("the store cannot be written")
)

func removed(e *arena.Plan) error {
	return &storeError{arena.ErrRemoved, fmt.Sprintf("experiment %s was removed", e.Name), nil}
}

// storeError is an error whose text names the store's path and says what the user can do.
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
	var typed *storeError
	if err == nil || errors.As(err, &typed) {
		return err
	}
	fail := func(kind error, text string) error { return &storeError{kind, path + " " + text, err} }
	var s *sqlite.Error
	if !errors.As(err, &s) {
		return fmt.Errorf("%s: %w", path, err)
	}
	switch s.Code() & 0xff { // the low byte is the primary result code of SQLite
	case codes.SQLITE_FULL:
		return fail(ErrFull, "cannot grow: the disk is full. Finished games are stored; free space and resume")
	case codes.SQLITE_BUSY, codes.SQLITE_LOCKED:
		return fail(ErrLocked, fmt.Sprintf("is locked: another program has been writing to it for %v. Try again when that program has ended", LockTimeout))
	case codes.SQLITE_CORRUPT:
		return fail(ErrDamaged, "is damaged: keep it, and use an earlier copy; sqlite3's .recover may save a part")
	case codes.SQLITE_ERROR:
		return fail(ErrDamaged, "is damaged: a table or column is missing ("+s.Error()+")")
	case codes.SQLITE_NOTADB:
		return fail(ErrNoStore, "is not a store of experiments: must be a file made by afterstate arena run, or a new one")
	case codes.SQLITE_READONLY, codes.SQLITE_PERM:
		return fail(errNotWritable, "cannot be written: the file, its folder or its disk is read-only")
	case codes.SQLITE_CANTOPEN:
		return fail(errNotWritable, "cannot be opened: must be an existing folder with write permission ("+s.Error()+")")
	case codes.SQLITE_IOERR:
		switch s.Code() {
		case codes.SQLITE_IOERR_SHMSIZE, codes.SQLITE_IOERR_SHMOPEN, codes.SQLITE_IOERR_SHMMAP:
			return fail(errNotWritable, "cannot be opened for writing: the disk is full. Free one megabyte on it")
		}
		// SQLite also reports an I/O error if the file has reached a size limit.
		return fail(ErrFull, "cannot be read or written: "+s.Error()+". Finished games are stored")
	}
	return fmt.Errorf("%s: %w", path, err)
}
