// Package numfmt formats numbers for people.
//
//	numfmt.Int(3932100)      // 3,932,100
//	numfmt.Rounded(36934.6)  // 36,935
//	numfmt.Group("-1234.50") // -1,234.50
//	numfmt.Rate(0.01234)     // 0.0123
//	numfmt.Value(312.456)    // 312.46
//	numfmt.Short(123456.7)   // 123457
//	numfmt.Share(0.935) + " " + numfmt.Shares(0.892, 0.962) // 93.5 % [89.2, 96.2]
//	numfmt.About(207*time.Second) // 3m30s
//	numfmt.Sparkline([]float64{1, 2, 3}, 60) // ▁▅█
package numfmt

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Group inserts commas between the thousands of a decimal number. Sign and decimals are kept.
func Group(number string) string {
	sign := ""
	if strings.HasPrefix(number, "-") {
		sign, number = "-", number[1:]
	}
	whole, decimals, found := strings.Cut(number, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if found {
		whole += "." + decimals
	}
	return sign + whole
}

// Int formats an integer with commas between its thousands.
func Int(n int64) string { return Group(strconv.FormatInt(n, 10)) }

// Count formats a number and its noun, as in "1 core" and "1,024 cores".
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Int(int64(n)) + " " + many
}

// Rounded rounds to an integer, halves away from zero, with commas between its thousands.
func Rounded(x float64) string { return Group(strconv.FormatFloat(math.Round(x), 'f', 0, 64)) }

// Rate formats a speed with three significant digits, or with all digits of the integer part if it
// has more.
func Rate(x float64) string {
	if x >= 1000 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.3g", x)
}

// About formats an approximate time, as in "40s", "3m30s" and "2h10m".
func About(d time.Duration) string {
	unit := time.Second
	for _, step := range []struct{ from, unit time.Duration }{
		{20 * time.Second, 5 * time.Second}, {2 * time.Minute, 30 * time.Second}, {10 * time.Minute, time.Minute}, {time.Hour, 10 * time.Minute}, {10 * time.Hour, time.Hour},
	} {
		if d >= step.from {
			unit = step.unit
		}
	}
	return strings.NewReplacer("h0m0s", "h", "m0s", "m").Replace(max(d.Round(unit), time.Second).String())
}

// Duration formats a short time with two or three significant digits, as in "4.20 us", "1.2 ms" and "3.45 s".
func Duration(d time.Duration) string {
	switch {
	case d < 10*time.Microsecond:
		return fmt.Sprintf("%.2f us", float64(d)/1e3)
	case d < time.Millisecond:
		return fmt.Sprintf("%.0f us", float64(d)/1e3)
	case d < 100*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/1e6)
	case d < 10*time.Second:
		return fmt.Sprintf("%.2f s", d.Seconds())
	}
	return fmt.Sprintf("%.0f s", d.Seconds())
}

// Percent formats a share as a whole number of percent, as in "93%".
func Percent(share float64) string { return fmt.Sprintf("%.0f%%", 100*share) }

// Share formats a share in percent with one decimal, as in "93.5 %", or as "-" if it is NaN.
func Share[F ~float64](share F) string {
	if math.IsNaN(float64(share)) {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*share)
}

// Shares formats an interval of shares in percent, as in "[89.2, 96.2]".
func Shares(low, high float64) string { return fmt.Sprintf("[%.1f, %.1f]", 100*low, 100*high) }

// Factor formats a factor with two decimals, or as "-" if it is NaN.
func Factor[F ~float64](x F) string {
	if math.IsNaN(float64(x)) {
		return "-"
	}
	return fmt.Sprintf("%.2f", x)
}

// Short formats a value in at most nine characters, without insignificant digits.
func Short(x float64) string {
	size := math.Abs(x)
	switch {
	case size >= 1e7 || size > 0 && size < 1e-3:
		return fmt.Sprintf("%.2e", x)
	case size >= 1e5 || x == math.Trunc(x):
		return fmt.Sprintf("%.0f", x)
	case size >= 1000:
		return fmt.Sprintf("%.1f", x)
	case size >= 1:
		return fmt.Sprintf("%.2f", x)
	}
	return fmt.Sprintf("%.4f", x)
}

// Value formats a value: integers without decimals, small values with two significant digits,
// others with two decimals.
func Value(x float64) string {
	if x == float64(int64(x)) && x < 1e15 && x > -1e15 {
		return strconv.FormatInt(int64(x), 10)
	}
	if math.Abs(x) < 0.1 {
		return strconv.FormatFloat(x, 'g', 2, 64)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

// Sparkline draws numbers as a curve of at most width characters. Each character shows the mean of
// an equal part of the numbers.
func Sparkline(numbers []float64, width int) string {
	if len(numbers) == 0 || width < 1 {
		return ""
	}
	width = min(width, len(numbers))
	points := make([]float64, width)
	for i := range points {
		from, to := i*len(numbers)/width, (i+1)*len(numbers)/width
		for _, x := range numbers[from:to] {
			points[i] += x / float64(to-from)
		}
	}
	low, high := slices.Min(points), slices.Max(points)
	levels := []rune("▁▂▃▄▅▆▇█")
	var text strings.Builder
	for _, x := range points {
		level := 0
		if high > low {
			level = min(len(levels)-1, int((x-low)/(high-low)*float64(len(levels))))
		}
		text.WriteRune(levels[level])
	}
	return text.String()
}
