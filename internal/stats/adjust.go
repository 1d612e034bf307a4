package stats

import "math"

// Folds is the number of parts into which [Adjust] divides values. MinAdjusted is the minimum
// number of values for an adjustment: with fewer values, the coefficients are too uncertain, and
// intervals cover less often than 95 %.
const (
	Folds       = 10
	MinAdjusted = 60
)

// Adjust subtracts from each value the part that control variates explain: the sum of coefficient x
// control. The expectation of every control is 0, so the mean of the result estimates the same
// quantity as the mean of the values, with less variance if values and controls are correlated.
//
// controls[i] contains the controls of values[i]. groups[i] identifies its group: values of one
// group may be correlated. The values are divided into ten folds, with all values of a group in the
// same fold. The coefficients for each fold are fitted by least squares on the other nine. So no
// value changes its own coefficients, and the result is unbiased. See V. Chernozhukov et al.,
// Double/debiased machine learning for treatment and structural parameters (2018), for
// cross-fitting.
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

// Factor is the ratio of sample sizes that give the same interval without and with the adjustment:
// the squared ratio of the plain width to the adjusted width.
func Factor(plain, adjusted Interval) Figure {
	return Figure(math.Pow(plain.Half()/adjusted.Half(), 2))
}

// moments holds sums over values and their controls.
type moments struct {
	n, sum  float64     // number and sum of the values
	control []float64   // sums of the controls
	product []float64   // sums of value x control
	squares [][]float64 // sums of control x control
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

// fit returns the coefficients of a least squares fit with an intercept. A control that is a linear
// combination of earlier controls gets coefficient 0.
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
	// Gauss-Jordan elimination of a symmetric matrix. Each pivot is the variance of a control given
	// the controls before it.
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
