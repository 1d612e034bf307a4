// Package numfmt formats numbers for people.
//
//	numfmt.Int(3932100)      // 3,932,100
//	numfmt.Rounded(36934.6)  // 36,935
//	numfmt.Group("-1234.50") // -1,234.50
//	numfmt.Rate(0.01234)     // 0.0123
//	numfmt.About(207*time.Second) // 3m30s
//	numfmt.Sparkline([]float64{1, 2, 3}, 60) // ▁▅█
package numfmt

import (
	"fmt"
	"math"
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

// Count formats a number of things, as in "1 core" and "1,024 cores".
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Int(int64(n)) + " " + many
}

// Rounded rounds to an integer, halves away from zero, with commas between its thousands.
func Rounded(x float64) string { return Group(strconv.FormatFloat(math.Round(x), 'f', 0, 64)) }

// Rate formats a speed with three significant digits, or more if the integer part has more.
func Rate(x float64) string {
	if x >= 1000 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.3g", x)
}

// About formats a time that is known roughly, as in "40s", "3m30s" and "2h10m".
func About(d time.Duration) string {
	unit := time.Second
	for _, step := range []struct{ from, unit time.Duration }{
		{20 * time.Second, 5 * time.Second}, {2 * time.Minute, 30 * time.Second}, {10 * time.Minute, time.Minute}, {time.Hour, 10 * time.Minute}, {10 * time.Hour, time.Hour},
	} {
		if d >= step.from {
			unit = step.unit
		}
	}
	text := max(d.Round(unit), time.Second).String()
	for _, zero := range []string{"0s", "0m"} {
		if cut := strings.TrimSuffix(text, zero); cut != text && strings.HasSuffix(cut, map[string]string{"0s": "m", "0m": "h"}[zero]) {
			text = cut
		}
	}
	return text
}
