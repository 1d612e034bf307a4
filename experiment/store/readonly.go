package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
)

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
