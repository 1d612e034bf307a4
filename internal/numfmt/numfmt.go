// Package numfmt writes numbers for people.
//
//	numfmt.Int(3932100)      // 3,932,100
//	numfmt.Rounded(36934.6)  // 36,935
//	numfmt.Group("-1234.50") // -1,234.50
package numfmt

import (
	"math"
	"strconv"
	"strings"
)

// Group puts commas between the thousands of a decimal number. Sign and decimals stay.
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

// Int is a whole number with commas between its thousands.
func Int(n int64) string { return Group(strconv.FormatInt(n, 10)) }

// Rounded is the nearest whole number with commas between its thousands. Halves are rounded
// away from zero.
func Rounded(x float64) string { return Group(strconv.FormatFloat(math.Round(x), 'f', 0, 64)) }
