package serve

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/palette"
)

// The icon in units of 1/iconSide of its side, as in serve/ui/static/favicon.svg: a board with
// rounded corners and four tiles.
const iconSide = 32

type roundedSquare struct{ x, y, side, radius int }

var (
	iconBoard = roundedSquare{0, 0, iconSide, 7}
	iconTiles = []struct {
		roundedSquare
		exponent uint8
	}{
		{roundedSquare{4, 4, 11, 3}, 1}, {roundedSquare{17, 4, 11, 3}, 4},
		{roundedSquare{4, 17, 11, 3}, 7}, {roundedSquare{17, 17, 11, 3}, 11},
	}
)

// icon is a picture for the home screens of phones.
type icon struct {
	name string // of its file
	size int    // in pixels
	// bleed fills the corners with the board, for platforms that cut the icon to their own shape. They
	// may cut everything outside a circle of 80 % of the side; percent scales the board down to fit.
	bleed   bool
	percent int
}

var icons = []icon{
	{name: "icon-192.png", size: 192, percent: 100},
	{name: "icon-512.png", size: 512, percent: 100},
	{name: "icon-maskable-512.png", size: 512, bleed: true, percent: 75},
	{name: "icon-180.png", size: 180, bleed: true, percent: 100}, // for iOS
}

// draw draws the icon, with 4x4 samples for each pixel. It uses whole numbers only, so that it is the
// same on every machine.
func (i *icon) draw() *image.NRGBA {
	const samples = 4
	colours := []color.NRGBA{parseColour(palette.GridLight)}
	for _, t := range iconTiles {
		fill, _ := palette.Tile(t.exponent)
		colours = append(colours, parseColour(fill))
	}
	out := image.NewNRGBA(image.Rect(0, 0, i.size, i.size))
	one := 2 * samples * i.size * i.percent // length of a unit
	centre := iconSide / 2 * one
	// at returns the coordinate of a sample.
	at := func(pixel, sample int) int {
		return (iconSide*(2*(samples*pixel+sample)+1)-iconSide*samples*i.size)*100 + centre
	}
	for y := range i.size {
		for x := range i.size {
			var sum [3]int
			inside := 0
			for s := range samples * samples {
				part := i.part(at(x, s%samples), at(y, s/samples), one)
				if part < 0 {
					continue
				}
				inside++
				c := colours[part]
				sum[0], sum[1], sum[2] = sum[0]+int(c.R), sum[1]+int(c.G), sum[2]+int(c.B)
			}
			if inside > 0 {
				mean := func(n int) uint8 { return uint8((2*n + inside) / (2 * inside)) }
				out.SetNRGBA(x, y, color.NRGBA{mean(sum[0]), mean(sum[1]), mean(sum[2]), uint8(255 * inside / (samples * samples))})
			}
		}
	}
	return out
}

// part returns what is at a point: 0 for the board, n for tile n-1, -1 where the icon is transparent.
func (i *icon) part(x, y, one int) int {
	for n, t := range iconTiles {
		if t.covers(x, y, one) {
			return n + 1
		}
	}
	if i.bleed || iconBoard.covers(x, y, one) {
		return 0
	}
	return -1
}

// covers reports whether a point is in the square.
func (r roundedSquare) covers(x, y, one int) bool {
	// beyond is the distance from the span in which the centres of the corners are
	beyond := func(v, from int) int {
		near, far := (from+r.radius)*one, (from+r.side-r.radius)*one
		return max(near-v, v-far, 0)
	}
	dx, dy := beyond(x, r.x), beyond(y, r.y)
	return dx*dx+dy*dy <= r.radius*one*r.radius*one
}

// parseColour reads #rrggbb.
func parseColour(text string) color.NRGBA {
	n, _ := strconv.ParseUint(text[1:], 16, 24) // cannot fail for constants of this program
	return color.NRGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 0xff}
}

// The icons are the drawing, pixel by pixel; their encoding depends on the version of Go.
func TestIcons(t *testing.T) {
	for _, i := range icons {
		file := filepath.Join("ui", "static", i.name)
		drawn := i.draw()
		if must.Updating() {
			var data bytes.Buffer
			e := png.Encoder{CompressionLevel: png.BestCompression}
			must.Do(t, e.Encode(&data, drawn))
			must.Do(t, os.WriteFile(file, data.Bytes(), 0o644))
		}
		kept := must.Get(os.ReadFile(file))(t)
		got := decodePNG(t, kept)
		if got.Bounds() != drawn.Bounds() {
			t.Fatalf("%s is %v, want %v", i.name, got.Bounds(), drawn.Bounds())
		}
		for y := range i.size {
			for x := range i.size {
				if want := drawn.At(x, y); color.NRGBAModel.Convert(got.At(x, y)) != want {
					t.Fatalf("%s: pixel %d,%d is %v, want %v", i.name, x, y, got.At(x, y), want)
				}
			}
		}
		if thePage().files["/"+i.name] == nil {
			t.Errorf("%s is not in the page: run go generate ./serve", i.name)
		}
	}
}

func decodePNG(t *testing.T, data []byte) image.Image {
	t.Helper()
	i := must.Get(png.Decode(bytes.NewReader(data)))(t)
	return i
}

// Platforms cut off parts of a maskable icon outside a circle of 80 % of its size: only the board is there.
func TestMaskable(t *testing.T) {
	for _, i := range icons {
		if !strings.Contains(i.name, "maskable") {
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
