package tune

import (
	"math"

	"github.com/afterstate2048/afterstate/eval"
)

// space maps between weights and the vectors that CMA-ES moves: zero is the start, and a step of
// one has about the same effect on every axis.
type space struct{ start eval.LineWeights }

// typical is the exponent, that of 2048, at which a term k^power keeps its size when the power
// changes.
const typical = 11

// axis is one dimension: a weight, and how a coordinate changes it.
type axis struct {
	weight string
	// factor multiplies by e^(factor*x); step adds step*x. One of them is set.
	factor, step float64
	power        string // the weight that is the power of this one's term
}

var axes = []axis{
	{weight: "base", factor: 0.5},
	{weight: "empty", factor: 0.5},
	{weight: "merges", factor: 0.5},
	{weight: "disorder_power", step: 0.5},
	{weight: "disorder", factor: 0.5, power: "disorder_power"},
	{weight: "power_sum_power", step: 0.5},
	{weight: "power_sum", factor: 0.5, power: "power_sum_power"},
	{weight: "edge_power", step: 0.5},
	{weight: "edge", step: 2000, power: "edge_power"},
	{weight: "end", step: 2000, power: "edge_power"},
	{weight: "steps", step: 50},
	{weight: "roughness", step: 50},
}

// weights returns the weights at a point.
func (s *space) weights(x []float64) eval.LineWeights {
	w := s.start
	for i, a := range axes {
		field := w.Field(a.weight)
		step := a.step * x[i]
		if a.power != "" {
			power, before := *w.Field(a.power), *s.start.Field(a.power)
			*field *= math.Pow(typical, before-power)
			step /= math.Pow(typical, power)
		}
		*field = *field*math.Exp(a.factor*x[i]) + step
		*field = math.Max(-eval.MaxLineWeight, math.Min(eval.MaxLineWeight, significant(*field)))
	}
	return w
}

// significant rounds to five digits, so that the written weights are exactly those that played.
func significant(w float64) float64 {
	if w == 0 {
		return 0
	}
	scale := math.Pow(10, 4-math.Floor(math.Log10(math.Abs(w))))
	return math.Round(w*scale) / scale
}
