package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	_ "embed"
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"modernc.org/sqlite"
)

// applicationID marks a database file as a store: "Aft1".
const applicationID = 0x41667431

// schemaVersion is the version of schema. A store of another version is refused.
const schemaVersion = 2

// schema creates the tables of a store. Every row has a checksum of its other columns. IDs are never
// used again (AUTOINCREMENT).
//
//go:embed schema.sql
var schema string

// create creates the tables of an empty database. A store of another version is an error.
func create(ctx context.Context, conn *sql.Conn, path string) error {
	if version, err := versionOf(ctx, conn, path); err != nil || version != 0 {
		return err
	}
	return transact(ctx, conn, func() error {
		// Another process may have been faster.
		if version, err := versionOf(ctx, conn, path); err != nil || version != 0 {
			return err
		}
		_, err := conn.ExecContext(ctx, schema+fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, schemaVersion))
		return err
	})
}

// versionOf returns the version of a database's schema: 0 for an empty one. Other versions than
// schemaVersion are an error.
func versionOf(ctx context.Context, conn *sql.Conn, path string) (version int, err error) {
	if err := conn.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return 0, err
	}
	if version != 0 && version != schemaVersion {
		return 0, &storeError{ErrVersion, fmt.Sprintf("%s was made by another version of Afterstate (schema %d, this one reads %d): use that version", path, version, schemaVersion), nil}
	}
	return version, nil
}

// transact runs do in a transaction.
func transact(ctx context.Context, conn *sql.Conn, do func() error) error {
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	err := do()
	if err == nil {
		_, err = conn.ExecContext(ctx, "COMMIT")
	}
	if err != nil {
		// The error that matters is the first one; after some of them there is nothing
		// to roll back any more.
		_, _ = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	}
	return err
}

// Every row carries a checksum (CRC-32C) of its columns. It finds damage and changes
// made by other programs; it does not protect against deliberate changes, since anyone can
// recompute it.
//
// The sums are part of the schema: a change needs another schema version.

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// SQL statements compute the same sums by these functions.
func init() {
	sqlite.MustRegisterDeterministicScalarFunction("row_sum", -1, func(_ *sqlite.FunctionContext, values []driver.Value) (driver.Value, error) {
		sum, err := rowSum(values...)
		return int64(sum), err
	})
	// Of id, score, tile, moves, elapsed_us, reason, detail, trace.
	sqlite.MustRegisterDeterministicScalarFunction("game_sum", 8, func(_ *sqlite.FunctionContext, values []driver.Value) (driver.Value, error) {
		return gameSum(values[:7], values[7])
	})
}

// gameSum is the sum of a game's outcome in its upper half, which can be checked without the trace,
// and that of the trace in its lower half.
func gameSum(outcome []driver.Value, trace driver.Value) (int64, error) {
	upper, err := rowSum(outcome...)
	if err != nil {
		return 0, err
	}
	lower, err := rowSum(outcome[0], trace)
	return int64(uint64(upper)<<32 | uint64(lower)), err
}

// intact reports whether a game that was read is as it was stored: its outcome, its sum, and its trace unless only the
// outcome was read.
func intact(v []driver.Value) bool {
	upper, err := rowSum(v[:7]...)
	kept := uint64(asInt(v[7]))
	if err == nil && len(v) > 8 {
		var lower uint32
		lower, err = rowSum(v[0], v[8])
		kept ^= uint64(lower)
		return err == nil && kept == uint64(upper)<<32
	}
	return err == nil && uint32(kept>>32) == upper
}

// rowSum is the sum of values.
func rowSum(values ...driver.Value) (uint32, error) {
	var space [256]byte
	text, err := appendValues(space[:0], values)
	return crc32.Checksum(text, castagnoli), err
}

func asInt(v driver.Value) int64 {
	x, _ := v.(int64)
	return x
}

// The kinds of values.
const (
	kindInt byte = iota + 1
	kindFloat
	kindText
	kindBlob
	kindNull
)

func appendValues(to []byte, values []driver.Value) ([]byte, error) {
	for _, v := range values {
		switch v := v.(type) {
		case int64:
			to = binary.LittleEndian.AppendUint64(append(to, kindInt), uint64(v))
		case string:
			to = appendBytes(to, kindText, v)
		case []byte:
			to = appendBytes(to, kindBlob, v)
		case float64: // only where a file is damaged
			to = append(to, kindFloat)
		case nil:
			to = append(to, kindNull)
		default:
			return nil, fmt.Errorf("a checksum of a %T", v)
		}
	}
	return to, nil
}

func appendBytes[T string | []byte](to []byte, kind byte, v T) []byte {
	to = binary.LittleEndian.AppendUint64(append(to, kind), uint64(len(v)))
	return append(to, v...)
}
