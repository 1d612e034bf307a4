package eval

// Part is one named summand of an evaluator's value.
type Part struct {
	Name  string
	Value float64 // weighted; the parts sum to the evaluator's value
}

// divided is an evaluator whose value is a sum of named parts.
type divided interface {
	parts(p *Position) []Part
}

// Parts returns the summands of an evaluator's value for p, in the order of summation. An evaluator
// without parts is one part with the given name.
func Parts(name string, e Evaluator, p *Position) []Part {
	if d, ok := e.(divided); ok {
		return d.parts(p)
	}
	return []Part{{name, e.Value(p)}}
}

func (s *Sum) parts(p *Position) []Part {
	parts := make([]Part, len(s.Terms))
	for i, t := range s.Terms {
		parts[i] = Part{t.Name, float64(t.Weight * t.Eval.Value(p))}
	}
	return parts
}

func (e *snakeEmpty) parts(p *Position) []Part {
	return []Part{
		{"snake", e.mix(e.sum(&p.Board), 0)},
		{"empty", e.mix(0, p.Board.Empty())},
	}
}

func (e *weightedSnake) parts(p *Position) []Part {
	return []Part{
		{"snake", e.sum(&p.Board)},
		{"empty", float64(emptyBonus * p.Board.Empty())},
	}
}
