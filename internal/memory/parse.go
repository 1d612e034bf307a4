package memory

import (
	"strconv"
	"strings"
)

var byteUnits = map[string]float64{
	"": 1, "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
}

// Parse reads a number of bytes, such as 500000, 32MB or 1.5GiB; ok is false for invalid text and
// for numbers outside 1 to 2^40.
func Parse(text string) (bytes int64, ok bool) {
	text = strings.ToLower(text)
	unit := strings.TrimLeft(text, "0123456789.")
	number := text[:len(text)-len(unit)]
	factor, known := byteUnits[strings.TrimPrefix(unit, " ")]
	whole, fraction, point := strings.Cut(number, ".")
	if !known || unit == " " || whole == "" || point && fraction == "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(number, 64)
	return int64(n * factor), err == nil && n*factor >= 1 && n*factor <= 1<<40
}
