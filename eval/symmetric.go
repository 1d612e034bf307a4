package eval

// Symmetric is implemented by evaluators that can report whether they give all images of a board
// under the rotations and reflections that keep its size the same value, except for rounding.
type Symmetric interface{ Symmetric() bool }

// IsSymmetric reports whether an evaluator is known to be symmetric.
func IsSymmetric(e Evaluator) bool {
	s, ok := e.(Symmetric)
	return ok && s.Symmetric()
}

// Symmetric returns true: rows, columns and both of their directions have equal terms.
func (*Lines) Symmetric() bool { return true }

// Symmetric returns true: terms do not depend on the location of tiles.
func (term) Symmetric() bool { return true }

// Symmetric is true for edges: all sides of the border have equal weights.
func (e *weighted) Symmetric() bool { return e.symmetric }

// Symmetric returns true: the best corner counts.
func (*gradient) Symmetric() bool { return true }

// Symmetric reports whether all terms are symmetric.
func (s *Sum) Symmetric() bool {
	for _, t := range s.Terms {
		if !IsSymmetric(t.Eval) {
			return false
		}
	}
	return true
}
