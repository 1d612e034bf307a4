package tui

import (
	"image/color"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// paint is how a tile looks: its own colour and that of its number.
type paint struct{ back, ink color.Color }

// theme is what a terminal can show. The board brings its own ground, so that a
// tile looks the same on light and dark terminals; the colours of text and bars
// have a middle brightness, which is legible on both.
type theme struct {
	ascii bool // no line drawing: TERM=dumb
	marks bool // bold and faint are understood
	tiles []paint
	// the board's ground and its empty cells; nil without colours
	frame, hole                  color.Color
	gold, green, red, blue, grey color.Color
}

// beyond is the exponent of the first tile without a colour of its own.
const beyond = 18

// tile is the paint of an exponent; ok is false without colours.
func (t *theme) tile(exponent uint8) (paint, bool) {
	if t.tiles == nil {
		return paint{}, false
	}
	return t.tiles[min(exponent, beyond)-1], true
}

func (t *theme) colours() bool { return t.tiles != nil }

// bold, dim and tinted are styles of text as far as the terminal knows them.
func (t *theme) bold() style { return style{bold: t.marks} }

func (t *theme) dim() style { return style{faint: t.marks} }

func (t *theme) tinted(c color.Color) style { return style{fg: c, bold: t.marks} }

// newTheme is the look for a terminal's colours, on a dark or a light ground.
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

func rgb(hex uint32) color.Color {
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 0xff}
}

// trueTiles begin like the original's, from ivory to red, and then go round the
// colours, which the original does not: its tiles from 128 on are all yellow.
// 2048 is gold. Numbers have a contrast of at least 4.5 to their tile.
var trueTiles = [beyond][2]uint32{
	{0xeee4da, 0x4a4038}, // 2
	{0xe6cf9f, 0x4a3f2c}, // 4
	{0xf2b179, 0x3f2a14}, // 8
	{0xf0883e, 0x2b1a08}, // 16
	{0xc8452f, 0xffffff}, // 32
	{0x96191c, 0xffffff}, // 64
	{0xf48fb1, 0x3d1022}, // 128
	{0xc2388b, 0xffffff}, // 256
	{0x7b3fb5, 0xffffff}, // 512
	{0x3f51c8, 0xffffff}, // 1024
	{0xffd23f, 0x3a2c00}, // 2048
	{0x4fb0e8, 0x06283d}, // 4096
	{0x35c9ae, 0x04302a}, // 8192
	{0x1a7f45, 0xffffff}, // 16384
	{0xa8d63a, 0x233000}, // 32768
	{0x12566b, 0xffffff}, // 65536
	{0x16161a, 0xffd23f}, // 131072
	{0xffffff, 0xa0001c}, // and beyond
}

func trueColors(light bool) *theme {
	t := &theme{
		marks: true,
		frame: rgb(0x34312e), hole: rgb(0x4a4641),
		gold: rgb(0xa8740f), green: rgb(0x2a8a4a), red: rgb(0xd0453f), blue: rgb(0x5b7fa6), grey: rgb(0x808080),
	}
	if light {
		t.frame, t.hole = rgb(0xbbada0), rgb(0xcdc1b4)
	}
	for _, c := range trueTiles {
		t.tiles = append(t.tiles, paint{rgb(c[0]), rgb(c[1])})
	}
	return t
}

// manyTiles are numbers of the 256-colour table; the nearest colours to the true
// ones would not always differ from tile to tile.
var manyTiles = [beyond][2]uint8{
	{230, 238}, {222, 236}, {215, 235}, {208, 233}, {160, 231}, {88, 231}, // 2 to 64
	{211, 233}, {162, 231}, {91, 231}, {62, 231}, {220, 234}, // 128 to 2048
	{75, 233}, {43, 233}, {28, 231}, {148, 234}, {24, 231}, {16, 220}, // 4096 to 131072
	{231, 124},
}

func manyColors(light bool) *theme {
	c := func(n uint8) color.Color { return ansi.IndexedColor(n) }
	t := &theme{marks: true, frame: c(236), hole: c(239), gold: c(136), green: c(29), red: c(167), blue: c(67), grey: c(244)}
	if light {
		t.frame, t.hole = c(248), c(252)
	}
	for _, n := range manyTiles {
		t.tiles = append(t.tiles, paint{c(n[0]), c(n[1])})
	}
	return t
}

// sixteenTiles have no colour of their own each, but a pair of colours.
var sixteenTiles = [beyond][2]uint8{
	{7, 0}, {15, 0}, {3, 0}, {9, 0}, {1, 15}, {13, 0},
	{5, 15}, {12, 0}, {4, 15}, {14, 0}, {11, 0},
	{6, 0}, {10, 0}, {2, 0}, {6, 15}, {2, 15}, {0, 11},
	{15, 1},
}

func sixteenColors() *theme {
	c := func(n uint8) color.Color { return ansi.BasicColor(n) }
	t := &theme{marks: true, frame: c(8), hole: c(0), gold: c(3), green: c(2), red: c(1), blue: c(4), grey: c(8)}
	for _, n := range sixteenTiles {
		t.tiles = append(t.tiles, paint{c(n[0]), c(n[1])})
	}
	return t
}
