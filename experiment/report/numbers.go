package report

import (
	"math"
	"strconv"

	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/stats"
)

// number writes a number with commas between thousands: 351,648. Numbers below 100 keep decimals.
func number[F ~float64](figure F) string {
	x := float64(figure)
	switch a := math.Abs(x); {
	case math.IsNaN(x):
		return "-"
	case a >= 100 || a == math.Trunc(a):
		return numfmt.Rounded(x)
	case a >= 10:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

// mean writes a mean and half its interval: 36,935 ± 4,656. Below 1,000 both have a decimal.
func mean[F ~float64](figure F, ci stats.Interval) string {
	mean := float64(figure)
	if math.IsNaN(mean) {
		return "-"
	}
	decimals, half := 1, "?"
	if math.Abs(mean) >= 1000 {
		decimals = 0
	}
	if ci.Known() {
		if ci.Half() >= 1000 {
			decimals = 0
		}
		half = numfmt.Group(strconv.FormatFloat(ci.Half(), 'f', decimals, 64))
	}
	return numfmt.Group(strconv.FormatFloat(mean, 'f', decimals, 64)) + " ± " + half
}

// difference is mean with a sign.
func difference[F ~float64](x F, ci stats.Interval) string {
	text := mean(x, ci)
	if x > 0 {
		text = "+" + text
	}
	return text
}

// shareWords writes a share with its interval: 84.0 % [78.3, 88.4].
func shareWords[F ~float64](share F, ci stats.Interval) string {
	if !ci.Known() {
		return "-"
	}
	return numfmt.Share(share) + " " + numfmt.Shares(ci.Low, ci.High)
}

// significant writes a positive number with at least three significant digits.
func significant[F ~float64](figure F) string {
	x := float64(figure)
	if math.IsNaN(x) {
		return "-"
	}
	decimals := 0
	for step := 100.0; x < step && decimals < 6; step /= 10 {
		decimals++
	}
	return numfmt.Group(strconv.FormatFloat(x, 'f', decimals, 64))
}
