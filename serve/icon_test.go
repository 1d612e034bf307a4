package serve

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strconv"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/palette"
)

// The pictures for the home screens of phones have the sides that the page says. Platforms cut off what is outside a
// circle of 80 % of the side of a maskable icon: only the board is there, in the palette's colour.
func TestIcons(t *testing.T) {
	n := must.Get(strconv.ParseUint(palette.GridLight[1:], 16, 24))(t)
	ground := color.NRGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 0xff}
	for name, side := range map[string]int{"icon-180": 180, "icon-192": 192, "icon-512": 512, "icon-maskable-512": 512} {
		f := thePage().files["/"+name+".png"]
		if f == nil {
			t.Fatalf("%s is not in the page: run go generate ./serve", name)
		}
		drawn := must.Get(png.Decode(bytes.NewReader(f.whole)))(t)
		if drawn.Bounds() != image.Rect(0, 0, side, side) {
			t.Errorf("%s is %v, want %d", name, drawn.Bounds(), side)
		}
		for i := range side * side {
			x, y := i%side, i/side
			dx, dy := 2*x+1-side, 2*y+1-side
			if cut := 25*(dx*dx+dy*dy) > 16*side*side; cut && strings.Contains(name, "maskable") && color.NRGBAModel.Convert(drawn.At(x, y)) != ground {
				t.Fatalf("%s: pixel %d,%d may be cut off", name, x, y)
			}
		}
	}
}

// The favicon is a board and four tiles in the palette's colours. The other icons are drawn from it.
func TestFavicon(t *testing.T) {
	text := string(thePage().files["/favicon.svg"].whole)
	colours := []string{palette.GridLight}
	for _, exponent := range []uint8{1, 4, 7, 11} {
		fill, _ := palette.Tile(exponent)
		colours = append(colours, fill)
	}
	for _, c := range colours {
		if !strings.Contains(text, fmt.Sprintf("fill=%q", c)) {
			t.Errorf("no part of the favicon has colour %s: %s", c, text)
		}
	}
}
