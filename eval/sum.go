package eval

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/internal/each"
)

// Term is one weighted evaluator of a sum.
type Term struct {
	Name   string
	Weight float64
	Eval   Evaluator
}

// Sum is a weighted sum of evaluators. It is not safe for concurrent use.
type Sum struct{ Terms []Term }

// MaxWeight is the largest absolute value of a weight. It keeps sums finite on every board.
const MaxWeight = 1e100

// NewSum returns the weighted sum of the named evaluators in the given order; weights[i] is the weight
// of names[i]. Unknown and repeated names, weights beyond MaxWeight and an empty list are errors.
func NewSum(names []string, weights []float64) (*Sum, error) {
	sum := &Sum{}
	for i, name := range names {
		e, err := New(name)
		if err != nil {
			return nil, fmt.Errorf("%w: must be %s", err, strings.Join(Names(), ", "))
		}
		if w := weights[i]; !(math.Abs(w) <= MaxWeight) {
			return nil, fmt.Errorf("weight of %s is %v: must be a number from %g to %g", name, w, -MaxWeight, MaxWeight)
		}
		if slices.ContainsFunc(sum.Terms, func(t Term) bool { return t.Name == name }) {
			return nil, fmt.Errorf("sum names %s twice", name)
		}
		sum.Terms = append(sum.Terms, Term{name, weights[i], e})
	}
	if len(sum.Terms) == 0 {
		return nil, fmt.Errorf("sum has no terms: must be evaluators with weights, such as sum(empty=2,smoothness=1)")
	}
	return sum, nil
}

// maxWeights is the maximum size of a file of weights, in bytes. Real files are much smaller: there
// are fewer than 20 evaluators.
const maxWeights = 64 << 10

// ParseWeights reads the weights of a sum from a JSON object with evaluator names and numbers, such
// as {"empty": 2, "smoothness": 1}. Terms are summed in the order of their names. If a name occurs
// more than once, its last number is used.
func ParseWeights(data []byte) (*Sum, error) {
	const want = `must be a JSON object of numbers such as {"empty": 2, "smoothness": 1}`
	if len(data) > maxWeights {
		return nil, fmt.Errorf("weights of %d bytes: must be at most %d", len(data), maxWeights)
	}
	var weights map[string]any
	if err := json.Unmarshal(data, &weights); err != nil {
		return nil, fmt.Errorf("weights: %w: %s", err, want)
	}
	names := slices.Sorted(maps.Keys(weights))
	values := make([]float64, len(names))
	for i, name := range names {
		var ok bool
		if values[i], ok = weights[name].(float64); !ok {
			return nil, fmt.Errorf("weight of %q is not a number: %s", name, want)
		}
	}
	return NewSum(names, values)
}

// Unit returns Heuristic.
func (*Sum) Unit() Unit { return Heuristic }

// Value returns the weighted sum of the evaluators' values.
func (s *Sum) Value(p *Position) float64 {
	total := 0.0
	for i := range s.Terms {
		t := &s.Terms[i]
		total += float64(t.Weight * t.Eval.Value(p))
	}
	return total
}

// Bounds returns the weighted sum of the terms' bounds. The bounds are infinite if a term is not a
// Bounder.
func (s *Sum) Bounds(p *Position, spawns int) (low, high float64) {
	for _, t := range s.Terms {
		if t.Weight == 0 {
			continue
		}
		bounder, ok := t.Eval.(Bounder)
		if !ok {
			return math.Inf(-1), math.Inf(1)
		}
		l, h := bounder.Bounds(p, spawns)
		if t.Weight < 0 {
			l, h = h, l
		}
		low += float64(t.Weight * l)
		high += float64(t.Weight * h)
	}
	return low, high
}

// Part is one named summand of an evaluator's value.
type Part struct {
	Name  string
	Value float64 // weighted; the parts sum to the evaluator's value
}

// splitter is an evaluator that may split its value into named parts. parts returns nil if the value is not split.
type splitter interface {
	parts(p *Position) []Part
}

// Parts returns the summands of an evaluator's value for p, in the order of summation. For an
// evaluator without parts, it returns one part with the given name.
func Parts(name string, e Evaluator, p *Position) []Part {
	if s, ok := e.(splitter); ok {
		if parts := s.parts(p); parts != nil {
			return parts
		}
	}
	return []Part{{name, e.Value(p)}}
}

func (s *Sum) parts(p *Position) []Part {
	return each.Of(s.Terms, func(t Term) Part { return Part{t.Name, float64(t.Weight * t.Eval.Value(p))} })
}

func (e *weighted) parts(p *Position) []Part {
	if e.perEmpty == 0 {
		return nil
	}
	return []Part{{"snake", e.mix(e.sum(&p.Board), 0)}, {"empty", e.mix(0, p.Board.Empty())}}
}
