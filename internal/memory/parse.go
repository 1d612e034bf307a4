package memory

import (
	"regexp"
	"strconv"
	"strings"
)

var byteUnits = map[string]float64{
	"": 1, "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
}

var bytePattern = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?) ?([a-z]*)$`)

// Parse reads a number of bytes, such as 500000, 32MB or 1.5GiB; ok is false for invalid text and
// for numbers outside 1 to 2^40.
func Parse(text string) (bytes int64, ok bool) {
	m := bytePattern.FindStringSubmatch(strings.ToLower(text))
	if m == nil {
		return 0, false
	}
	unit, known := byteUnits[m[2]]
	n, err := strconv.ParseFloat(m[1], 64)
	return int64(n * unit), err == nil && known && n*unit >= 1 && n*unit <= 1<<40
}
