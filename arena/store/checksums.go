package store

import (
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"modernc.org/sqlite"
)

// Every row carries a checksum (CRC-32C) of its columns. It finds damage and changes
// made by other programs; it does not protect against deliberate changes, since anyone can
// recompute it.
//
// The sums are part of the schema: a change needs another schema version.

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// SQL statements compute the same sums by these functions.
func init() {
	sqlite.MustRegisterDeterministicScalarFunction("row_sum", -1, func(_ *sqlite.FunctionContext, values []driver.Value) (driver.Value, error) {
		text, err := appendValues(nil, values)
		return int64(crc32.Checksum(text, castagnoli)), err
	})
	// Of id, score, tile, moves, elapsed_us, reason, detail, trace.
	sqlite.MustRegisterDeterministicScalarFunction("game_sum", 8, func(_ *sqlite.FunctionContext, values []driver.Value) (driver.Value, error) {
		return gameSum(values)
	})
}

// gameSum is the sum of a game's outcome in its upper half, which can be checked without the trace,
// and that of the trace in its lower half.
func gameSum(values []driver.Value) (int64, error) {
	figures, err := appendValues(nil, values[:7])
	if err != nil {
		return 0, err
	}
	trace, err := appendValues(appendInt(nil, asInt(values[0])), values[7:])
	return joinSums(crc32.Checksum(figures, castagnoli), crc32.Checksum(trace, castagnoli)), err
}

func joinSums(figures, trace uint32) int64 { return int64(uint64(figures)<<32 | uint64(trace)) }

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

func appendInt(to []byte, x int64) []byte {
	return binary.LittleEndian.AppendUint64(append(to, kindInt), uint64(x))
}

func appendValues(to []byte, values []driver.Value) ([]byte, error) {
	for _, v := range values {
		switch v := v.(type) {
		case int64:
			to = appendInt(to, v)
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
