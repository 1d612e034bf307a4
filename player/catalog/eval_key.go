package catalog

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/player/spec"
)

// parseEval reads the value of the key "eval": an evaluator's name, sum(name=weight,...),
// sum(file="weights.json"), or lines(...). It returns a constructor of the evaluator.
func (b *builder) parseEval(v spec.Value) (func() eval.Evaluator, error) {
	switch {
	case v.Quoted:
		return nil, errors.New("must be an evaluator's name or sum(...), without quotes")
	case v.Call != nil && v.Call.Name == "sum":
		return b.parseSum(v.Call)
	case v.Call != nil && v.Call.Name == "lines":
		return b.parseLines(v.Call)
	case v.Text == "sum":
		return b.parseSum(&spec.Spec{Name: "sum"}) // fails with the error that a sum needs terms
	}
	name := v.Text
	if v.Call != nil {
		name = v.Call.Name
	}
	if _, err := eval.New(name); err != nil {
		return nil, unknown(err.Error(), name, append(eval.Names(), "sum"))
	}
	if v.Call != nil && len(v.Call.Args) > 0 {
		return nil, fmt.Errorf("evaluator %s takes no keys; weights go into a sum: sum(%s=2)", name, name)
	}
	return checked(func() (eval.Evaluator, error) { return eval.New(name) })
}

// checked calls make once to check that it succeeds. It returns a constructor that calls make again for each player,
// since each player needs its own evaluator.
func checked[E eval.Evaluator](make func() (E, error)) (func() eval.Evaluator, error) {
	if _, err := make(); err != nil {
		return nil, err
	}
	return func() eval.Evaluator {
		e, _ := make()
		return e
	}, nil
}

func (b *builder) parseSum(s *spec.Spec) (func() eval.Evaluator, error) {
	if path, ok := s.Get("file"); ok {
		data, err := b.readFile(s, path)
		if err != nil {
			return nil, err
		}
		makeEval, err := checked(func() (*eval.Sum, error) { return eval.ParseWeights(data) })
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path.Text, err)
		}
		return makeEval, nil
	}
	var names []string
	var weights []float64
	for _, arg := range s.Args {
		w, err := strconv.ParseFloat(arg.Value.Text, 64)
		if err != nil || arg.Value.Quoted {
			return nil, fmt.Errorf("sum: %s=%v: must be a number, the term's weight", arg.Key, arg.Value)
		}
		if _, err := eval.New(arg.Key); err != nil {
			return nil, unknown("sum: "+err.Error(), arg.Key, append(eval.Names(), "file"))
		}
		names, weights = append(names, arg.Key), append(weights, w)
	}
	return checked(func() (*eval.Sum, error) { return eval.NewSum(names, weights) })
}

// parseLines reads an evaluator lines(empty=300,...). The weights override the default weights
// (eval.NneonneoWeights).
func (b *builder) parseLines(s *spec.Spec) (func() eval.Evaluator, error) {
	weights := eval.NneonneoWeights()
	a := args{name: "lines", spec: s, keys: linesKeys(), trusted: b.caps.Trusted}
	for f := range weights.All() {
		a.set(f)
	}
	if err := a.finish(); err != nil {
		return nil, err
	}
	return func() eval.Evaluator { return eval.NewLines(weights) }, nil
}

// readFile reads the file of weights given by the key "file" of a sum, if the capabilities allow files.
func (b *builder) readFile(s *spec.Spec, path spec.Value) ([]byte, error) {
	switch {
	case len(s.Args) > 1:
		return nil, errors.New("sum: file cannot be combined with other keys")
	case b.caps.ReadFile == nil:
		return nil, errors.New("sum: files are not allowed here")
	case path.Call != nil:
		return nil, fmt.Errorf("sum: file=%v: must be a path in double quotes", path)
	}
	return b.caps.ReadFile(path.Text)
}
