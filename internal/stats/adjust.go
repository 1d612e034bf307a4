package stats

import "math"

// Folds is the number of parts that [Adjust] divides values into.
const Folds = 10

// Adjust takes from each value what control variates say of it: value - sum of coefficient x control. The mean of every control is 0, so the
// mean of the result estimates the same as that of the values, with less variance where they are correlated.
//
// Each candidate is a set of controls: candidate[i] has those of values[i]. groups[i] names the group of values[i]: values of one group
// may be correlated. For each of ten folds the candidate, or none, and its coefficients by least squares are chosen on
// the other folds, the candidate by cross-validation there. A group is in one fold. So nothing depends on the value that it
// adjusts, and the result has no bias. See V. Chernozhukov et al., Double/debiased machine learning for treatment and structural parameters
// (2018), for cross-fitting.
func Adjust[K comparable](values []float64, groups []K, candidates ...[][]float64) []float64 {
	fold := make([]int, len(values))
	place := map[K]int{}
	for i, g := range groups {
		if _, known := place[g]; !known {
			place[g] = len(place)
		}
		fold[i] = place[g] % Folds
	}
	if len(values) == 0 {
		return nil
	}
	parts := make([][Folds]moments, len(candidates))
	for c, controls := range candidates {
		for f := range Folds {
			parts[c][f] = newMoments(len(controls[0]))
		}
		for i, x := range values {
			parts[c][fold[i]].add(x, controls[i])
		}
	}
	adjusted := append([]float64(nil), values...)
	for f := range Folds {
		best, least := -1, 0.0 // no candidate
		for c := range parts {
			if rest := without(&parts[c], f, f); c == 0 {
				least = -minGain * (rest.square - rest.sum*rest.sum/rest.n)
			}
			if change := validate(&parts[c], f); change < least {
				best, least = c, change
			}
		}
		if best < 0 {
			continue
		}
		coefficients := without(&parts[best], f, f).fit()
		for i := range values {
			if fold[i] == f {
				for k, c := range coefficients {
					adjusted[i] -= c * candidates[best][i][k]
				}
			}
		}
	}
	return adjusted
}

// minGain is the share of the variance that a candidate has to explain: less may be chance.
const minGain = 0.1

// without joins all folds but two.
func without(parts *[Folds]moments, f, g int) *moments {
	rest := newMoments(len(parts[0].control))
	for h := range parts {
		if h != f && h != g {
			rest.join(&parts[h])
		}
	}
	return &rest
}

// validate returns what adjusting adds to the sum of the squared values on the folds other than f, each adjusted by coefficients of the
// remaining ones.
func validate(parts *[Folds]moments, f int) (change float64) {
	for g := range parts {
		if g == f {
			continue
		}
		rest, m := without(parts, f, g), &parts[g]
		mean := rest.sum / rest.n
		coefficients := rest.fit()
		for k, c := range coefficients { // of the sum of (value - mean - coefficients * controls)^2
			change -= 2 * c * (m.product[k] - mean*m.control[k])
			for l, d := range coefficients {
				change += c * d * m.squares[k][l]
			}
		}
	}
	return change
}

// moments are sums over values and their controls.
type moments struct {
	n, sum  float64
	square  float64     // sum of the squared values
	control []float64   // sums of the controls
	known   []float64   // number of values whose control is not 0
	product []float64   // of value and control
	squares [][]float64 // of two controls
}

func newMoments(width int) moments {
	m := moments{control: make([]float64, width), known: make([]float64, width), product: make([]float64, width), squares: make([][]float64, width)}
	for k := range m.squares {
		m.squares[k] = make([]float64, width)
	}
	return m
}

func (m *moments) add(x float64, controls []float64) {
	m.n++
	m.sum += x
	m.square += x * x
	for k, c := range controls {
		m.control[k] += c
		m.product[k] += x * c
		if c != 0 {
			m.known[k]++
		}
		for l, d := range controls {
			m.squares[k][l] += c * d
		}
	}
}

func (m *moments) join(o *moments) {
	m.n += o.n
	m.sum += o.sum
	m.square += o.square
	for k := range m.control {
		m.control[k] += o.control[k]
		m.known[k] += o.known[k]
		m.product[k] += o.product[k]
		for l := range m.control {
			m.squares[k][l] += o.squares[k][l]
		}
	}
}

// The least number and share of values with a control other than 0 for which a coefficient is fitted: one fitted from few values has a large error.
const (
	minKnown      = 20
	minKnownShare = 0.05
)

// fit returns the coefficients of least squares with an intercept; 0 for a control that few values have, and for one that adds nothing to
// those before it. Fewer than ten values for each coefficient say too little.
func (m *moments) fit() []float64 {
	width := len(m.control)
	coefficients := make([]float64, width)
	if m.n < 10*float64(width+1) {
		return coefficients
	}
	rows := make([][]float64, width)
	for k := range rows {
		rows[k] = make([]float64, width+1)
		for l := range width {
			rows[k][l] = m.squares[k][l] - m.control[k]*m.control[l]/m.n
		}
		rows[k][width] = m.product[k] - m.control[k]*m.sum/m.n
	}
	// Gauss-Jordan elimination of a symmetric matrix whose pivots are variances given the controls before.
	used := make([]bool, width)
	for k := range rows {
		if m.known[k] < max(minKnown, minKnownShare*m.n) || rows[k][k] <= 1e-9*m.squares[k][k] {
			continue
		}
		used[k] = true
		for l := range rows {
			if factor := rows[l][k] / rows[k][k]; l != k && factor != 0 {
				for j := range rows[l] {
					rows[l][j] -= factor * rows[k][j]
				}
			}
		}
	}
	for k := range rows {
		if c := rows[k][width] / rows[k][k]; used[k] && !math.IsNaN(c) {
			coefficients[k] = c
		}
	}
	return coefficients
}
