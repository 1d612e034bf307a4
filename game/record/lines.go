package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
)

// MaxLine bounds the length of a line that Read takes: about 50 million moves.
const MaxLine = 16 << 20

// Write writes a record and a newline in one call of w.Write.
func Write(w io.Writer, r Record) error {
	line, err := r.AppendJSON(nil)
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}

// Read reads a file of records, one a line. It yields one pair for every line,
// so that callers can count lines too; a line that is no record, an empty one
// included, comes as an error that names its number, and reading goes on behind
// it. A line over MaxLine and a failure of r end it.
func Read(r io.Reader) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, MaxLine)
		number := 1
		for ; lines.Scan(); number++ {
			rec, err := Parse(lines.Bytes())
			if err != nil {
				rec, err = Record{}, fmt.Errorf("line %d: %w", number, err)
			}
			if !yield(rec, err) {
				return
			}
		}
		switch err := lines.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			yield(Record{}, fmt.Errorf("line %d: want at most %d bytes", number, MaxLine))
		case err != nil:
			yield(Record{}, fmt.Errorf("line %d: %w", number, err))
		}
	}
}
