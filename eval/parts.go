package eval

// Part is one named summand of an evaluator's value.
type Part struct {
	Name  string
	Value float64 // weighted; the parts sum to the evaluator's value
}

// divided is an evaluator whose value may be a sum of named parts; nil: it is not.
type divided interface {
	parts(p *Position) []Part
}

// Parts returns the summands of an evaluator's value for p, in the order of summation. An evaluator
// without parts is one part with the given name.
func Parts(name string, e Evaluator, p *Position) []Part {
	if d, ok := e.(divided); ok {
		if parts := d.parts(p); parts != nil {
			return parts
		}
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

func (e *weighted) parts(p *Position) []Part {
	if e.perEmpty == 0 {
		return nil
	}
	return []Part{{"snake", e.mix(e.sum(&p.Board), 0)}, {"empty", e.mix(0, p.Board.Empty())}}
}
