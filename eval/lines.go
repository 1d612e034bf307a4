package eval

import "github.com/afterstate2048/afterstate/rules/board"

// Linewise is an evaluator whose value depends on rows and columns separately: a sum of a value for
// each line, or the largest of several such sums. A search for small boards can look such values up
// in tables.
type Linewise interface {
	Evaluator
	// LineSums returns the sums for boards of a size. An empty result means that the value has no
	// such form.
	LineSums(s board.Size) []LineSum
}

// LineSum is one sum over the lines of a board. Row(i, cells) is the value of row i, given its
// exponents from the left, Column(i, cells) that of column i from the top; nil: rows or columns add
// nothing.
type LineSum struct {
	Row, Column func(i int, cells []uint8) float64
	// Even, if not nil, declares that on square boards all eight symmetries have equal values, and that
	// values are integers below 2^26 in absolute value: Row(i, cells) equals Row(n-1-i, cells), Column(i,
	// cells), and Row(i, reversed cells). It returns the values of a line at the border and of one inside.
	Even func(cells []uint8) (outer, inner float64)
}
