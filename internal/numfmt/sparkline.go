package numfmt

import (
	"slices"
	"strings"
)

// Sparkline draws numbers as a curve of at most width characters, each of them the mean of its
// share of the numbers.
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
