package stats

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mathext"
)

// Interval is a 95 % interval. Both ends are NaN where the data do not suffice for
// one ([Unknown]). In JSON it is [low, high] or null.
type Interval struct{ Low, High float64 }

// Unknown is the interval where there are too few data for one.
var Unknown = Interval{math.NaN(), math.NaN()}

// Known reports whether the interval exists.
func (i Interval) Known() bool { return !math.IsNaN(i.Low) && !math.IsNaN(i.High) }

// Half is half the interval's width.
func (i Interval) Half() float64 { return (i.High - i.Low) / 2 }

// MarshalJSON writes [low, high] with eight significant digits, or null.
func (i Interval) MarshalJSON() ([]byte, error) {
	if !i.Known() {
		return []byte("null"), nil
	}
	return json.Marshal([2]float64{rounded(i.Low), rounded(i.High)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (i *Interval) UnmarshalJSON(text []byte) error {
	ends := &[2]float64{math.NaN(), math.NaN()}
	err := json.Unmarshal(text, ends)
	*i = Interval{ends[0], ends[1]}
	return err
}

// Figure is a figure of statistics. In JSON it has eight significant digits, or is null if it is NaN, since there
// are no data for it.
type Figure float64

// MarshalJSON writes the figure or null.
func (f Figure) MarshalJSON() ([]byte, error) { return json.Marshal(OrNull(float64(f))) }

// UnmarshalJSON reads what MarshalJSON writes.
func (f *Figure) UnmarshalJSON(text []byte) error {
	x := math.NaN()
	err := json.Unmarshal(text, &x)
	*f = Figure(x)
	return err
}

// Mean is the mean of xs and its 95 % interval by Student's t,
//
//	mean ± t(0.975, n-1) * s / sqrt(n)
//
// with s the sample's standard deviation. One value has no interval, none has
// no mean (NaN).
func Mean(xs []float64) (mean float64, ci Interval) {
	mean, variance := meanVariance(xs)
	if len(xs) < 2 {
		return mean, Unknown
	}
	n := float64(len(xs))
	half := studentT(n-1) * math.Sqrt(variance/n)
	return mean, Interval{mean - half, mean + half}
}

// Paired is the mean of the differences of pairs, a minus b, and its interval as [Mean] has it.
func Paired(a, b []float64) (mean float64, ci Interval) {
	differences := make([]float64, len(a))
	for i := range a {
		differences[i] = a[i] - b[i]
	}
	return Mean(differences)
}

// Difference is the difference of the means of two independent samples, a minus b, its 95 %
// interval by Welch's t test, and the degrees of freedom of that. A sample of fewer than two values has
// no interval.
func Difference(a, b []float64) (mean float64, ci Interval, freedom float64) {
	ma, va := meanVariance(a)
	mb, vb := meanVariance(b)
	mean = ma - mb
	if len(a) < 2 || len(b) < 2 {
		return mean, Unknown, math.NaN()
	}
	na, nb := float64(len(a)), float64(len(b))
	ea, eb := va/na, vb/nb // squared standard errors
	if ea+eb == 0 {
		return mean, Interval{mean, mean}, na + nb - 2
	}
	freedom = (ea + eb) * (ea + eb) / (ea*ea/(na-1) + eb*eb/(nb-1)) // Welch and Satterthwaite
	half := studentT(freedom) * math.Sqrt(ea+eb)
	return mean, Interval{mean - half, mean + half}, freedom
}

// meanVariance returns the mean and the sample variance, NaN where there are too few values.
func meanVariance(xs []float64) (mean, variance float64) {
	for _, x := range xs {
		mean += x
	}
	mean /= float64(len(xs))
	for _, x := range xs {
		variance += (x - mean) * (x - mean)
	}
	return mean, variance / float64(len(xs)-1)
}

// HalfWidth is half the width of the 95 % interval of a mean by Student's t, from the
// sum of the n values' squared differences from it; n is at least 2.
func HalfWidth(squares float64, n int) float64 {
	count := float64(n)
	return studentT(count-1) * math.Sqrt(squares/(count-1)/count)
}

// studentT is the quantile at 0.975 of Student's t. With x the quantile at 0.05 of
// the beta distribution of nu/2 and 1/2 it is sqrt(nu (1-x)/x). Gonum has it too,
// in a package that takes seconds to compile; a test holds this one against it.
func studentT(nu float64) float64 {
	x := mathext.InvRegIncBeta(nu/2, 0.5, 0.05)
	return math.Sqrt(nu * (1 - x) / x)
}

// z95 is the standard normal distribution's quantile at 0.975.
const z95 = 1.959963984540054

// Wilson is the Wilson score 95 % interval of a share of hits among n,
//
//	(p + z²/2n ± z * sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n),   p = hits/n
//
// It stays within [0, 1] and covers well for shares near 0 and 1. It is Unknown if n is 0.
func Wilson(hits, n int) Interval {
	if n == 0 {
		return Unknown
	}
	return wilson(float64(hits)/float64(n), float64(n), z95)
}

// wilson is the Wilson interval of a share p of n outcomes with quantile z.
func wilson(p, n, z float64) Interval {
	z2 := z * z
	centre := p + z2/(2*n)
	half := z * math.Sqrt(p*(1-p)/n+z2/(4*n*n))
	ci := Interval{(centre - half) / (1 + z2/n), (centre + half) / (1 + z2/n)}
	if p == 0 {
		ci.Low = 0 // exactly, without rounding errors
	}
	if p == 1 {
		ci.High = 1
	}
	return ci
}

// Median is the middle value, or the mean of the two middle values; NaN of none.
func Median(xs []float64) float64 { return Quantile(xs, 0.5) }

// Quantile is the value below which a share q of xs lies, 0 <= q <= 1, interpolated linearly at
// position q(n-1) of the sorted values. NaN of none.
func Quantile(xs []float64, q float64) float64 {
	if len(xs) == 0 {
		return math.NaN()
	}
	own := slices.Sorted(slices.Values(xs))
	at := q * float64(len(own)-1)
	low := int(at)
	value := own[low]
	if part := at - float64(low); part > 0 {
		value += part * (own[low+1] - value)
	}
	return value
}

// Ratio is a/b, NaN if b is 0.
func Ratio(a, b float64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return a / b
}

// OrNull is x for JSON output: nil, written as null, if x is NaN, else x with eight
// significant digits.
func OrNull(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	x = rounded(x)
	return &x
}

// rounded keeps eight significant digits, for output that people read too.
func rounded(x float64) float64 {
	short, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 8, 64), 64)
	return short
}
