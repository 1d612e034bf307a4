package eval

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// Term is one weighted evaluator of a sum.
type Term struct {
	Name   string
	Weight float64
	Eval   Evaluator
}

// Sum is a weighted sum of evaluators.
type Sum struct{ Terms []Term }

// NewSum builds a sum from weights by evaluator name, added up in the order given.
func NewSum(names []string, weights []float64) (*Sum, error) {
	sum := &Sum{}
	for i, name := range names {
		e, err := New(name)
		if err != nil {
			return nil, err
		}
		if w := weights[i]; math.IsNaN(w) || math.IsInf(w, 0) {
			return nil, fmt.Errorf("weight of %s is %v: want a finite number", name, w)
		}
		if slices.ContainsFunc(sum.Terms, func(t Term) bool { return t.Name == name }) {
			return nil, fmt.Errorf("sum names %s twice", name)
		}
		sum.Terms = append(sum.Terms, Term{name, weights[i], e})
	}
	if len(sum.Terms) == 0 {
		return nil, fmt.Errorf("sum without terms: want weights by evaluator, such as sum(empty=2,smooth=1)")
	}
	return sum, nil
}

// ParseWeights reads a file of weights: a JSON object of numbers by evaluator
// name, {"empty": 2, "smooth": 1}. Terms are added up in the order of names.
func ParseWeights(data []byte) (*Sum, error) {
	var weights map[string]float64
	if err := json.Unmarshal(data, &weights); err != nil {
		return nil, fmt.Errorf("weights: want a JSON object such as {\"empty\": 2, \"smooth\": 1}: %w", err)
	}
	names := make([]string, 0, len(weights))
	for name := range weights {
		names = append(names, name)
	}
	slices.Sort(names)
	values := make([]float64, len(names))
	for i, name := range names {
		values[i] = weights[name]
	}
	return NewSum(names, values)
}

// Unit is Heuristic.
func (*Sum) Unit() Unit { return Heuristic }

// Value is the sum of weight times value.
func (s *Sum) Value(p *Position) float64 {
	total := 0.0
	for i := range s.Terms {
		t := &s.Terms[i]
		total += float64(t.Weight * t.Eval.Value(p))
	}
	return total
}

// Bounds adds the terms' bounds; a term that has none leaves the sum without.
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
