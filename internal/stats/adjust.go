package stats

import "math"

// Folds is the number of parts that [Adjust] divides values into, and MinAdjusted the least number of values that it adjusts: of
// fewer the coefficients are too uncertain for intervals to cover as often as they say.
const (
	Folds       = 10
	MinAdjusted = 60
)

// Adjust subtracts from each value what control variates explain: value - sum of coefficient x control. The mean of every control is 0, so
// the mean of the result estimates the same as that of the values, with less variance where they are correlated.
//
// controls[i] has the controls of values[i]. groups[i] names its group: values of one group may be correlated. The coefficients for
// each of ten folds are fitted by least squares on the other nine, and a group is in one fold. So no value changes its own
// coefficients, and the result has no bias. See V. Chernozhukov et al., Double/debiased machine learning for treatment and structural
// parameters (2018), for cross-fitting.
func Adjust[K comparable](values []float64, groups []K, controls [][]float64) []float64 {
	adjusted := append([]float64(nil), values...)
	if len(values) < MinAdjusted {
		return adjusted
	}
	fold := make([]int, len(values))
	place := map[K]int{}
	var parts [Folds]moments
	for f := range parts {
		parts[f] = newMoments(len(controls[0]))
	}
	for i, g := range groups {
		if _, known := place[g]; !known {
			place[g] = len(place)
		}
		fold[i] = place[g] % Folds
		parts[fold[i]].add(values[i], controls[i])
	}
	for f := range parts {
		others := newMoments(len(controls[0]))
		for g := range parts {
			if g != f {
				others.join(&parts[g])
			}
		}
		coefficients := others.fit()
		for i := range values {
			if fold[i] == f {
				for k, c := range coefficients {
					adjusted[i] -= c * controls[i][k]
				}
			}
		}
	}
	return adjusted
}

// Factor is how many times fewer values give the adjusted mean the same interval: the squared ratio of the plain to the adjusted one.
func Factor(plain, adjusted Interval) Figure {
	return Figure(math.Pow(plain.Half()/adjusted.Half(), 2))
}

// moments are sums over values and their controls.
type moments struct {
	n, sum  float64
	control []float64   // sums of the controls
	product []float64   // of value and control
	squares [][]float64 // of two controls
}

func newMoments(width int) moments {
	m := moments{control: make([]float64, width), product: make([]float64, width), squares: make([][]float64, width)}
	for k := range m.squares {
		m.squares[k] = make([]float64, width)
	}
	return m
}

func (m *moments) add(x float64, controls []float64) {
	m.n++
	m.sum += x
	for k, c := range controls {
		m.control[k] += c
		m.product[k] += x * c
		for l, d := range controls {
			m.squares[k][l] += c * d
		}
	}
}

func (m *moments) join(o *moments) {
	m.n += o.n
	m.sum += o.sum
	for k := range m.control {
		m.control[k] += o.control[k]
		m.product[k] += o.product[k]
		for l := range m.control {
			m.squares[k][l] += o.squares[k][l]
		}
	}
}

// fit returns the coefficients of least squares with an intercept; 0 for a control that adds nothing to those before it.
func (m *moments) fit() []float64 {
	width := len(m.control)
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
		if used[k] = rows[k][k] > 1e-9*m.squares[k][k]; !used[k] {
			continue
		}
		for l := range rows {
			if factor := rows[l][k] / rows[k][k]; l != k && factor != 0 {
				for j := range rows[l] {
					rows[l][j] -= factor * rows[k][j]
				}
			}
		}
	}
	coefficients := make([]float64, width)
	for k := range rows {
		if c := rows[k][width] / rows[k][k]; used[k] && !math.IsNaN(c) {
			coefficients[k] = c
		}
	}
	return coefficients
}
