package serve

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"afterstate/palette"
)

var update = flag.Bool("update", false, "rewrite the golden icons")

// The icons are the golden pictures, pixel by pixel; their encoding depends on the version of Go.
func TestIcons(t *testing.T) {
	for _, i := range icons {
		golden := filepath.Join("testdata", i.name)
		data := i.file().whole
		if *update {
			if err := os.WriteFile(golden, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		kept, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		got, want := decodePNG(t, data), decodePNG(t, kept)
		if got.Bounds() != want.Bounds() || got.Bounds() != image.Rect(0, 0, i.size, i.size) {
			t.Fatalf("%s is %v, want %v", i.name, got.Bounds(), want.Bounds())
		}
		for y := range i.size {
			for x := range i.size {
				if got.At(x, y) != want.At(x, y) {
					t.Fatalf("%s: pixel %d,%d is %v, want %v", i.name, x, y, got.At(x, y), want.At(x, y))
				}
			}
		}
	}
}

func decodePNG(t *testing.T, data []byte) image.Image {
	t.Helper()
	i, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// What platforms cut off a maskable icon is outside a circle of 80 %: there is nothing but the board.
func TestMaskable(t *testing.T) {
	for _, i := range icons {
		if i.purpose != "maskable" {
			continue
		}
		all := i.draw()
		corner := all.NRGBAAt(0, 0)
		if corner != parseColour(palette.GridLight) {
			t.Errorf("the corner is %v", corner)
		}
		for y := range i.size {
			for x := range i.size {
				dx, dy := 2*x+1-i.size, 2*y+1-i.size
				if outside := 25*(dx*dx+dy*dy) > 16*i.size*i.size; outside && all.NRGBAAt(x, y) != corner {
					t.Fatalf("pixel %d,%d may be cut off", x, y)
				}
			}
		}
	}
}

// The favicon is the same drawing, in the palette's colours.
func TestFavicon(t *testing.T) {
	var want strings.Builder
	fmt.Fprintf(&want, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %[1]d"><rect width="%[1]d" height="%[1]d" rx="%d" fill="%s"/>`, iconSide, iconBoard.radius, palette.GridLight)
	for _, tile := range iconTiles {
		fill, _ := palette.Tile(tile.exponent)
		fmt.Fprintf(&want, `<rect x="%d" y="%d" width="%d" height="%[3]d" rx="%d" fill="%s"/>`, tile.x, tile.y, tile.side, tile.radius, fill)
	}
	want.WriteString("</svg>\n")
	if got, err := os.ReadFile("ui/static/favicon.svg"); err != nil || string(got) != want.String() {
		t.Errorf("%s, %v; want\n%s", got, err, &want)
	}
}
