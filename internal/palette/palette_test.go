package palette

import (
	"math"
	"strconv"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

// luminance is WCAG 2's relative luminance.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	if len(hex) != 7 || hex[0] != '#' {
		t.Fatalf("%q is no colour", hex)
	}
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		v := must.Get(strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8))(t)
		c := float64(v) / 255
		if c <= 0.03928 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

func TestTile(t *testing.T) {
	seen := map[string]bool{}
	last := 2.0
	for e := uint8(1); e <= 18; e++ {
		fill, ink := Tile(e)
		a, b := luminance(t, fill), luminance(t, ink)
		if contrast := (max(a, b) + 0.05) / (min(a, b) + 0.05); contrast < 4 {
			t.Errorf("number on 2^%d: contrast %.2f", e, contrast)
		}
		if seen[fill] || a >= last {
			t.Errorf("2^%d is not darker than the tile before it", e)
		}
		seen[fill], last = true, a
	}
	if fill, _ := Tile(48); fill != tiles[len(tiles)-1] {
		t.Errorf("2^48 is %s", fill)
	}
	if fill, ink := Tile(0); fill != "" || ink != "" {
		t.Errorf("an empty cell is %s %s", fill, ink)
	}
}
