package numfmt

import (
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

func TestSparkline(t *testing.T) {
	for want, numbers := range map[string][]float64{
		"":         nil,
		"▁":        {5},
		"▁▁":       {5, 5},
		"▁▅█":      {0, 5, 9},
		"▁▃▅█":     {0, 0, 2, 4, 4, 6, 9, 9},
		"▁▂▃▄▅▆▇█": {0, 1, 2, 3, 4, 5, 6, 7},
	} {
		width := 8
		if len(numbers) == 8 && numbers[1] == 0 {
			width = 4
		}
		must.Equal(t, Sparkline(numbers, width), want, numbers)
	}
}
