package tui

import (
	"image/color"
	"strconv"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"afterstate/palette"
)

// paint is the colours of a tile and its number.
type paint struct{ back, ink color.Color }

// theme is the appearance on a terminal with its capabilities. The board has its own background, so
// that tiles look the same on light and dark terminals; the colours of text and bars have a medium
// brightness, legible on both.
type theme struct {
	ascii bool // no line-drawing characters
	marks bool // bold and faint are supported
	tiles []paint
	// the board's background and its empty cells; nil without colours
	frame, hole            color.Color
	label                  color.Color // of text in empty cells
	gold, green, red, blue color.Color
}

// beyond is the exponent of the last tile with a distinct colour; larger tiles have the same one.
const beyond = 18

// tile returns the colours of an exponent; ok is false without colours.
func (t *theme) tile(exponent uint8) (paint, bool) {
	if t.tiles == nil {
		return paint{}, false
	}
	return t.tiles[min(exponent, beyond)-1], true
}

func (t *theme) colours() bool { return t.tiles != nil }

// bold, dim and tinted return text styles as far as the terminal supports them.
func (t *theme) bold() style { return style{bold: t.marks} }

func (t *theme) dim() style { return style{faint: t.marks} }

func (t *theme) tinted(c color.Color) style { return style{fg: c, bold: t.marks} }

// mark returns the mark of the best move.
func (t *theme) mark() string {
	if t.ascii {
		return "> "
	}
	return "► "
}

// newTheme returns the theme for a terminal's colours and a dark or light background.
func newTheme(p colorprofile.Profile, light bool) *theme {
	switch {
	case p >= colorprofile.TrueColor:
		return trueColors(light)
	case p == colorprofile.ANSI256:
		return manyColors(light)
	case p == colorprofile.ANSI:
		return sixteenColors()
	}
	return &theme{marks: p == colorprofile.ASCII, ascii: p < colorprofile.ASCII}
}

// hex parses a colour written as #rrggbb.
func hex(text string) color.Color {
	n, _ := strconv.ParseUint(text[1:], 16, 24) // cannot fail for constants of this program
	return color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 0xff}
}

// trueColors returns the colours that the images and the page use.
func trueColors(light bool) *theme {
	t := &theme{
		marks: true,
		frame: hex(palette.GridDark), hole: hex(palette.EmptyDark), label: hex("#ffffff"),
		gold: hex("#a8740f"), green: hex("#2a8a4a"), red: hex("#d0453f"), blue: hex("#5b7fa6"),
	}
	if light {
		t.frame, t.hole, t.label = hex(palette.GridLight), hex(palette.EmptyLight), hex("#20242c")
	}
	for e := uint8(1); e <= beyond; e++ {
		fill, ink := palette.Tile(e)
		t.tiles = append(t.tiles, paint{hex(fill), hex(ink)})
	}
	return t
}

// manyTiles are colours of the 256-colour table, in the order of the true colours. The nearest ones
// to the true colours would not always differ between tiles.
var manyTiles = [beyond][2]uint8{
	{230, 16}, {223, 16}, {216, 16}, {210, 16}, {204, 16}, {169, 16}, // 2 to 64
	{170, 16}, {134, 16}, {99, 16}, {62, 231}, {27, 231}, {25, 231}, // 128 to 4096
	{31, 16}, {24, 231}, {30, 16}, {23, 231}, {28, 231}, {22, 231}, // 8192 to 262144
}

func manyColors(light bool) *theme {
	c := func(n uint8) color.Color { return ansi.IndexedColor(n) }
	t := &theme{marks: true, frame: c(239), hole: c(236), label: c(231), gold: c(136), green: c(29), red: c(167), blue: c(67)}
	if light {
		t.frame, t.hole, t.label = c(250), c(254), c(16)
	}
	for _, n := range manyTiles {
		t.tiles = append(t.tiles, paint{c(n[0]), c(n[1])})
	}
	return t
}

// sixteenTiles are pairs of colours, which distinguish the tiles with few colours.
var sixteenTiles = [beyond][2]uint8{
	{7, 0}, {15, 0}, {3, 0}, {9, 0}, {1, 15}, {13, 0},
	{5, 15}, {12, 0}, {4, 15}, {14, 0}, {11, 0},
	{6, 0}, {10, 0}, {2, 0}, {6, 15}, {2, 15}, {0, 11},
	{9, 15},
}

func sixteenColors() *theme {
	c := func(n uint8) color.Color { return ansi.BasicColor(n) }
	t := &theme{marks: true, frame: c(8), hole: c(0), label: c(15), gold: c(3), green: c(2), red: c(1), blue: c(4)}
	for _, n := range sixteenTiles {
		t.tiles = append(t.tiles, paint{c(n[0]), c(n[1])})
	}
	return t
}
