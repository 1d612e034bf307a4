package tui

import (
	"fmt"
	"image/color"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"

	"github.com/afterstate2048/afterstate/internal/palette"
)

// paint holds the colours of a tile and of its number.
type paint struct{ back, ink color.Color }

// theme holds the colours and styles for a terminal with certain capabilities. The board has its own
// background, so that tiles look the same on light and dark terminals; the colours of text and bars have a
// medium brightness, legible on both.
type theme struct {
	marks bool    // bold and faint are supported
	tiles []paint // nil without colours
	// colours of the board's background and of its empty cells; nil without colours
	frame, hole            color.Color
	gold, green, red, blue color.Color
}

// beyond is the exponent of the last tile with a distinct colour; larger tiles share its colour.
const beyond = 18

// tile returns the colours of the tile with this exponent.
func (t *theme) tile(exponent uint8) paint { return t.tiles[min(exponent, beyond)-1] }

// bold, dim and tinted return text styles, as far as the terminal supports them.
func (t *theme) bold() style { return t.tinted(nil) }

func (t *theme) dim() style {
	if !t.marks {
		return style{}
	}
	return style{Attrs: uv.AttrFaint}
}

func (t *theme) tinted(c color.Color) style {
	if !t.marks {
		return style{Fg: c}
	}
	return style{Fg: c, Attrs: uv.AttrBold}
}

// mark is the mark of the best move.
const mark = "► "

// newTheme returns the theme for a terminal's colour profile and a dark or light background.
func newTheme(p colorprofile.Profile, light bool) *theme {
	t := &theme{marks: p >= colorprofile.ASCII}
	var others, ground [2]string // the colours of frame and hole; others for light terminals
	var tints [4]string          // gold, green, red and blue
	tile := palette.Tile
	switch {
	case p >= colorprofile.TrueColor: // the colours that the images and the page use
		ground, others = [2]string{palette.GridDark, palette.EmptyDark}, [2]string{palette.GridLight, palette.EmptyLight}
		tints = [4]string{"#a8740f", "#2a8a4a", "#d0453f", "#5b7fa6"}
	case p == colorprofile.ANSI256:
		ground, others = [2]string{"239", "236"}, [2]string{"250", "254"}
		tints, tile = [4]string{"136", "29", "167", "67"}, indexed(&manyTiles)
	default:
		return t
	}
	if light {
		ground = others
	}
	t.frame, t.hole = lipgloss.Color(ground[0]), lipgloss.Color(ground[1])
	t.gold, t.green, t.red, t.blue = lipgloss.Color(tints[0]), lipgloss.Color(tints[1]), lipgloss.Color(tints[2]), lipgloss.Color(tints[3])
	for e := uint8(1); e <= beyond; e++ {
		back, ink := tile(e)
		t.tiles = append(t.tiles, paint{lipgloss.Color(back), lipgloss.Color(ink)})
	}
	return t
}

// indexed returns a function that looks up the colours of a tile in a table of the terminal's colour numbers.
func indexed(tiles *[beyond][2]uint8) func(exponent uint8) (back, ink string) {
	return func(e uint8) (back, ink string) { return fmt.Sprint(tiles[e-1][0]), fmt.Sprint(tiles[e-1][1]) }
}

// manyTiles holds the colours of tiles and numbers in the palette of 256 colours. They resemble the true
// colours, but all differ. With the palette colours nearest to the true ones, some tiles would have the same
// colour.
var manyTiles = [beyond][2]uint8{
	{230, 16}, {223, 16}, {216, 16}, {210, 16}, {204, 16}, {169, 16}, // 2 to 64
	{170, 16}, {134, 16}, {99, 16}, {62, 231}, {27, 231}, {25, 231}, // 128 to 4096
	{31, 16}, {24, 231}, {30, 16}, {23, 231}, {28, 231}, {22, 231}, // 8192 to 262144
}
