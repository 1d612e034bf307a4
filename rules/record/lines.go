package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
)

// MaxLine is the maximal length of a line in Read, in bytes: about 50 million moves.
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

// Read reads a file of records, one per line. It yields one pair per line, so that callers can
// count lines; an invalid line, an empty one included, yields an error that names the line, and
// reading continues. A line longer than MaxLine and an error of r end the sequence.
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
