package board

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
)

// MaxLine is the maximal length of a line in Scan, in bytes, far more than a board needs.
const MaxLine = 1 << 16

// Scan reads boards, one per line, in any notation that Parse reads; empty lines are skipped. An
// error names the line and ends the sequence.
func Scan(r io.Reader) iter.Seq2[Board, error] {
	return func(yield func(Board, error) bool) {
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, MaxLine)
		n := 0
		for lines.Scan() {
			n++
			text := lines.Text() // tabs at its ends are empty cells
			if strings.TrimSpace(text) == "" {
				continue
			}
			b, err := Parse(text)
			if err != nil {
				yield(b, fmt.Errorf("line %d: %w", n, err))
				return
			}
			if !yield(b, nil) {
				return
			}
		}
		switch err := lines.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			yield(Board{}, fmt.Errorf("line %d has more than %d bytes: want a board", n+1, MaxLine))
		case err != nil:
			yield(Board{}, fmt.Errorf("line %d: %w", n+1, err))
		}
	}
}
