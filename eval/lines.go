package eval

import "afterstate/board"

// Linewise is an evaluator whose value comes from the rows and columns alone: a
// sum of what each line is worth by itself, or the largest of several such sums.
// A search on few cells can look such sums up in tables instead of asking.
type Linewise interface {
	Evaluator
	// LineSums are the sums for boards of a size, at least one. None says that the
	// value is not such a sum after all.
	LineSums(s board.Size) []LineSum
}

// LineSum is one sum over the lines of a board. Row(i, cells) is what row i adds,
// with its exponents from the left, Column(i, cells) column i from the top; nil
// says that no row or no column adds anything.
type LineSum struct {
	Row, Column func(i int, cells []uint8) float64
	// Even says that on square boards all eight symmetries count alike and that
	// values are whole numbers of less than 2^26: Row(i, cells) is the same as
	// Row(n-1-i, cells), Column(i, cells), and Row(i, reversed cells).
	Even bool
}
