package eval

// Symmetric is an evaluator that knows whether it gives all images of a board, under the
// rotations and reflections that keep its size, the same value but for rounding.
type Symmetric interface{ Symmetric() bool }

// IsSymmetric reports whether an evaluator is known to be symmetric.
func IsSymmetric(e Evaluator) bool {
	s, ok := e.(Symmetric)
	return ok && s.Symmetric()
}

// Symmetric: rows, columns and both of their directions count alike.
func (*Lines) Symmetric() bool { return true }

// Symmetric: terms compare tiles with each other, not with places on the board.
func (term) Symmetric() bool { return true }

// Symmetric: all sides of the border count alike.
func (*edges) Symmetric() bool { return true }

// Symmetric: all corners count alike.
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
