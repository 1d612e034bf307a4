package serve

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strconv"
	"sync"

	"afterstate/palette"
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
	purpose string // in the manifest; "": not in it
	file    func() *file
}

var icons = func() []*icon {
	list := []*icon{
		{name: "icon-192.png", size: 192, percent: 100, purpose: "any"},
		{name: "icon-512.png", size: 512, percent: 100, purpose: "any"},
		{name: "icon-maskable-512.png", size: 512, bleed: true, percent: 75, purpose: "maskable"},
		{name: "icon-180.png", size: 180, bleed: true, percent: 100}, // for iOS
	}
	for _, i := range list {
		i.file = sync.OnceValue(func() *file {
			var data bytes.Buffer
			e := png.Encoder{CompressionLevel: png.BestCompression}
			_ = e.Encode(&data, i.draw()) // cannot fail: the size is valid, and memory takes all
			return newFile(i.name, data.Bytes())
		})
	}
	return list
}()

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
