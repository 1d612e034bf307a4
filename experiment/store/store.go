package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"modernc.org/sqlite"
	_ "modernc.org/sqlite" // the driver
	codes "modernc.org/sqlite/lib"

	"github.com/afterstate2048/afterstate/experiment/arena"
)

// LockTimeout is how long a writer waits for another one.
const LockTimeout = 10 * time.Second

// Store is an open store. It is safe for concurrent use.
type Store struct {
	// LeftOut, unless nil, makes the store leave out damaged and missing games of what it reads. It is called with
	// their number after a player's games were read; those of several players are read concurrently.
	LeftOut func(p *arena.Player, games int)

	path string
	db   *sql.DB

	unwritable error // why the store can only be read

	mu     sync.Mutex // of what follows: one goroutine writes at a time
	writer *sql.Conn  // nil: the store can only be read
	insert *statement // into games
}

// Open opens a store, and creates it if there is no file.
func Open(path string) (*Store, error) { return open(path, "FULL") }

// OpenExisting opens a store. If there is no file the error is an fs.ErrNotExist. A store that
// cannot be written is opened for reading.
func OpenExisting(path string) (*Store, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	s, err := Open(path)
	if errors.Is(err, errNotWritable) || errors.Is(err, errNoIndex) {
		return openReadOnly(path, err)
	}
	return s, err
}

// atFirst configures a new database, in this order. Large pages hold whole games, so that little
// space between them is lost.
const atFirst = "PRAGMA page_size = 32768; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL"

func open(path, synchronous string) (*Store, error) {
	if err := prepare(path); err != nil {
		return nil, named(path, err)
	}
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
		s.insert, err = prepareStatement(ctx, s.writer, insertGame)
	}
	if err != nil {
		return nil, named(path, errors.Join(err, db.Close()))
	}
	return s, nil
}

// connect opens a database with pragmas for each connection and further options of its URI.
func connect(path, options string, pragmas ...string) (*sql.DB, error) {
	query := fmt.Sprintf("?_pragma=busy_timeout(%d)%s", LockTimeout.Milliseconds(), options)
	for _, p := range pragmas {
		query += "&_pragma=" + p
	}
	return sql.Open("sqlite", location(path)+query)
}

// prepare creates an empty database if there is no file, and refuses files that are not a store
// before anything is written to them.
func prepare(path string) error {
	info, err := os.Stat(path)
	there := err == nil
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return &storeError{ErrNoStore, path + " is not a file: must be a store of experiments, or a new file", nil}
	case info.Size() == 1: // SQLite takes it for empty
		return &storeError{ErrNoStore, path + " is not a store of experiments: must be a file made by afterstate arena run, or a new one", nil}
	}
	db, err := connect(path, "")
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	empty := true
	if there {
		empty, err = inspect(path, db)
	}
	if err == nil && empty {
		_, err = db.Exec(atFirst)
	}
	return errors.Join(err, db.Close())
}

// inspect reports whether a database is empty. One of another program is an error.
func inspect(path string, db *sql.DB) (empty bool, err error) {
	var id, tables int64
	if err := db.QueryRow("SELECT application_id, (SELECT count(*) FROM sqlite_schema) FROM pragma_application_id").Scan(&id, &tables); err != nil {
		return false, err
	}
	if id == 0 && tables > 0 || id != 0 && id != applicationID {
		return false, &storeError{ErrNoStore, path + " is a database of another program: must be a store of experiments, or a new file", nil}
	}
	return tables == 0, nil
}

// location is a path as SQLite's URIs need it.
func location(path string) string {
	path = filepath.ToSlash(path)
	if filepath.VolumeName(path) != "" && !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return "file:" + (&url.URL{Path: path}).EscapedPath()
}

// Path is the path of the store.
func (s *Store) Path() string { return s.path }

// Close closes the store. All stored games are durable already.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.writer == nil {
		return s.named(s.db.Close())
	}
	return s.named(errors.Join(s.insert.prepared.Close(), s.writer.Close(), s.db.Close()))
}

// write runs do in one transaction, which is not interrupted once it has begun: watching a context
// costs more than most statements.
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

// snapshot runs read on a consistent snapshot.
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
	// Nothing was written; a connection in a transaction must not go back to the pool.
	if _, ended := conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK"); err == nil {
		err = ended
	}
	return s.named(err)
}

// openReadOnly opens a store whose file or folder cannot be written, because of why.
func openReadOnly(path string, why error) (*Store, error) {
	db, err := connect(path, "&mode=ro", "foreign_keys(ON)")
	if err != nil {
		return nil, named(path, err)
	}
	err = readable(path, db)
	if errors.Is(err, errNotWritable) || errors.Is(err, errNoIndex) {
		// SQLite needs auxiliary files to share a database with writers. If they neither
		// exist nor can be created, there is no writer.
		_ = db.Close() // nothing was written
		if wal, err := os.Stat(path + "-wal"); err == nil && wal.Size() > 0 {
			return nil, &storeError{errNotWritable, fmt.Sprintf("%s cannot be read here: its last games are in %s-wal, and the folder cannot be written. Copy both files to a folder where you may write", path, path), nil}
		}
		if db, err = connect(path, "&mode=ro&immutable=1", "foreign_keys(ON)"); err != nil {
			return nil, named(path, err)
		}
		err = readable(path, db)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &Store{path: path, db: db, unwritable: why}, nil
}

// readable returns why a store cannot be read without being written.
func readable(path string, db *sql.DB) error {
	if _, err := inspect(path, db); err != nil {
		return named(path, err)
	}
	conn, err := db.Conn(context.Background())
	if err != nil {
		return named(path, err)
	}
	defer conn.Close()
	_, err = versionOf(context.Background(), conn, path)
	return named(path, err)
}

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
		return fail(ErrNoStore, "is not a store of experiments: must be a file made by afterstate arena run, or a new one")
	case codes.SQLITE_READONLY, codes.SQLITE_PERM:
		return notWritable(path, err)
	case codes.SQLITE_CANTOPEN:
		return fail(errNotWritable, "cannot be opened: must be an existing folder with write permission ("+s.Error()+")")
	case codes.SQLITE_IOERR:
		switch s.Code() {
		case codes.SQLITE_IOERR_SHMSIZE, codes.SQLITE_IOERR_SHMOPEN, codes.SQLITE_IOERR_SHMMAP:
			return fail(errNoIndex, "cannot be opened for writing: the disk is full. Free one megabyte on it")
		}
		return fail(errDisk, "cannot be read or written: "+s.Error()+". Finished games are stored")
	}
	return fmt.Errorf("%s: %w", path, err)
}
