package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"afterstate/internal/numfmt"
	"afterstate/stats"
)

// Grouped writes a number with commas between thousands: 351,648. Numbers below 100 keep decimals.
func Grouped(x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	if a := math.Abs(x); a < 100 && a != math.Trunc(a) {
		return strconv.FormatFloat(x, 'f', decimalsOf100(a), 64)
	}
	digits := numfmt.Rounded(math.Abs(x))
	if x <= -0.5 {
		digits = "−" + digits
	}
	return digits
}

// decimalsOf100 is the number of significant decimals for a number below 100.
func decimalsOf100(x float64) int {
	if x >= 10 {
		return 1
	}
	return 2
}

// meanWords writes a mean and half its interval: 36,935 ± 4,656.
func meanWords(mean float64, ci stats.Interval) string {
	if math.IsNaN(mean) {
		return "-"
	}
	half := "?"
	if ci.Known() {
		half = Grouped(math.Round(ci.Half()))
	}
	return Grouped(math.Round(mean)) + " ± " + half
}

// differenceWords is meanWords with a sign.
func differenceWords(mean float64, ci stats.Interval) string {
	text := meanWords(mean, ci)
	if mean >= 0.5 {
		text = "+" + text
	}
	return text
}

func percent(share float64) string {
	if math.IsNaN(share) {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*share)
}

// shareWords writes a share with its interval: 84.0 % [78.3, 88.4].
func shareWords(share float64, ci stats.Interval) string {
	if !ci.Known() {
		return "-"
	}
	return fmt.Sprintf("%s [%.1f, %.1f]", percent(share), 100*ci.Low, 100*ci.High)
}

// listed joins distinct words with commas.
func listed(words []string) string {
	var once []string
	seen := map[string]bool{}
	for _, w := range words {
		if !seen[w] {
			seen[w] = true
			once = append(once, w)
		}
	}
	return strings.Join(once, ", ")
}
