package eval_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/testenv"

	"pgregory.net/rapid"
)

func TestSumIsTheWeightedSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.SampledFrom(eval.Names()), 1, 6, rapid.ID).Draw(t, "names")
		weights := make([]float64, len(names))
		for i := range weights {
			weights[i] = rapid.Float64Range(-1e6, 1e6).Draw(t, "weight")
		}
		sum := must.Get(eval.NewSum(names, weights))(t)
		p := anyPosition(t)
		want, size := 0.0, 0.0
		for i, name := range names {
			e := must.Get(eval.New(name))(t)
			want += weights[i] * e.Value(p)
			size += math.Abs(weights[i] * e.Value(p))
		}
		if got := sum.Value(p); math.Abs(got-want) > 1e-12*size {
			t.Fatalf("sum of %v times %v at %v = %v, want %v", names, weights, p.Board, got, want)
		}
		if sum.Unit() != eval.Heuristic {
			t.Fatalf("unit %q", sum.Unit())
		}
	})
}

// A sum has no bounds if one of its terms has none, unless the term's weight is 0.
func TestSumBounds(t *testing.T) {
	p := &eval.Position{Board: parse(t, "2,4/8,0")}
	for _, c := range []struct {
		names   []string
		weights []float64
		finite  bool
	}{
		{[]string{"snake", "edges"}, []float64{1, -2}, true},
		{[]string{"snake", "smoothness"}, []float64{1, 1}, false},
		{[]string{"snake", "smoothness"}, []float64{1, 0}, true},
		{[]string{"smoothness"}, []float64{-1}, false},
	} {
		sum := must.Get(eval.NewSum(c.names, c.weights))(t)
		low, high := sum.Bounds(p, 2)
		if finite := !math.IsInf(low, -1) && !math.IsInf(high, 1); finite != c.finite || low > high {
			t.Errorf("bounds of %v times %v: %v and %v", c.names, c.weights, low, high)
		}
		if !c.finite && (!math.IsInf(low, -1) || !math.IsInf(high, 1)) {
			t.Errorf("bounds of %v times %v: %v and %v, want none at all", c.names, c.weights, low, high)
		}
	}
}

// everyEvaluator is what errors about a name list.
var everyEvaluator = strings.Join(eval.Names(), ", ")

func TestNewSumRefuses(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		names   []string
		weights []float64
		want    string
	}{
		{nil, nil, "sum has no terms: must be evaluators with weights, such as sum(empty=2,smoothness=1)"},
		{[]string{"snaek"}, []float64{1}, `no evaluator is called "snaek": must be ` + everyEvaluator},
		{[]string{"sum"}, []float64{1}, `no evaluator is called "sum": must be ` + everyEvaluator},
		{[]string{"snake", "empty", "snake"}, []float64{1, 2, 3}, "sum names snake twice"},
		{[]string{"snake"}, []float64{math.NaN()}, "weight of snake is NaN: must be a number from -1e+100 to 1e+100"},
		{[]string{"snake"}, []float64{inf}, "weight of snake is +Inf: must be a number from -1e+100 to 1e+100"},
		{[]string{"empty", "snake"}, []float64{1, -inf}, "weight of snake is -Inf: must be a number from -1e+100 to 1e+100"},
		{[]string{"snake"}, []float64{-1e308}, "weight of snake is -1e+308: must be a number from -1e+100 to 1e+100"},
	} {
		sum, err := eval.NewSum(c.names, c.weights)
		if err == nil || err.Error() != c.want || sum != nil {
			t.Errorf("NewSum(%q, %v) = %v, error\n  %v, want\n  %s", c.names, c.weights, sum, err, c.want)
		}
	}
}

func TestParseWeights(t *testing.T) {
	sum := must.Get(eval.ParseWeights([]byte(` {"smoothness": 1, "empty": -2.5e0} `)))(t)
	if len(sum.Terms) != 2 || sum.Terms[0].Name != "empty" || sum.Terms[0].Weight != -2.5 || sum.Terms[1].Name != "smoothness" || sum.Terms[1].Weight != 1 {
		t.Errorf("terms %v", sum.Terms)
	}
}

func TestParseWeightsRefuses(t *testing.T) {
	const want = `: must be a JSON object of numbers such as {"empty": 2, "smoothness": 1}`
	for text, message := range map[string]string{
		``:                  `weights: unexpected end of JSON input` + want,
		`snake=1`:           `weights: invalid character 's' looking for beginning of value` + want,
		` [1]`:              `weights: json: cannot unmarshal array into Go value of type map[string]interface {}` + want,
		`{"snake": 1e999}`:  `weights: json: cannot unmarshal number 1e999 into Go value of type float64` + want,
		`null`:              `sum has no terms: must be evaluators with weights, such as sum(empty=2,smoothness=1)`,
		`{"snake": "1"}`:    `weight of "snake" is not a number` + want,
		`{"snake": -1e101}`: `weight of snake is -1e+101: must be a number from -1e+100 to 1e+100`,
		`{"snaek": 1}`:      `no evaluator is called "snaek": must be ` + everyEvaluator,
		`{}`:                `sum has no terms: must be evaluators with weights, such as sum(empty=2,smoothness=1)`,
	} {
		sum, err := eval.ParseWeights([]byte(text))
		if err == nil || err.Error() != message || sum != nil {
			t.Errorf("ParseWeights(%s) = %v, error\n  %v, want\n  %s", text, sum, err, message)
		}
	}
}

// What parses is a sum with finite weights that parses again from its terms; other input gives a
// one-line error.
func FuzzParseWeights(f *testing.F) {
	for _, seed := range []string{`{"empty": 2, "smoothness": 1}`, `{"snake": -0.5e-3}`, `{"snake": null}`, `{"snake":1,"snake":2}`, `[]`, `{"empty": 1e999}`, `{`, ``, `{"empty":[` + strings.Repeat("[],", 4<<20) + `0]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var sum *eval.Sum
		var err error
		testenv.Bounded(t, len(data), func() { sum, err = eval.ParseWeights(data) })
		if err != nil {
			if sum != nil || strings.ContainsAny(err.Error(), "\r\n") {
				t.Fatalf("%q: sum %v, error %q", data, sum, err)
			}
			return
		}
		weights := map[string]float64{}
		for _, term := range sum.Terms {
			weights[term.Name] = term.Weight
		}
		text, err := json.Marshal(weights)
		if err != nil {
			t.Fatalf("%q gave weights that JSON cannot write: %v", data, err)
		}
		again, err := eval.ParseWeights(text)
		same := func(x, y eval.Term) bool { return x.Name == y.Name && x.Weight == y.Weight }
		if err != nil || !slices.EqualFunc(sum.Terms, again.Terms, same) {
			t.Fatalf("%q parses to %v, written out and parsed to %v, error %v", data, sum, again, err)
		}
		if v := sum.Value(&eval.Position{Board: parse(t, "131072,65536/2,2")}); math.IsNaN(v) || math.IsInf(v, 0) {
			t.Fatalf("%q values a board at %v", data, v)
		}
	})
}
